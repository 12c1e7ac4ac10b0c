/**
 * `deckhand reap`: one round of the reaper now. What is ownerless at the provider goes at its second sighting.
 */
import type { Command } from 'commander';
import type { ReapReportDocument } from '../../api/client.ts';
import { loadConfig } from '../../platform/config.ts';
import { openApi } from '../open-api.ts';
import { createProgress } from '../progress.ts';
import { endOnSignal } from '../../platform/signals.ts';

interface ReapOptions {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** Adds the command. */
export function registerReap(program: Command): void {
  program
    .command('reap')
    .description('remove machines, disks, scripts and keys of this installation that nobody owns any more')
    .option('--dry-run', 'only say what would go')
    .option('--json', 'print one JSON document and nothing else on stdout')
    .action(async (options: ReapOptions) => {
      const config = loadConfig();
      const signal = endOnSignal();
      const progress = createProgress();
      const api = await openApi(config, { models: config.models, progress, signal });
      try {
        progress.update('Looking through the account');
        const report = await api.client.reap({ dryRun: options.dryRun === true }, signal);
        progress.end();
        if (options.json === true) console.log(JSON.stringify(report));
        else console.log(describeReport(report));
      } finally {
        progress.end();
        await api.end();
      }
    });
}

/** Said of a machine whose disks go too. */
const disksOf = (ids: readonly string[]): string =>
  ids.length === 0 ? '' : `; with ${ids.length === 1 ? 'disk' : 'disks'} ${ids.join(', ')}`;

/** The report for people: one line per thing, then what was left alone. */
function describeReport(report: ReapReportDocument): string {
  const line = (what: string, { kind, name, resourceId }: ReapReportDocument['quarantined'][number]['resource']) =>
    `${what.padEnd(12)}${kind.padEnd(10)}${name} (${resourceId})`;
  const gone = report.reaped.map((v) => {
    const what = report.dryRun ? 'would go' : v.removed ? 'removed' : 'refused';
    return `${line(what, v.resource)}: ${v.message ?? v.reason}${disksOf(v.disksToo)}`;
  });
  const waiting = report.quarantined.map((v) => `${line('quarantine', v.resource)}: ${v.reason}`);
  const lost = report.lost.map((l) => `${'lost'.padEnd(12)}${'instance'.padEnd(10)}${l.name}: ${l.reason}`);
  const rest = `${report.kept} of ours have an owner; ${report.foreign} of others were not looked at.`;
  const lines = [...gone, ...waiting, ...lost];
  return [...(lines.length === 0 ? ['Nothing is ownerless.'] : lines), rest].join('\n');
}
