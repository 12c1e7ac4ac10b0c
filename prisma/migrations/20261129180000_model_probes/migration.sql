-- CreateTable
CREATE TABLE "ModelProbe" (
    "digest" TEXT NOT NULL,
    "serverVersion" TEXT NOT NULL,
    "modelName" TEXT NOT NULL,
    "findings" JSONB NOT NULL,
    "windowTokens" INTEGER,
    "windowSince" TIMESTAMP(3) NOT NULL,
    "checkedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "ModelProbe_pkey" PRIMARY KEY ("digest","serverVersion")
);

-- CreateTable
CREATE TABLE "MachineSpeed" (
    "instanceName" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "modelName" TEXT NOT NULL,
    "readTokensPerSec" DOUBLE PRECISION NOT NULL,
    "writeTokensPerSec" DOUBLE PRECISION NOT NULL,
    "readFullTokensPerSec" DOUBLE PRECISION,
    "writeFullTokensPerSec" DOUBLE PRECISION,
    "slots" INTEGER,
    "samples" INTEGER NOT NULL DEFAULT 1,
    "measuredAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "MachineSpeed_pkey" PRIMARY KEY ("instanceName","digest")
);
