-- AlterTable
ALTER TABLE "Analysis" ADD COLUMN     "deadlineAt" TIMESTAMP(3);
