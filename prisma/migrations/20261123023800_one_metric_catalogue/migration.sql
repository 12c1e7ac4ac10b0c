-- Alert rules and Prometheus use one set of metric names. The balance of an account is in seconds, as every other length of time.
UPDATE "Alert" SET "value" = "value" * 3600 WHERE "ruleId" IN (SELECT id FROM "AlertRule" WHERE "metric" = 'account_hours');
UPDATE "AlertCondition" SET "value" = "value" * 3600 WHERE "ruleId" IN (SELECT id FROM "AlertRule" WHERE "metric" = 'account_hours');
UPDATE "AlertRule" SET "raiseAt" = "raiseAt" * 3600, "clearAt" = "clearAt" * 3600, "metric" = 'account_seconds' WHERE "metric" = 'account_hours';
UPDATE "AlertRule" SET "metric" = 'orphans_found' WHERE "metric" = 'orphan_count';
UPDATE "AlertRule" SET "metric" = 'deckhand_ledger_lag_seconds' WHERE "metric" = 'ledger_lag_seconds';
