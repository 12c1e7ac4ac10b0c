-- AlterTable
ALTER TABLE "MachineSpeed" ADD COLUMN     "needFinding" TEXT;
