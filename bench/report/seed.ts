/**
 * Writes the ledger of a busy installation, by SQL: 10,000 analyses a month of 100 model calls each on a few hundred machines, with boots,
 * loads, idle time and disks.
 */
import pg from 'pg';

/** Size of the data. */
interface Months {
  readonly analyses: number;
  readonly callsPerAnalysis: number;
  readonly tenants: number;
  readonly rentals: number;
  /** First instant, ISO 8601. */
  readonly from: string;
  readonly days: number;
}

/** Entries of an analysis beside its calls: its shares of boots, loads and waiting. */
const SHARES_PER_ANALYSIS = 12;
/** Entries of a rental without an owner. */
const OWN_PER_RENTAL = 40;

/** Writes the data. Returns the number of ledger entries. */
export async function seedMonths(databaseUrl: string, months: Months): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (const sql of statements(months)) await client.query(sql);
    const { rows } = await client.query<{ count: number }>('SELECT count(*)::int AS count FROM "LedgerEntry"');
    return rows[0]?.count ?? 0;
  } finally {
    await client.end();
  }
}

function statements({ analyses, callsPerAnalysis, tenants, rentals, from, days }: Months): string[] {
  const start = `timestamp '${from}'`;
  const tasks = `(ARRAY['describe_slide', 'slide_feedback', 'answer_question', 'score_answer', 'extract_value', 'classify_sector'])`;
  const entries = `INSERT INTO "LedgerEntry" (id, "rentalId", position, kind, "fromAt", "untilAt", "shareSeconds", "amountUsd", "spotSavingUsd",
    provider, pool, "instanceName", "instanceType", location, market, "tenantId", "deckId", "analysisId", task, "slideNumber", "callId")`;
  // Analyses begin spread over the days and take a quarter of an hour; a machine's market is decided by its number.
  const began = `${start} + (i * interval '${days} days' / ${analyses})`;
  const machine = `i % ${rentals}`;
  const onMachine = `'bench', 'gpu', 'gpu-' || ${machine}, CASE WHEN (${machine}) % 3 = 0 THEN '1H100.80S.30V' ELSE '1A100.22V' END, 'FIN-01',
    CASE WHEN (${machine}) % 4 = 0 THEN 'spot' ELSE 'on-demand' END`;
  const whose = `'tenant-' || i % ${tenants}, 'deck-' || i, 'analysis-' || i`;
  return [
    `INSERT INTO "Tenant" (id, name) SELECT 'tenant-' || i, 'Tenant ' || i FROM generate_series(0, ${tenants - 1}) AS i`,
    `INSERT INTO "Deck" (id, "tenantId", sha256, "fileName", "sizeBytes", hazards)
     SELECT 'deck-' || i, 'tenant-' || i % ${tenants}, lpad(to_hex(i), 64, '0'), 'deck ' || i || '.pdf', 1000000, '{}'
     FROM generate_series(0, ${analyses - 1}) AS i`,
    `INSERT INTO "Analysis" (id, "tenantId", "deckId", language, "modelProfile", "workflowId", "replayItems", status, "createdAt")
     SELECT 'analysis-' || i, 'tenant-' || i % ${tenants}, 'deck-' || i, 'en', 'ollama', 'deck/analysis-' || i, '{}', 'completed', ${began}
     FROM generate_series(0, ${analyses - 1}) AS i`,
    `INSERT INTO "Rental" (id, provider, resource, "resourceId", "instanceName", pool, location, "instanceType", market, "priceUsdPerHour",
       "onDemandUsdPerHour", "quantumSec", "refundsUnused", "billedFrom", "billedUntil", "settledUntil", "closedAt")
     SELECT 'bench/instance/' || i, 'bench', 'instance', i::text, 'gpu-' || i, 'gpu', 'FIN-01', '1H100.80S.30V', 'on-demand', 2.5, 2.5, 600, true,
       ${start} + (i * interval '${days} days' / ${rentals}), ${start} + ((i + 1.5) * interval '${days} days' / ${rentals}),
       ${start} + interval '${days} days', ${start} + interval '${days} days'
     FROM generate_series(0, ${rentals - 1}) AS i`,
    `INSERT INTO "BalanceSample" (id, provider, amount, currency, "sampledAt")
     SELECT 'sample-' || i, 'bench', 100000 - i * 0.05, 'USD', ${start} + i * interval '15 minutes' FROM generate_series(0, ${days * 96}) AS i`,
    `${entries}
     SELECT 'bench/instance/' || ${machine} || '/c' || i || '-' || c, 'bench/instance/' || ${machine}, i * ${callsPerAnalysis} + c, 'busy',
       ${began} + c * interval '8 seconds', ${began} + (c + 1) * interval '8 seconds', 8 + c % 5, 0.001 * (1 + c % 7) + 0.000000001 * i,
       CASE WHEN (${machine}) % 4 = 0 THEN 0.0005 ELSE 0 END, ${onMachine}, ${whose},
       ${tasks}[1 + c % 6], c, 'call-' || i || '-' || c
     FROM generate_series(0, ${analyses - 1}) AS i, generate_series(0, ${callsPerAnalysis - 1}) AS c`,
    `${entries}
     SELECT 'bench/instance/' || ${machine} || '/s' || i || '-' || s, 'bench/instance/' || ${machine},
       100000000 + i * ${SHARES_PER_ANALYSIS} + s, (ARRAY['boot', 'load', 'idle'])[1 + s % 3],
       ${began}, ${began} + interval '5 minutes', 12.5, 0.000712345, 0, ${onMachine}, ${whose}, ${tasks}[1 + s % 6], NULL, NULL
     FROM generate_series(0, ${analyses - 1}) AS i, generate_series(0, ${SHARES_PER_ANALYSIS - 1}) AS s`,
    `${entries}
     SELECT 'bench/instance/' || i || '/n' || s, 'bench/instance/' || i, 200000000 + s, (ARRAY['idle', 'storage', 'failed', 'boot'])[1 + s % 4],
       ${start} + (i * interval '${days} days' / ${rentals}) + s * interval '5 minutes',
       ${start} + (i * interval '${days} days' / ${rentals}) + (s + 1) * interval '5 minutes', 300, 0.208333333, 0, ${onMachine},
       NULL, NULL, NULL, NULL, NULL, NULL
     FROM generate_series(0, ${rentals - 1}) AS i, generate_series(0, ${OWN_PER_RENTAL - 1}) AS s`,
    'VACUUM ANALYZE',
  ];
}
