-- AlterTable
ALTER TABLE "ModelServer" ADD COLUMN     "dataLeavesHost" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "ModelResult" ADD COLUMN     "outsideHost" TEXT;
