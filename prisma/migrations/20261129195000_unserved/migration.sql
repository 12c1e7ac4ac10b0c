-- AlterTable
ALTER TABLE "Analysis" ADD COLUMN     "unservedSince" TIMESTAMP(3);
