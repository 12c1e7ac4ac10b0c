-- AlterTable
ALTER TABLE "Deck" ADD COLUMN     "otherNames" TEXT[] DEFAULT ARRAY[]::TEXT[];
