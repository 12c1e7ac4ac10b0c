-- AlterTable
ALTER TABLE "Extraction" ADD COLUMN     "minAmount" DECIMAL(20,2);

-- CreateTable
CREATE TABLE "Contradiction" (
    "id" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "analysisId" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "firstSlide" INTEGER NOT NULL,
    "firstQuote" TEXT NOT NULL,
    "firstValue" TEXT NOT NULL,
    "secondSlide" INTEGER NOT NULL,
    "secondQuote" TEXT NOT NULL,
    "secondValue" TEXT NOT NULL,

    CONSTRAINT "Contradiction_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "Contradiction_tenantId_idx" ON "Contradiction"("tenantId");

-- CreateIndex
CREATE UNIQUE INDEX "Contradiction_analysisId_position_key" ON "Contradiction"("analysisId", "position");

-- AddForeignKey
ALTER TABLE "Contradiction" ADD CONSTRAINT "Contradiction_analysisId_fkey" FOREIGN KEY ("analysisId") REFERENCES "Analysis"("id") ON DELETE CASCADE ON UPDATE CASCADE;
