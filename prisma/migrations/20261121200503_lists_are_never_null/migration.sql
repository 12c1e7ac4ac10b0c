-- AlterTable
ALTER TABLE "ModelCall" ALTER COLUMN "computedWithout" SET DEFAULT ARRAY[]::INTEGER[];

-- Rows from before the column existed: a list that is NULL is passed over by every question about what it holds.
UPDATE "ModelCall" SET "computedWithout" = ARRAY[]::INTEGER[] WHERE "computedWithout" IS NULL;
