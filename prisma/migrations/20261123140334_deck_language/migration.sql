-- AlterTable
ALTER TABLE "Deck" ADD COLUMN     "language" TEXT;

-- AlterTable
ALTER TABLE "ModelConfiguration" ADD COLUMN     "languages" TEXT[] DEFAULT ARRAY[]::TEXT[];


-- The built-in reader has rules for two languages.
UPDATE "ModelConfiguration" SET "languages" = '{en,de}' WHERE "modelName" IN ('reader-text:1', 'reader-vision:1');
