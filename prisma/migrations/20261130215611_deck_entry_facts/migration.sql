-- AlterTable
ALTER TABLE "DeckEntry" ADD COLUMN     "competition" TEXT,
ADD COLUMN     "customers" TEXT,
ADD COLUMN     "documentKind" TEXT,
ADD COLUMN     "evidenceAsked" INTEGER,
ADD COLUMN     "evidenceFound" INTEGER,
ADD COLUMN     "markRule" TEXT,
ADD COLUMN     "market" TEXT,
ADD COLUMN     "marketAmount" DECIMAL(20,2),
ADD COLUMN     "marketCurrency" TEXT,
ADD COLUMN     "rank" DOUBLE PRECISION,
ADD COLUMN     "resultEngineKind" TEXT,
ADD COLUMN     "round" TEXT,
ADD COLUMN     "roundStage" TEXT,
ADD COLUMN     "team" TEXT,
ADD COLUMN     "traction" TEXT,
ADD COLUMN     "useOfFunds" TEXT;

-- CreateIndex
CREATE INDEX "DeckEntry_tenantId_rank_deckId_idx" ON "DeckEntry"("tenantId", "rank", "deckId");

-- CreateIndex
CREATE INDEX "DeckEntry_tenantId_marketAmount_deckId_idx" ON "DeckEntry"("tenantId", "marketAmount", "deckId");
