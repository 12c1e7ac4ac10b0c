-- AlterTable
ALTER TABLE "Deck" ADD COLUMN     "companyBy" TEXT,
ADD COLUMN     "companyId" TEXT,
ADD COLUMN     "uploadedBy" TEXT;

-- CreateTable
CREATE TABLE "Company" (
    "id" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Company_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "CompanyKey" (
    "tenantId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "companyId" TEXT NOT NULL,

    CONSTRAINT "CompanyKey_pkey" PRIMARY KEY ("tenantId","kind","value")
);

-- CreateTable
CREATE TABLE "HumanVerdict" (
    "id" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "deckId" TEXT NOT NULL,
    "sequence" SERIAL NOT NULL,
    "analysisId" TEXT,
    "kind" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "item" TEXT NOT NULL DEFAULT '',
    "text" TEXT,
    "amount" DECIMAL(20,2),
    "currency" TEXT,
    "isoDate" TEXT,
    "score" INTEGER,
    "reason" TEXT,
    "machineText" TEXT,
    "machineScore" INTEGER,
    "authorKeyId" TEXT,
    "authorName" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "HumanVerdict_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SavedView" (
    "id" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "query" TEXT NOT NULL,
    "createdBy" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "SavedView_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SignInLink" (
    "tokenSha256" TEXT NOT NULL,
    "apiKeyId" TEXT NOT NULL,
    "next" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "SignInLink_pkey" PRIMARY KEY ("tokenSha256")
);

-- CreateTable
CREATE TABLE "DeckEntry" (
    "deckId" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "version" BIGINT NOT NULL,
    "fileName" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "deletingAt" TIMESTAMP(3),
    "pageCount" INTEGER,
    "companyId" TEXT,
    "company" TEXT,
    "offering" TEXT,
    "sector" TEXT,
    "askAmount" DECIMAL(20,2),
    "askCurrency" TEXT,
    "askText" TEXT,
    "deckDate" TEXT,
    "analysisId" TEXT,
    "status" TEXT NOT NULL,
    "stage" TEXT,
    "priority" INTEGER,
    "pausedAt" TIMESTAMP(3),
    "startedAt" TIMESTAMP(3),
    "finishedAt" TIMESTAMP(3),
    "failureCode" TEXT,
    "failureMessage" TEXT,
    "language" TEXT,
    "engineKind" TEXT,
    "resultAnalysisId" TEXT,
    "score" DOUBLE PRECISION,
    "machineScore" DOUBLE PRECISION,
    "coverage" DOUBLE PRECISION,
    "quotes" INTEGER NOT NULL DEFAULT 0,
    "verifiedQuotes" INTEGER NOT NULL DEFAULT 0,
    "verifiedShare" DOUBLE PRECISION,
    "gaps" INTEGER NOT NULL DEFAULT 0,
    "costUsd" DECIMAL(18,9),
    "owner" TEXT,
    "assignee" TEXT,
    "decision" TEXT,
    "tags" TEXT[],
    "notes" INTEGER NOT NULL DEFAULT 0,
    "attention" TEXT[],
    "search" tsvector,
    "updatedAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "DeckEntry_pkey" PRIMARY KEY ("deckId")
);

-- CreateTable
CREATE TABLE "DeckChange" (
    "id" BIGSERIAL NOT NULL,
    "deckId" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,

    CONSTRAINT "DeckChange_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "Company_tenantId_name_idx" ON "Company"("tenantId", "name");

-- CreateIndex
CREATE INDEX "CompanyKey_companyId_idx" ON "CompanyKey"("companyId");

-- CreateIndex
CREATE INDEX "HumanVerdict_deckId_sequence_idx" ON "HumanVerdict"("deckId", "sequence");

-- CreateIndex
CREATE INDEX "HumanVerdict_tenantId_kind_sequence_idx" ON "HumanVerdict"("tenantId", "kind", "sequence");

-- CreateIndex
CREATE UNIQUE INDEX "SavedView_tenantId_name_key" ON "SavedView"("tenantId", "name");

-- CreateIndex
CREATE INDEX "SignInLink_expiresAt_idx" ON "SignInLink"("expiresAt");

-- CreateIndex
CREATE INDEX "DeckEntry_tenantId_version_idx" ON "DeckEntry"("tenantId", "version");

-- CreateIndex
CREATE INDEX "DeckEntry_tenantId_createdAt_deckId_idx" ON "DeckEntry"("tenantId", "createdAt", "deckId");

-- CreateIndex
CREATE INDEX "DeckEntry_tenantId_company_deckId_idx" ON "DeckEntry"("tenantId", "company", "deckId");

-- CreateIndex
CREATE INDEX "DeckEntry_tenantId_sector_deckId_idx" ON "DeckEntry"("tenantId", "sector", "deckId");

-- CreateIndex
CREATE INDEX "DeckEntry_tenantId_score_deckId_idx" ON "DeckEntry"("tenantId", "score", "deckId");

-- CreateIndex
CREATE INDEX "DeckEntry_tenantId_coverage_deckId_idx" ON "DeckEntry"("tenantId", "coverage", "deckId");

-- CreateIndex
CREATE INDEX "DeckEntry_tenantId_verifiedShare_deckId_idx" ON "DeckEntry"("tenantId", "verifiedShare", "deckId");

-- CreateIndex
CREATE INDEX "DeckEntry_tenantId_askAmount_deckId_idx" ON "DeckEntry"("tenantId", "askAmount", "deckId");

-- CreateIndex
CREATE INDEX "DeckEntry_tenantId_costUsd_deckId_idx" ON "DeckEntry"("tenantId", "costUsd", "deckId");

-- CreateIndex
CREATE INDEX "DeckEntry_tenantId_deckDate_deckId_idx" ON "DeckEntry"("tenantId", "deckDate", "deckId");

-- CreateIndex
CREATE INDEX "DeckEntry_tenantId_status_deckId_idx" ON "DeckEntry"("tenantId", "status", "deckId");

-- CreateIndex
CREATE INDEX "DeckEntry_search_idx" ON "DeckEntry" USING GIN ("search");

-- CreateIndex
CREATE INDEX "DeckChange_tenantId_idx" ON "DeckChange"("tenantId");

-- CreateIndex
CREATE INDEX "Deck_companyId_idx" ON "Deck"("companyId");

-- AddForeignKey
ALTER TABLE "Deck" ADD CONSTRAINT "Deck_companyId_fkey" FOREIGN KEY ("companyId") REFERENCES "Company"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "CompanyKey" ADD CONSTRAINT "CompanyKey_companyId_fkey" FOREIGN KEY ("companyId") REFERENCES "Company"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "HumanVerdict" ADD CONSTRAINT "HumanVerdict_deckId_fkey" FOREIGN KEY ("deckId") REFERENCES "Deck"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SignInLink" ADD CONSTRAINT "SignInLink_apiKeyId_fkey" FOREIGN KEY ("apiKeyId") REFERENCES "ApiKey"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "DeckEntry" ADD CONSTRAINT "DeckEntry_deckId_fkey" FOREIGN KEY ("deckId") REFERENCES "Deck"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Order of the changes of entries.
CREATE SEQUENCE deck_entry_version;

-- Words that decks are found by. A hyphen, a dot or an underscore ends a word, as it does in what people type, so that no compound is a word.
-- What is not ASCII is brought into one form, loses soft hyphens and characters without width, and is cut at punctuation and symbols of
-- Unicode: what the parser takes for a letter depends on the locale of the database.
CREATE FUNCTION deck_words(words text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT to_tsvector('simple'::regconfig, regexp_replace(
    CASE WHEN octet_length(words) = length(words) THEN words ELSE
      regexp_replace(
        regexp_replace(normalize(words, NFKC), U&'[\00AD\200B-\200D\FEFF]+', '', 'g'),
        U&'[\0080-\00BF\00D7\00F7\2000-\206F\20A0-\20CF\2190-\2BFF\2E00-\2E7F\3000-\3004\3008-\3020\3030\E000-\F8FF\FFF9-\FFFD\+01F000-\+01FAFF]+',
        ' ', 'g')
    END,
    '[!-/:-@[-`{-~]+', ' ', 'g'))
$$;

-- Decks of a tenant that a search finds. By the index always: the planner does not know that reading the words of each deck in turn takes
-- twenty times as long.
CREATE FUNCTION deck_search(tenant text, query tsquery) RETURNS SETOF text LANGUAGE sql STABLE
  SET enable_seqscan = off SET enable_indexscan = off AS $$
  WITH found AS MATERIALIZED (SELECT "deckId", "tenantId" FROM "DeckEntry" WHERE "search" @@ query)
  SELECT "deckId" FROM found WHERE "tenantId" = tenant
$$;

-- Every change of what a deck's entry is made of leaves a row in "DeckChange".
CREATE FUNCTION note_deck_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'Deck' THEN
    INSERT INTO "DeckChange" ("deckId", "tenantId") SELECT DISTINCT "id", "tenantId" FROM changed;
  ELSIF TG_TABLE_NAME = 'Company' THEN
    INSERT INTO "DeckChange" ("deckId", "tenantId")
      SELECT DISTINCT d."id", d."tenantId" FROM "Deck" d JOIN changed c ON d."companyId" = c."id";
  ELSIF TG_TABLE_NAME IN ('Extraction', 'Classification', 'Gap') THEN
    INSERT INTO "DeckChange" ("deckId", "tenantId")
      SELECT DISTINCT a."deckId", a."tenantId" FROM "Analysis" a JOIN changed c ON a."id" = c."analysisId";
  ELSE
    INSERT INTO "DeckChange" ("deckId", "tenantId")
      SELECT DISTINCT d."id", d."tenantId" FROM "Deck" d JOIN changed c ON d."id" = c."deckId";
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER deck_added AFTER INSERT ON "Deck"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_deck_changes();
CREATE TRIGGER deck_changed AFTER UPDATE ON "Deck"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_deck_changes();
CREATE TRIGGER analysis_added AFTER INSERT ON "Analysis"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_deck_changes();
CREATE TRIGGER analysis_changed AFTER UPDATE ON "Analysis"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_deck_changes();
CREATE TRIGGER analysis_removed AFTER DELETE ON "Analysis"
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_deck_changes();
CREATE TRIGGER verdict_added AFTER INSERT ON "HumanVerdict"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_deck_changes();
CREATE TRIGGER cost_added AFTER INSERT ON "LedgerEntry"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_deck_changes();
CREATE TRIGGER company_changed AFTER UPDATE ON "Company"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_deck_changes();
CREATE TRIGGER value_added AFTER INSERT ON "Extraction"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_deck_changes();
CREATE TRIGGER value_changed AFTER UPDATE ON "Extraction"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_deck_changes();
CREATE TRIGGER sector_added AFTER INSERT ON "Classification"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_deck_changes();
CREATE TRIGGER sector_changed AFTER UPDATE ON "Classification"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_deck_changes();
CREATE TRIGGER gap_added AFTER INSERT ON "Gap"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_deck_changes();
CREATE TRIGGER gap_changed AFTER UPDATE ON "Gap"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_deck_changes();
CREATE TRIGGER gap_removed AFTER DELETE ON "Gap"
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_deck_changes();

-- Decks that are there already get their entries.
INSERT INTO "DeckChange" ("deckId", "tenantId") SELECT "id", "tenantId" FROM "Deck";
