-- AlterTable
ALTER TABLE "ModelConfiguration" DROP COLUMN "attemptTimeoutMs",
DROP COLUMN "idleTokenTimeoutMs";

-- AlterTable
ALTER TABLE "ModelCall" ADD COLUMN     "crashes" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "lostSends" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "openSend" TEXT,
ADD COLUMN     "sendFailure" TEXT,
ADD COLUMN     "sends" INTEGER NOT NULL DEFAULT 0;
