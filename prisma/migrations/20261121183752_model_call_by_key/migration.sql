-- DropIndex
DROP INDEX "ModelCall_tenantId_idx";

-- CreateIndex
CREATE INDEX "ModelCall_tenantId_contentKey_idx" ON "ModelCall"("tenantId", "contentKey");
