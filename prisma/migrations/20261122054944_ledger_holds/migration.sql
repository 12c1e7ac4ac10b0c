-- AlterTable
ALTER TABLE "Rental" ADD COLUMN     "pauses" JSONB NOT NULL DEFAULT '[]';

-- Whose an entry was can only be taken away, and nothing else of it changes.
DROP TRIGGER ledger_entry_settled ON "LedgerEntry";
CREATE TRIGGER ledger_entry_settled BEFORE UPDATE ON "LedgerEntry" FOR EACH ROW WHEN (
  ROW(OLD."id", OLD."rentalId", OLD."position", OLD."kind", OLD."fromAt", OLD."untilAt", OLD."shareSeconds", OLD."amountUsd", OLD."currency",
      OLD."spotSavingUsd", OLD."provider", OLD."pool", OLD."instanceName", OLD."instanceType", OLD."location", OLD."market", OLD."tenantId", OLD."task")
    IS DISTINCT FROM
  ROW(NEW."id", NEW."rentalId", NEW."position", NEW."kind", NEW."fromAt", NEW."untilAt", NEW."shareSeconds", NEW."amountUsd", NEW."currency",
      NEW."spotSavingUsd", NEW."provider", NEW."pool", NEW."instanceName", NEW."instanceType", NEW."location", NEW."market", NEW."tenantId", NEW."task")
  OR NEW."deckId" <> OLD."deckId" OR (NEW."deckId" IS NOT NULL AND OLD."deckId" IS NULL)
  OR NEW."analysisId" <> OLD."analysisId" OR (NEW."analysisId" IS NOT NULL AND OLD."analysisId" IS NULL)
  OR NEW."callId" <> OLD."callId" OR (NEW."callId" IS NOT NULL AND OLD."callId" IS NULL)
  OR NEW."slideNumber" <> OLD."slideNumber" OR (NEW."slideNumber" IS NOT NULL AND OLD."slideNumber" IS NULL)
) EXECUTE FUNCTION refuse_change();

-- What is rented at which price was decided when it was first seen.
CREATE TRIGGER rental_kept BEFORE DELETE ON "Rental" FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER rental_frozen BEFORE UPDATE ON "Rental" FOR EACH ROW WHEN (
  ROW(OLD."id", OLD."provider", OLD."resource", OLD."resourceId", OLD."currency", OLD."priceUsdPerHour", OLD."onDemandUsdPerHour", OLD."quantumSec", OLD."refundsUnused")
    IS DISTINCT FROM
  ROW(NEW."id", NEW."provider", NEW."resource", NEW."resourceId", NEW."currency", NEW."priceUsdPerHour", NEW."onDemandUsdPerHour", NEW."quantumSec", NEW."refundsUnused")
) EXECUTE FUNCTION refuse_change();
