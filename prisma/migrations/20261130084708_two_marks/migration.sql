-- AlterTable
ALTER TABLE "HumanVerdict" ADD COLUMN     "machineAnswering" "Answering",
ADD COLUMN     "machineDigest" TEXT,
ADD COLUMN     "machineEngine" TEXT,
ADD COLUMN     "machineModel" TEXT;

-- AlterTable
ALTER TABLE "DeckEntry" ADD COLUMN     "answeringShare" DOUBLE PRECISION,
ADD COLUMN     "highQuotes" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "judgedQuotes" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "someQuotes" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "Answer" ADD COLUMN     "supported" BOOLEAN;

-- CreateIndex
CREATE INDEX "DeckEntry_tenantId_answeringShare_deckId_idx" ON "DeckEntry"("tenantId", "answeringShare", "deckId");
