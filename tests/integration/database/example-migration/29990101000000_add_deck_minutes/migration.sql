-- AlterTable
ALTER TABLE "Deck" ADD COLUMN     "readingMinutes" INTEGER;

-- Written by hand: decks that are there already get the value that new ones are written with.
UPDATE "Deck" SET "readingMinutes" = "pageCount" * 2 WHERE "pageCount" IS NOT NULL;
