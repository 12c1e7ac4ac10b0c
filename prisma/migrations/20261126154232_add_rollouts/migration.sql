-- CreateEnum
CREATE TYPE "RolloutState" AS ENUM ('active', 'ended');

-- AlterTable
ALTER TABLE "Analysis" ADD COLUMN     "poolName" TEXT,
ADD COLUMN     "rolloutId" TEXT,
ADD COLUMN     "rolloutSide" TEXT;

-- CreateTable
CREATE TABLE "Rollout" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "profile" TEXT,
    "pool" TEXT,
    "percent" DOUBLE PRECISION NOT NULL,
    "tenants" TEXT[],
    "state" "RolloutState" NOT NULL,
    "startedBy" TEXT NOT NULL,
    "startedAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "changedBy" TEXT NOT NULL,
    "changedAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "endedBy" TEXT,
    "endedAt" TIMESTAMP(3),

    CONSTRAINT "Rollout_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "RolloutModel" (
    "rolloutId" TEXT NOT NULL,
    "task" TEXT NOT NULL,
    "modelName" TEXT NOT NULL,

    CONSTRAINT "RolloutModel_pkey" PRIMARY KEY ("rolloutId","task")
);

-- CreateIndex
CREATE UNIQUE INDEX "Rollout_name_key" ON "Rollout"("name");

-- CreateIndex
CREATE INDEX "Analysis_rolloutId_idx" ON "Analysis"("rolloutId");

-- AddForeignKey
ALTER TABLE "Analysis" ADD CONSTRAINT "Analysis_rolloutId_fkey" FOREIGN KEY ("rolloutId") REFERENCES "Rollout"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "RolloutModel" ADD CONSTRAINT "RolloutModel_rolloutId_fkey" FOREIGN KEY ("rolloutId") REFERENCES "Rollout"("id") ON DELETE CASCADE ON UPDATE CASCADE;
