-- AlterTable
ALTER TABLE "FleetInstance" ADD COLUMN     "setupVersion" TEXT;
