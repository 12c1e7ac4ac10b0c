-- AlterTable
ALTER TABLE "Alert" ADD COLUMN     "advice" TEXT NOT NULL,
ADD COLUMN     "title" TEXT NOT NULL;
