-- AlterEnum
ALTER TYPE "EvidenceVerdict" ADD VALUE 'glued';

-- AlterTable
ALTER TABLE "Evidence" ADD COLUMN     "boxes" JSONB,
ADD COLUMN     "recognised" BOOLEAN NOT NULL DEFAULT false;
