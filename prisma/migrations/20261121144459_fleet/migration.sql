-- CreateEnum
CREATE TYPE "IntentState" AS ENUM ('creating', 'created', 'refused', 'unknown', 'gone');

-- AlterTable
ALTER TABLE "Analysis" ADD COLUMN     "announcedPages" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "ModelConfiguration" ADD COLUMN     "kvCacheGibPerSlot" DOUBLE PRECISION NOT NULL DEFAULT 0,
ADD COLUMN     "weightsGib" DOUBLE PRECISION NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "FleetPool" (
    "name" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "classes" TEXT[],
    "selector" TEXT NOT NULL,
    "min" INTEGER NOT NULL,
    "max" INTEGER NOT NULL,
    "target" INTEGER NOT NULL DEFAULT 0,
    "wish" INTEGER NOT NULL DEFAULT 0,
    "reasons" TEXT[],
    "openCalls" INTEGER NOT NULL DEFAULT 0,
    "openSeconds" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "oldestAgeMs" BIGINT,
    "nextLookAt" TIMESTAMP(3),
    "updatedAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "FleetPool_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "FleetInstance" (
    "name" TEXT NOT NULL,
    "pool" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "phase" TEXT NOT NULL,
    "phaseSince" TIMESTAMP(3) NOT NULL,
    "reason" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "offerKey" TEXT,
    "priceUsdPerHour" DECIMAL(12,6),
    "providerId" TEXT,
    "hostname" TEXT,
    "ip" TEXT,
    "simulatedModelUrl" TEXT,
    "osVolumeId" TEXT,
    "keptVolumeLocation" TEXT,
    "hostKeySha256" TEXT,
    "billedSince" TIMESTAMP(3),
    "readyAt" TIMESTAMP(3),
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "endedAt" TIMESTAMP(3),

    CONSTRAINT "FleetInstance_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "InstanceTransition" (
    "id" TEXT NOT NULL,
    "instanceName" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,
    "fromPhase" TEXT,
    "toPhase" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "priceUsdPerHour" DECIMAL(12,6),
    "offerKey" TEXT,
    "providerId" TEXT,

    CONSTRAINT "InstanceTransition_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "CreateIntent" (
    "id" TEXT NOT NULL,
    "instanceName" TEXT NOT NULL,
    "hostname" TEXT NOT NULL,
    "offerKey" TEXT NOT NULL,
    "priceUsdPerHour" DECIMAL(12,6) NOT NULL,
    "fromVolumeId" TEXT,
    "state" "IntentState" NOT NULL DEFAULT 'creating',
    "providerId" TEXT,
    "errorClass" TEXT,
    "message" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "settledAt" TIMESTAMP(3),

    CONSTRAINT "CreateIntent_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "OfferBlock" (
    "scopeKey" TEXT NOT NULL,
    "errorClass" TEXT NOT NULL,
    "blockedUntil" TIMESTAMP(3) NOT NULL,
    "repeats" INTEGER NOT NULL,
    "lastFailureAt" TIMESTAMP(3) NOT NULL,
    "message" TEXT NOT NULL,

    CONSTRAINT "OfferBlock_pkey" PRIMARY KEY ("scopeKey")
);

-- CreateTable
CREATE TABLE "AvailabilitySample" (
    "id" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "market" TEXT NOT NULL,
    "location" TEXT NOT NULL,
    "instanceTypes" TEXT[],
    "sampledAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "AvailabilitySample_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "InstanceServing" (
    "instanceName" TEXT NOT NULL,
    "gateway" TEXT NOT NULL,
    "attachment" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "message" TEXT,
    "pullPercent" DOUBLE PRECISION,
    "inFlight" INTEGER NOT NULL DEFAULT 0,
    "finishedCalls" INTEGER NOT NULL DEFAULT 0,
    "slots" INTEGER NOT NULL,
    "models" TEXT[],
    "lastCallAt" TIMESTAMP(3),
    "startedAt" TIMESTAMP(3) NOT NULL,
    "seenAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "InstanceServing_pkey" PRIMARY KEY ("instanceName")
);

-- CreateTable
CREATE TABLE "ReapCandidate" (
    "id" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "resourceId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "firstSeenAt" TIMESTAMP(3) NOT NULL,
    "lastSeenAt" TIMESTAMP(3) NOT NULL,
    "sightings" INTEGER NOT NULL,
    "reapedAt" TIMESTAMP(3),
    "message" TEXT,

    CONSTRAINT "ReapCandidate_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "FleetKey" (
    "id" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "installationId" TEXT NOT NULL,
    "providerKeyId" TEXT NOT NULL,
    "publicKey" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "FleetKey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "IdleGap" (
    "id" TEXT NOT NULL,
    "pool" TEXT NOT NULL,
    "startedAt" TIMESTAMP(3) NOT NULL,
    "seconds" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "IdleGap_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "RateLimit" (
    "key" TEXT NOT NULL,
    "points" INTEGER NOT NULL,
    "expire" TIMESTAMP(3),

    CONSTRAINT "RateLimit_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE INDEX "FleetInstance_pool_phase_idx" ON "FleetInstance"("pool", "phase");

-- CreateIndex
CREATE INDEX "FleetInstance_providerId_idx" ON "FleetInstance"("providerId");

-- CreateIndex
CREATE INDEX "InstanceTransition_at_idx" ON "InstanceTransition"("at");

-- CreateIndex
CREATE UNIQUE INDEX "InstanceTransition_instanceName_position_key" ON "InstanceTransition"("instanceName", "position");

-- CreateIndex
CREATE UNIQUE INDEX "CreateIntent_hostname_key" ON "CreateIntent"("hostname");

-- CreateIndex
CREATE INDEX "CreateIntent_state_idx" ON "CreateIntent"("state");

-- CreateIndex
CREATE INDEX "CreateIntent_offerKey_createdAt_idx" ON "CreateIntent"("offerKey", "createdAt");

-- CreateIndex
CREATE INDEX "AvailabilitySample_provider_sampledAt_idx" ON "AvailabilitySample"("provider", "sampledAt");

-- CreateIndex
CREATE UNIQUE INDEX "ReapCandidate_provider_kind_resourceId_key" ON "ReapCandidate"("provider", "kind", "resourceId");

-- CreateIndex
CREATE UNIQUE INDEX "FleetKey_provider_installationId_key" ON "FleetKey"("provider", "installationId");

-- CreateIndex
CREATE INDEX "IdleGap_pool_startedAt_idx" ON "IdleGap"("pool", "startedAt");

-- AddForeignKey
ALTER TABLE "FleetInstance" ADD CONSTRAINT "FleetInstance_pool_fkey" FOREIGN KEY ("pool") REFERENCES "FleetPool"("name") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "InstanceTransition" ADD CONSTRAINT "InstanceTransition_instanceName_fkey" FOREIGN KEY ("instanceName") REFERENCES "FleetInstance"("name") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "CreateIntent" ADD CONSTRAINT "CreateIntent_instanceName_fkey" FOREIGN KEY ("instanceName") REFERENCES "FleetInstance"("name") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "InstanceServing" ADD CONSTRAINT "InstanceServing_instanceName_fkey" FOREIGN KEY ("instanceName") REFERENCES "FleetInstance"("name") ON DELETE RESTRICT ON UPDATE CASCADE;

-- History is written once.
CREATE TRIGGER instance_transition_immutable BEFORE UPDATE OR DELETE ON "InstanceTransition" FOR EACH ROW EXECUTE FUNCTION refuse_change();
