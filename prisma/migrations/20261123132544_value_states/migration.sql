-- AlterTable
ALTER TABLE "Answer" ADD COLUMN     "state" TEXT;

-- AlterTable
ALTER TABLE "SpecialisedAnalysis" ADD COLUMN     "state" TEXT;


-- "Not stated" was said of what an engine merely did not find, and "skipped" of decks in which nothing could be read.
UPDATE "Extraction" SET "status" = CASE "status" WHEN 'stated' THEN 'found' ELSE 'not_found' END
  WHERE "status" IN ('stated', 'not_stated');
UPDATE "Answer" SET "state" = CASE "covered" WHEN 'no' THEN 'not_found' ELSE 'found' END WHERE "covered" IS NOT NULL;
UPDATE "Answer" SET "covered" = NULL WHERE "covered" = 'no';
UPDATE "SpecialisedAnalysis" SET "state" = CASE "covered" WHEN 'no' THEN 'not_found' ELSE 'found' END
  WHERE "covered" IS NOT NULL;
UPDATE "SpecialisedAnalysis" SET "covered" = NULL WHERE "covered" = 'no';
UPDATE "Extraction" SET "status" = 'unreadable'
  WHERE "status" = 'skipped' AND "reason" = 'no slide of this deck could be read';
UPDATE "Classification" SET "status" = 'unreadable'
  WHERE "status" = 'skipped' AND "reason" = 'no slide of this deck could be read';
UPDATE "Answer" SET "status" = 'unreadable'
  WHERE "status" = 'skipped' AND "reason" = 'no slide of this deck could be read';
UPDATE "SpecialisedAnalysis" SET "status" = 'unreadable'
  WHERE "status" = 'skipped' AND "reason" = 'no slide of this deck could be read';
