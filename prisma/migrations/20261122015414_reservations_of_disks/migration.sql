-- AlterTable
ALTER TABLE "BudgetReservation" ADD COLUMN     "resource" TEXT NOT NULL DEFAULT 'instance',
ADD COLUMN     "resourceId" TEXT;
