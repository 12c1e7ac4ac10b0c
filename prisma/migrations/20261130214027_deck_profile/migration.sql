-- AlterTable
ALTER TABLE "Evidence" ADD COLUMN     "profileFactId" TEXT;

-- CreateTable
CREATE TABLE "DeckProfile" (
    "id" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "analysisId" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "documentKind" TEXT,
    "unanswered" TEXT[],
    "reason" TEXT,
    "modelResultId" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "DeckProfile_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ProfileFact" (
    "id" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "profileId" TEXT NOT NULL,
    "topic" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "amount" DECIMAL(20,2),
    "minAmount" DECIMAL(20,2),
    "currency" TEXT,
    "percent" DOUBLE PRECISION,
    "isPlan" BOOLEAN NOT NULL DEFAULT false,
    "isAbsent" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "ProfileFact_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "DeckProfile_analysisId_key" ON "DeckProfile"("analysisId");

-- CreateIndex
CREATE INDEX "DeckProfile_tenantId_idx" ON "DeckProfile"("tenantId");

-- CreateIndex
CREATE INDEX "ProfileFact_tenantId_idx" ON "ProfileFact"("tenantId");

-- CreateIndex
CREATE UNIQUE INDEX "ProfileFact_profileId_topic_position_key" ON "ProfileFact"("profileId", "topic", "position");

-- CreateIndex
CREATE INDEX "Evidence_profileFactId_idx" ON "Evidence"("profileFactId");

-- AddForeignKey
ALTER TABLE "DeckProfile" ADD CONSTRAINT "DeckProfile_analysisId_fkey" FOREIGN KEY ("analysisId") REFERENCES "Analysis"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "DeckProfile" ADD CONSTRAINT "DeckProfile_modelResultId_fkey" FOREIGN KEY ("modelResultId") REFERENCES "ModelResult"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ProfileFact" ADD CONSTRAINT "ProfileFact_profileId_fkey" FOREIGN KEY ("profileId") REFERENCES "DeckProfile"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Evidence" ADD CONSTRAINT "Evidence_profileFactId_fkey" FOREIGN KEY ("profileFactId") REFERENCES "ProfileFact"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What a Prisma schema cannot say follows, written by hand.

-- A quote belongs to exactly one claim.
ALTER TABLE "Evidence" DROP CONSTRAINT "Evidence_one_owner";
ALTER TABLE "Evidence" ADD CONSTRAINT "Evidence_one_owner" CHECK (num_nonnulls("extractionId", "answerId", "specialisedId", "profileFactId") = 1);

-- The list of decks shows facts of profiles.
CREATE OR REPLACE FUNCTION note_deck_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'Deck' THEN
    INSERT INTO "DeckChange" ("deckId", "tenantId") SELECT DISTINCT "id", "tenantId" FROM changed;
  ELSIF TG_TABLE_NAME = 'Company' THEN
    INSERT INTO "DeckChange" ("deckId", "tenantId")
      SELECT DISTINCT d."id", d."tenantId" FROM "Deck" d JOIN changed c ON d."companyId" = c."id";
  ELSIF TG_TABLE_NAME IN ('Extraction', 'Classification', 'DeckProfile', 'Gap') THEN
    INSERT INTO "DeckChange" ("deckId", "tenantId")
      SELECT DISTINCT a."deckId", a."tenantId" FROM "Analysis" a JOIN changed c ON a."id" = c."analysisId";
  ELSE
    INSERT INTO "DeckChange" ("deckId", "tenantId")
      SELECT DISTINCT d."id", d."tenantId" FROM "Deck" d JOIN changed c ON d."id" = c."deckId";
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER profile_added AFTER INSERT ON "DeckProfile"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_deck_changes();
CREATE TRIGGER profile_changed AFTER UPDATE ON "DeckProfile"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_deck_changes();
