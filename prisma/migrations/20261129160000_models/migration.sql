-- CreateEnum
CREATE TYPE "CatalogOwner" AS ENUM ('file', 'api');

-- AlterTable
ALTER TABLE "ModelConfiguration" ADD COLUMN     "isNeedKnown" BOOLEAN NOT NULL DEFAULT true;

-- CreateTable
CREATE TABLE "ModelServer" (
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "keyFile" TEXT,
    "parallel" INTEGER,
    "owner" "CatalogOwner" NOT NULL,
    "changedBy" TEXT NOT NULL,
    "changedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "ModelServer_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "ConfiguredModel" (
    "name" TEXT NOT NULL,
    "server" TEXT,
    "digest" TEXT,
    "window" INTEGER NOT NULL,
    "seesPictures" BOOLEAN NOT NULL,
    "languages" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "weightsGib" DOUBLE PRECISION,
    "kvCacheGibPerSlot" DOUBLE PRECISION,
    "loadTimeoutMs" INTEGER NOT NULL,
    "licence" TEXT,
    "owner" "CatalogOwner" NOT NULL,
    "changedBy" TEXT NOT NULL,
    "changedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "ConfiguredModel_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "ModelProfile" (
    "name" TEXT NOT NULL,
    "tenantId" TEXT,
    "reason" TEXT,
    "models" JSONB NOT NULL,
    "temperature" DOUBLE PRECISION,
    "topP" DOUBLE PRECISION NOT NULL,
    "pool" TEXT NOT NULL,
    "owner" "CatalogOwner" NOT NULL,
    "changedBy" TEXT NOT NULL,
    "changedAt" TIMESTAMP(3) NOT NULL,
    "removedAt" TIMESTAMP(3),

    CONSTRAINT "ModelProfile_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "ModelChoice" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "profile" TEXT NOT NULL,
    "changedBy" TEXT NOT NULL,
    "changedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "ModelChoice_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "ModelProfile_pool_key" ON "ModelProfile"("pool");
