/** A scrape reads what goes on and what is new, and nothing of a long past: counted by Postgres itself, in rows. */
import { writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { SOURCES } from '../../../activities/metrics/sources.ts';
import { Scraper } from '../../../api/metrics/scrape.ts';
import { loadConfig, type Config } from '../../../platform/config.ts';
import { closeDatabase, createDatabase } from '../../../platform/db.ts';
import { createLogger } from '../../../platform/log.ts';
import { itWithDatabase as it, query } from '../../../testing/database.ts';
import { until } from '../../../testing/until.ts';
import { asksTemporal, NO_TEMPORAL } from '../alerts/rounds.ts';
import { seriesOf } from './exposition.ts';
import { FLEET, healthRows, ledgerRows, machineRows, noticeRows, reviewRows } from './installation.ts';
import { folderPerFile } from '../../../testing/per-file.ts';

const home = folderPerFile();
let config: Config;

/** A past of 90 to 150 days ago. Triggers are left out: nothing is changed later. */
const PAST = `
  set session_replication_role = replica;
  create temp table n as select i, now() at time zone 'utc' - interval '90 days' - i * interval '4 minutes' as at from generate_series(1, 20000) i;
  insert into "Deck" (id, "tenantId", sha256, "fileName", "sizeBytes") select 'd' || i, 'default', 'd' || i, 'd.pdf', 1 from n;
  insert into "Analysis" (id, "tenantId", "deckId", language, "modelProfile", "workflowId", status, "createdAt", "finishedAt")
    select 'a' || i, 'default', 'd' || i, 'en', 'reader', 'a' || i, 'completed', at - interval '5 minutes', at from n;
  insert into "ModelCall" (id, "tenantId", "analysisId", "contentKey", task, "gpuClass", priority, "expectedSeconds", state, "createdAt", "finishedAt")
    select 'c' || i || '-' || k, 'default', 'a' || i, 'c' || k, 'describe_slide', 'gpu-visual', 3, 15, 'stored', at, at from n, generate_series(1, 3) k;
  insert into "CallAttempt" (id, "tenantId", "analysisId", "deckId", "callId", "instanceName", task, "modelName", "gpuClass", priority, "startedAt", "endedAt", outcome)
    select 'c' || i || '-' || k, 'default', 'a' || i, 'd' || i, 'c' || i || '-' || k, 'old-' || i % 2000, 'describe_slide', 'eyes:1', 'gpu-visual', 3, at, at, 'stored'
      from n, generate_series(1, 3) k;
  insert into "FleetPool" (name, provider, selector, min, max) values ('old', 'datacrunch', 'cheapest', 0, 1);
  insert into "FleetInstance" (name, pool, provider, phase, "phaseSince", reason, "createdAt", "endedAt")
    select 'old-' || i, 'old', 'datacrunch', 'gone', at, 'over', at, at from n where i < 2000;
  insert into "InstanceTransition" (id, "instanceName", position, at, "fromPhase", "toPhase", reason)
    select 'old-' || i % 2000 || '/' || i, 'old-' || i % 2000, i, at, 'creating', 'booting', 'over' from n;
  insert into "CreateIntent" (id, "instanceName", hostname, "offerKey", "priceUsdPerHour", state, "createdAt")
    select 'old-' || i, 'old-' || i % 2000, 'h' || i, 'datacrunch/FIN-01/1H100.80S.30V/ondemand', 2, 'gone', at from n;
  insert into "HealthSample" (id, "instanceName", "gpuIndex", at, level) select 'h' || i, 'old-' || i % 2000, 0, at, 'healthy' from n;
  insert into "HealthTransition" (id, "instanceName", pool, at, "toLevel", reason, action)
    select 'h' || i, 'old-' || i % 2000, 'old', at, 'healthy', 'over', 'none' from n;
  insert into "InstanceHealth" ("instanceName", pool, level, since, reason) select 'old-' || i, 'old', 'healthy', at, 'over' from n where i < 2000;
  insert into "Rental" (id, provider, resource, "resourceId", "priceUsdPerHour", "quantumSec", "refundsUnused", "billedFrom", "settledUntil", "closedAt")
    select 'r' || i, 'datacrunch', 'instance', 'r' || i, 2, 600, true, at, at, at from n where i < 2000;
  insert into "LedgerEntry" (id, "rentalId", position, kind, "fromAt", "untilAt", "shareSeconds", "amountUsd", provider, "tenantId", "analysisId")
    select 'r' || i % 2000 || '/' || i, 'r' || i % 2000, i, 'busy', at, at, 1, 0.01, 'datacrunch', 'default', 'a' || i from n;
  insert into "Webhook" (id, "tenantId", url, secret) values ('old', 'default', 'http://127.0.0.1:9/', 'x');
  insert into "WebhookDelivery" (id, "tenantId", "webhookId", event, state, "createdAt") select 'w' || i, 'default', 'old', 'test', 'delivered', at from n;
  insert into "AlertRule" (id, title, metric, comparison, "raiseAt", "clearAt", severity, advice)
    values ('old', 'Old', 'backlog_age', 'above', 1, 1, 'warning', 'None.');
  insert into "Alert" (id, "ruleId", subject, severity, message, value, "raisedAt", "clearedAt", title, advice)
    select 'l' || i, 'old', '*', 'warning', 'old', 1, at, at, 'Old', 'None.' from n;
  analyze;`;
const BIG_TABLES = (
  'Analysis ModelCall CallAttempt FleetInstance InstanceTransition CreateIntent ' +
  'HealthSample HealthTransition InstanceHealth LedgerEntry WebhookDelivery Alert'
).split(' ');
/** What goes on in this test is less than a hundred rows; twenty statements may read some of them several times. */
const MOST_ROWS_READ = 300;

it.beforeAll(async ({ databaseUrl }) => {
  await query(databaseUrl, PAST);
  config = loadConfig({ ...loadConfig().environment, DECKHAND_HOME: home });
  writeFileSync(config.fleetFile, FLEET);
});

/** Rows that statements have read of each table: from the table itself, and entries of its indexes. */
async function rowsRead(databaseUrl: string): Promise<Map<string, number>> {
  const rows = await query<{ name: string; read: string }>(
    databaseUrl,
    `select t.relname as name, t.seq_tup_read + coalesce(t.idx_tup_fetch, 0) + coalesce(sum(i.idx_tup_read), 0) as read
       from pg_stat_user_tables t left join pg_stat_user_indexes i on i.relid = t.relid
      group by t.relname, t.seq_tup_read, t.idx_tup_fetch`,
  );
  return new Map(rows.map((row) => [row.name, Number(row.read)]));
}

it('a scrape reads a bounded number of rows beside tens of thousands', async ({ databaseUrl }) => {
  const read = () => rowsRead(databaseUrl);
  const now = Date.now();
  const db = createDatabase(databaseUrl);
  await machineRows(db, now);
  await healthRows(db, now);
  await ledgerRows(db, now, await reviewRows(db, now, 'one'));
  await noticeRows(db);
  await closeDatabase(db);
  // Counts of a session are there for others when it has ended.
  await until(read).is((rows) => (rows.get('WebhookDelivery') ?? 0) > 0);
  const before = await read();

  const scraping = createDatabase(databaseUrl, { poolSize: 1 });
  const sources = SOURCES.filter((source) => !asksTemporal(source));
  const log = createLogger('cheap-test', { logLevel: 'silent' });
  const series = seriesOf(await new Scraper({ db: scraping, config, log, temporal: NO_TEMPORAL }, sources).scrape());
  expect([...series].filter(([key, value]) => key.startsWith('deckhand_metrics_read') && value !== 1)).toEqual([]);
  expect(series.get('deckhand_target_value{target="cost_per_document_total",unit="usd"}')).toBeCloseTo(0.06, 9);
  await closeDatabase(scraping);
  const after = await until(read).is((rows) => (rows.get('FleetPool') ?? 0) > (before.get('FleetPool') ?? 0));

  const readNow = Object.fromEntries(
    BIG_TABLES.map((name) => [name, (after.get(name) ?? 0) - (before.get(name) ?? 0)]),
  );
  expect(Object.entries(readNow).filter(([, rows]) => rows > MOST_ROWS_READ)).toEqual([]);
  expect(Object.values(readNow).some((rows) => rows > 0)).toBe(true);
});
