/**
 * `deckhand targets` and `deckhand performance`: whether a period met the targets, and how model calls did over time.
 */
import { type Command, Option } from 'commander';
import {
  PERFORMANCE_BUCKETS,
  PERFORMANCE_BY,
  type PerformanceBucket,
  type PerformanceBy,
} from '../../domain/metrics/performance.ts';
import { askApi } from '../api/open.ts';
import { performanceTable, targetTable } from '../targets/table.ts';
import { JSON_HELP, printResult } from '../terminal/output.ts';

interface PeriodOptions {
  readonly period: string;
  readonly json?: boolean;
}

interface PerformanceOptions extends PeriodOptions {
  readonly by: PerformanceBy;
  readonly bucket: PerformanceBucket;
}

const PERIOD = 'yesterday, this-month, last-month, 2026-11, 2026-W47, 2026-11-22, 2026-11-01/2026-11-15, 24h, 30d';

/** Adds the two commands. */
export function registerTargets(program: Command): void {
  const sub = (name: string, description: string): Command =>
    program
      .command(name)
      .description(description)
      .option('--period <period>', PERIOD, '30d')
      .option('--json', JSON_HELP);

  sub('targets', 'show which targets a period met; exit code 1 when one was not met').action(
    async ({ period, json }: PeriodOptions) => {
      const list = await askApi('Reading the targets', (client, signal) =>
        client.GET('/targets', { params: { query: { period } }, signal }),
      );
      if (list.items.some(({ state }) => state === 'not_met')) process.exitCode = 1;
      printResult({ json }, list, () => targetTable(list));
    },
  );

  sub('performance', 'show how long model calls took and how many failed, over time')
    .addOption(new Option('--by <what>', 'how calls are grouped').choices(PERFORMANCE_BY).default('stage'))
    .addOption(new Option('--bucket <time>', 'how long each step is').choices(PERFORMANCE_BUCKETS).default('day'))
    .action(async ({ period, by, bucket, json }: PerformanceOptions) => {
      const document = await askApi('Reading the calls', (client, signal) =>
        client.GET('/performance', { params: { query: { period, by, bucket } }, signal }),
      );
      printResult({ json }, document, () => performanceTable(document));
    });
}
