/**
 * `deckhand down`: ends the runtime of this data directory, whoever started it.
 */
import type { Command } from 'commander';
import { loadConfig } from '../../platform/config.ts';
import { readControlFile } from '../../platform/runtime-info.ts';
import { runningApiUrl } from '../../platform/runtime-info.ts';
import { tellOfStillRented } from '../fleet/still-rented.ts';

export function registerDown(program: Command): void {
  program
    .command('down')
    .description('end what `up --keep` or `analyze --keep` left running')
    .action(async () => {
      const { stopRunningRuntime } = await import('../../runtime/runtime.ts');
      const config = loadConfig();
      if (readControlFile(config.home) !== undefined)
        await tellOfStillRented(config, () => runningApiUrl({ ...config, apiUrl: undefined }));
      const stopped = await stopRunningRuntime(config);
      console.error(stopped ? 'Ended.' : `Nothing runs on ${config.home}.`);
    });
}
