-- AlterTable
ALTER TABLE "FleetPool" ADD COLUMN     "budgetMessage" TEXT;

-- AlterTable
ALTER TABLE "InstanceTransition" ADD COLUMN     "loadMs" INTEGER,
ADD COLUMN     "volumeIds" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- AlterTable
ALTER TABLE "InstanceServing" ADD COLUMN     "lastProgressAt" TIMESTAMP(3),
ADD COLUMN     "stalledInARow" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "WebhookDelivery" ADD COLUMN     "alertId" TEXT,
ADD COLUMN     "costReportId" TEXT;

-- CreateTable
CREATE TABLE "CallAttempt" (
    "id" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "analysisId" TEXT NOT NULL,
    "deckId" TEXT NOT NULL,
    "callId" TEXT NOT NULL,
    "instanceName" TEXT NOT NULL,
    "task" TEXT NOT NULL,
    "modelName" TEXT NOT NULL,
    "gpuClass" TEXT NOT NULL,
    "slideNumber" INTEGER,
    "questionId" TEXT,
    "priority" INTEGER NOT NULL,
    "startedAt" TIMESTAMP(3) NOT NULL,
    "endedAt" TIMESTAMP(3),
    "outcome" TEXT,
    "failureCode" TEXT,
    "loadMs" INTEGER NOT NULL DEFAULT 0,
    "promptTokens" INTEGER NOT NULL DEFAULT 0,
    "outputTokens" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "CallAttempt_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Rental" (
    "id" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "resource" TEXT NOT NULL,
    "resourceId" TEXT NOT NULL,
    "instanceName" TEXT,
    "pool" TEXT,
    "location" TEXT,
    "instanceType" TEXT,
    "market" TEXT,
    "sizeGib" INTEGER,
    "currency" TEXT NOT NULL DEFAULT 'USD',
    "priceUsdPerHour" DECIMAL(18,9) NOT NULL,
    "onDemandUsdPerHour" DECIMAL(18,9),
    "quantumSec" INTEGER NOT NULL,
    "refundsUnused" BOOLEAN NOT NULL,
    "billedFrom" TIMESTAMP(3),
    "billedUntil" TIMESTAMP(3),
    "boundsFrom" TEXT NOT NULL DEFAULT 'observed',
    "settledUntil" TIMESTAMP(3),
    "settledUsd" DECIMAL(18,9) NOT NULL DEFAULT 0,
    "entryCount" INTEGER NOT NULL DEFAULT 0,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "closedAt" TIMESTAMP(3),

    CONSTRAINT "Rental_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "LedgerEntry" (
    "id" TEXT NOT NULL,
    "rentalId" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "fromAt" TIMESTAMP(3) NOT NULL,
    "untilAt" TIMESTAMP(3) NOT NULL,
    "shareSeconds" DECIMAL(18,6) NOT NULL,
    "amountUsd" DECIMAL(18,9) NOT NULL,
    "currency" TEXT NOT NULL DEFAULT 'USD',
    "spotSavingUsd" DECIMAL(18,9) NOT NULL DEFAULT 0,
    "provider" TEXT NOT NULL,
    "pool" TEXT,
    "instanceName" TEXT,
    "instanceType" TEXT,
    "location" TEXT,
    "market" TEXT,
    "tenantId" TEXT,
    "deckId" TEXT,
    "analysisId" TEXT,
    "task" TEXT,
    "slideNumber" INTEGER,
    "callId" TEXT,

    CONSTRAINT "LedgerEntry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "BalanceSample" (
    "id" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "amount" DECIMAL(18,6) NOT NULL,
    "currency" TEXT NOT NULL,
    "sampledAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "BalanceSample_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "CostReport" (
    "id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "period" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "fromAt" TIMESTAMP(3) NOT NULL,
    "untilAt" TIMESTAMP(3) NOT NULL,
    "timezone" TEXT NOT NULL,
    "currency" TEXT NOT NULL DEFAULT 'USD',
    "totalUsd" DECIMAL(18,9) NOT NULL,
    "document" JSONB NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "CostReport_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Budget" (
    "id" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "scopeId" TEXT NOT NULL DEFAULT '*',
    "period" TEXT NOT NULL,
    "softUsd" DECIMAL(18,6),
    "hardUsd" DECIMAL(18,6),
    "currency" TEXT NOT NULL DEFAULT 'USD',
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Budget_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "BudgetReservation" (
    "id" TEXT NOT NULL,
    "instanceName" TEXT NOT NULL,
    "pool" TEXT NOT NULL,
    "priceUsdPerHour" DECIMAL(18,9) NOT NULL,
    "fromAt" TIMESTAMP(3) NOT NULL,
    "reservedUntil" TIMESTAMP(3) NOT NULL,
    "releasedAt" TIMESTAMP(3),

    CONSTRAINT "BudgetReservation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "InstanceHealth" (
    "instanceName" TEXT NOT NULL,
    "pool" TEXT NOT NULL,
    "level" TEXT NOT NULL,
    "since" TIMESTAMP(3) NOT NULL,
    "reason" TEXT NOT NULL,
    "failure" TEXT,
    "lastSampleAt" TIMESTAMP(3),
    "lastProbeAt" TIMESTAMP(3),
    "probeMs" INTEGER,
    "baselineProbeMs" INTEGER,
    "quarantinedAt" TIMESTAMP(3),
    "updatedAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "InstanceHealth_pkey" PRIMARY KEY ("instanceName")
);

-- CreateTable
CREATE TABLE "HealthSample" (
    "id" TEXT NOT NULL,
    "instanceName" TEXT NOT NULL,
    "gpuIndex" INTEGER NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,
    "missing" BOOLEAN NOT NULL DEFAULT false,
    "message" TEXT,
    "level" TEXT NOT NULL,
    "utilRatio" DOUBLE PRECISION,
    "memoryUsedBytes" BIGINT,
    "memoryTotalBytes" BIGINT,
    "temperatureC" DOUBLE PRECISION,
    "slowdownMarginC" DOUBLE PRECISION,
    "throttleReasons" TEXT[],
    "xids" INTEGER[],
    "eccUncorrected" BIGINT,
    "rowRemapPending" BOOLEAN,
    "rowRemapFailed" BOOLEAN,
    "modelBytes" BIGINT,
    "modelVramBytes" BIGINT,
    "diskFreeBytes" BIGINT,
    "diskTotalBytes" BIGINT,
    "probeMs" INTEGER,

    CONSTRAINT "HealthSample_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "HealthTransition" (
    "id" TEXT NOT NULL,
    "instanceName" TEXT NOT NULL,
    "pool" TEXT NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,
    "fromLevel" TEXT,
    "toLevel" TEXT NOT NULL,
    "failure" TEXT,
    "reason" TEXT NOT NULL,
    "action" TEXT NOT NULL,

    CONSTRAINT "HealthTransition_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AlertRule" (
    "id" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "metric" TEXT NOT NULL,
    "comparison" TEXT NOT NULL,
    "raiseAt" DOUBLE PRECISION NOT NULL,
    "clearAt" DOUBLE PRECISION NOT NULL,
    "raiseForSec" INTEGER NOT NULL DEFAULT 0,
    "clearForSec" INTEGER NOT NULL DEFAULT 0,
    "windowSec" INTEGER NOT NULL DEFAULT 3600,
    "severity" TEXT NOT NULL,
    "advice" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "AlertRule_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AlertCondition" (
    "ruleId" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "value" DOUBLE PRECISION NOT NULL,
    "beyondSince" TIMESTAMP(3),
    "alertId" TEXT,
    "seenAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "AlertCondition_pkey" PRIMARY KEY ("ruleId","subject")
);

-- CreateTable
CREATE TABLE "Alert" (
    "id" TEXT NOT NULL,
    "ruleId" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "severity" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "value" DOUBLE PRECISION NOT NULL,
    "raisedAt" TIMESTAMP(3) NOT NULL,
    "clearedAt" TIMESTAMP(3),

    CONSTRAINT "Alert_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "CallAttempt_instanceName_startedAt_idx" ON "CallAttempt"("instanceName", "startedAt");

-- CreateIndex
CREATE INDEX "CallAttempt_analysisId_idx" ON "CallAttempt"("analysisId");

-- CreateIndex
CREATE INDEX "CallAttempt_startedAt_idx" ON "CallAttempt"("startedAt");

-- CreateIndex
CREATE INDEX "CallAttempt_tenantId_deckId_idx" ON "CallAttempt"("tenantId", "deckId");

-- CreateIndex
CREATE INDEX "Rental_closedAt_idx" ON "Rental"("closedAt");

-- CreateIndex
CREATE INDEX "Rental_instanceName_idx" ON "Rental"("instanceName");

-- CreateIndex
CREATE UNIQUE INDEX "Rental_provider_resource_resourceId_key" ON "Rental"("provider", "resource", "resourceId");

-- CreateIndex
CREATE INDEX "LedgerEntry_fromAt_idx" ON "LedgerEntry"("fromAt");

-- CreateIndex
CREATE INDEX "LedgerEntry_analysisId_idx" ON "LedgerEntry"("analysisId");

-- CreateIndex
CREATE INDEX "LedgerEntry_tenantId_fromAt_idx" ON "LedgerEntry"("tenantId", "fromAt");

-- CreateIndex
CREATE UNIQUE INDEX "LedgerEntry_rentalId_position_key" ON "LedgerEntry"("rentalId", "position");

-- CreateIndex
CREATE INDEX "BalanceSample_provider_sampledAt_idx" ON "BalanceSample"("provider", "sampledAt");

-- CreateIndex
CREATE INDEX "CostReport_fromAt_idx" ON "CostReport"("fromAt");

-- CreateIndex
CREATE UNIQUE INDEX "CostReport_kind_period_scope_key" ON "CostReport"("kind", "period", "scope");

-- CreateIndex
CREATE UNIQUE INDEX "Budget_scope_scopeId_period_key" ON "Budget"("scope", "scopeId", "period");

-- CreateIndex
CREATE INDEX "BudgetReservation_releasedAt_idx" ON "BudgetReservation"("releasedAt");

-- CreateIndex
CREATE INDEX "BudgetReservation_instanceName_idx" ON "BudgetReservation"("instanceName");

-- CreateIndex
CREATE INDEX "InstanceHealth_pool_idx" ON "InstanceHealth"("pool");

-- CreateIndex
CREATE INDEX "HealthSample_at_idx" ON "HealthSample"("at");

-- CreateIndex
CREATE UNIQUE INDEX "HealthSample_instanceName_at_gpuIndex_key" ON "HealthSample"("instanceName", "at", "gpuIndex");

-- CreateIndex
CREATE INDEX "HealthTransition_instanceName_at_idx" ON "HealthTransition"("instanceName", "at");

-- CreateIndex
CREATE INDEX "HealthTransition_at_idx" ON "HealthTransition"("at");

-- CreateIndex
CREATE INDEX "Alert_clearedAt_idx" ON "Alert"("clearedAt");

-- CreateIndex
CREATE INDEX "Alert_raisedAt_idx" ON "Alert"("raisedAt");

-- CreateIndex
CREATE UNIQUE INDEX "WebhookDelivery_webhookId_alertId_event_key" ON "WebhookDelivery"("webhookId", "alertId", "event");

-- CreateIndex
CREATE UNIQUE INDEX "WebhookDelivery_webhookId_costReportId_event_key" ON "WebhookDelivery"("webhookId", "costReportId", "event");

-- AddForeignKey
ALTER TABLE "WebhookDelivery" ADD CONSTRAINT "WebhookDelivery_alertId_fkey" FOREIGN KEY ("alertId") REFERENCES "Alert"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "WebhookDelivery" ADD CONSTRAINT "WebhookDelivery_costReportId_fkey" FOREIGN KEY ("costReportId") REFERENCES "CostReport"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "LedgerEntry" ADD CONSTRAINT "LedgerEntry_rentalId_fkey" FOREIGN KEY ("rentalId") REFERENCES "Rental"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "InstanceHealth" ADD CONSTRAINT "InstanceHealth_instanceName_fkey" FOREIGN KEY ("instanceName") REFERENCES "FleetInstance"("name") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AlertCondition" ADD CONSTRAINT "AlertCondition_ruleId_fkey" FOREIGN KEY ("ruleId") REFERENCES "AlertRule"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Alert" ADD CONSTRAINT "Alert_ruleId_fkey" FOREIGN KEY ("ruleId") REFERENCES "AlertRule"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What was settled stays: only whose it was may be taken away, with the deck.
CREATE TRIGGER ledger_entry_kept BEFORE DELETE ON "LedgerEntry" FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_entry_settled BEFORE UPDATE ON "LedgerEntry" FOR EACH ROW WHEN (ROW(OLD."id", OLD."rentalId", OLD."position", OLD."kind", OLD."fromAt", OLD."untilAt", OLD."shareSeconds", OLD."amountUsd", OLD."currency", OLD."spotSavingUsd", OLD."provider", OLD."tenantId", OLD."task") IS DISTINCT FROM ROW(NEW."id", NEW."rentalId", NEW."position", NEW."kind", NEW."fromAt", NEW."untilAt", NEW."shareSeconds", NEW."amountUsd", NEW."currency", NEW."spotSavingUsd", NEW."provider", NEW."tenantId", NEW."task")) EXECUTE FUNCTION refuse_change();
