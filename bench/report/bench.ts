/**
 * `deckhand bench report`: time and memory of a monthly cost report over 10,000 analyses, with the ledger in a real Postgres and the report made
 * by the product's code in a separate process.
 */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { startPostgres } from '../../testing/postgres-server.ts';
import type { Figures } from '../figures.ts';
import { median } from '../pipeline/decks.ts';
import { seedMonths } from './seed.ts';

const ANALYSES = 10_000;
const CALLS_PER_ANALYSIS = 100;
const MONTH = '2026-10';
const DAYS_OF_MONTH = 31;
/** The month, the one before it, and a day around both: whole months whatever the time zone. */
const DAYS = 63;
const ROUNDS = 5;
const PROGRAM = path.join(import.meta.dirname, 'make-report.ts');

const resultSchema = z.object({
  seconds: z.number(),
  peakMiB: z.number(),
  documents: z.int(),
  totalUsd: z.string(),
  documentKiB: z.number(),
});

/** Runs the benchmark. */
export async function benchReport(figures: Figures, tell: (line: string) => void): Promise<void> {
  const postgres = await startPostgres();
  try {
    const databaseUrl = await postgres.migratedDatabase();
    // A report also reads the month before, so that one is as busy.
    tell(`writing two months of ${ANALYSES} analyses each, of ${CALLS_PER_ANALYSIS} calls, into a ledger`);
    const entries = await seedMonths(databaseUrl, {
      analyses: Math.ceil(ANALYSES * (DAYS / DAYS_OF_MONTH)),
      callsPerAnalysis: CALLS_PER_ANALYSIS,
      tenants: 20,
      rentals: 300,
      from: '2026-08-31',
      days: DAYS,
    });
    figures.add('entries of the ledger', entries, 'entries', '>= 2000000');
    tell(`making the report of ${MONTH}, ${ROUNDS} times`);
    const runs: z.infer<typeof resultSchema>[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, databaseUrl, MONTH]);
      runs.push(resultSchema.parse(JSON.parse(stdout)));
    }
    const seconds = runs.map((run) => run.seconds);
    figures.add(
      'documents in the report',
      Math.min(...runs.map((run) => run.documents)),
      'documents',
      `>= ${ANALYSES}`,
    );
    figures.add(`report made, median of ${ROUNDS}`, median(seconds), 's', '<= 5');
    figures.add(`report made, slowest of ${ROUNDS}`, Math.max(...seconds), 's', '<= 5');
    figures.add('peak memory of its process', Math.max(...runs.map((run) => run.peakMiB)), 'MiB', '<= 300');
    figures.add('size of the report', Math.max(...runs.map((run) => run.documentKiB)), 'KiB');
  } finally {
    await postgres.stop();
  }
}
