-- CreateEnum
CREATE TYPE "Answering" AS ENUM ('high', 'some', 'doubtful');

-- CreateEnum
CREATE TYPE "AnsweringBy" AS ENUM ('reader', 'readings', 'people');

-- CreateEnum
CREATE TYPE "RereadState" AS ENUM ('agreed', 'withdrawn', 'not_read');

-- AlterTable
ALTER TABLE "Evidence" ADD COLUMN     "answering" "Answering",
ADD COLUMN     "answeringBy" "AnsweringBy",
ADD COLUMN     "citedSlide" INTEGER,
ADD COLUMN     "reread" "RereadState",
ADD COLUMN     "rereadReason" TEXT;
