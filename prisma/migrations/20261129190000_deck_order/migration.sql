-- AlterTable
ALTER TABLE "FleetPool" ADD COLUMN     "ownQueues" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "slots" INTEGER NOT NULL DEFAULT 1;

-- CreateTable
CREATE TABLE "AnalysisShare" (
    "analysisId" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "visual" INTEGER NOT NULL DEFAULT 0,
    "text" INTEGER NOT NULL DEFAULT 0,
    "version" INTEGER NOT NULL DEFAULT 0,
    "toldVersion" INTEGER NOT NULL DEFAULT -1,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "openedAt" TIMESTAMP(3),

    CONSTRAINT "AnalysisShare_pkey" PRIMARY KEY ("analysisId")
);

-- CreateIndex
CREATE INDEX "AnalysisShare_tenantId_idx" ON "AnalysisShare"("tenantId");

-- AddForeignKey
ALTER TABLE "AnalysisShare" ADD CONSTRAINT "AnalysisShare_analysisId_fkey" FOREIGN KEY ("analysisId") REFERENCES "Analysis"("id") ON DELETE CASCADE ON UPDATE CASCADE;
