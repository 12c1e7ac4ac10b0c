-- AlterTable
ALTER TABLE "Slide" ADD COLUMN     "layout" JSONB;
