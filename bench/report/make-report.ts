/**
 * Makes one report, as the worker does, in a separate process, so that its memory can be measured. Arguments: database URL and month. Prints
 * one line of JSON.
 */
import { z } from 'zod';
import { makeCostReport } from '../../activities/costs/report/make.ts';
import { INSTALLATION_SCOPE } from '../../domain/costs/report/document.ts';
import { parsePeriod } from '../../domain/costs/report/period.ts';
import { closeDatabase, createDatabase } from '../../platform/db.ts';

const [databaseUrl, month] = z.tuple([z.string(), z.string()]).parse(process.argv.slice(2));
const db = createDatabase(databaseUrl, { applicationName: 'deckhand-bench' });
const startedMs = performance.now();
const now = Date.now();
const report = await makeCostReport(db, parsePeriod(month, 'Europe/Berlin', now), INSTALLATION_SCOPE, now);
const seconds = (performance.now() - startedMs) / 1000;
await closeDatabase(db);
// ru_maxrss is in KiB on Linux.
const peakMiB = process.resourceUsage().maxRSS / 1024;
console.log(
  JSON.stringify({
    seconds,
    peakMiB,
    documents: report.documents.count,
    totalUsd: report.totalUsd,
    documentKiB: JSON.stringify(report).length / 1024,
  }),
);
