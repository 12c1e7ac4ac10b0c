-- AlterTable
ALTER TABLE "ConfiguredModel" ADD COLUMN     "repository" TEXT,
ADD COLUMN     "revision" TEXT;
