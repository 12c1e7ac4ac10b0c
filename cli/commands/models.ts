/**
 * `deckhand models`: which model answers which task and the digest it is pinned to; `--pin` accepts what the host holds now.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import type { DeckhandClient } from '../../api/client.ts';
import { DeckhandError } from '../../domain/errors.ts';
import { loadConfig, type ModelSource } from '../../platform/config.ts';
import { askApi } from '../api/open.ts';
import { JSON_HELP, printResult } from '../terminal/output.ts';
import { table } from '../terminal/table.ts';
import { modelsOption } from './up.ts';

interface ModelsOptions {
  readonly models?: ModelSource;
  readonly pin?: boolean;
  readonly json?: boolean;
}

/** The gateway looks at its hosts every few seconds. */
const PIN_LIMIT_MS = 60_000;
const LOOK_INTERVAL_MS = 300;

export function registerModels(program: Command): void {
  program
    .command('models')
    .description('show which model answers which task; --pin accepts the versions on the host')
    .addOption(modelsOption())
    .option('--pin', 'pin the digests of the models on the host')
    .option('--json', JSON_HELP)
    .action(async (options: ModelsOptions) => {
      const models = options.models ?? loadConfig().models;
      const items = await askApi(
        'Reading the models',
        async (client, signal, progress, api) => {
          if (options.pin === true) {
            progress.update(`Pinning the models of ${api.modelHost}`);
            await client.DELETE('/models/{profile}/pins', { params: { path: { profile: models } }, signal });
            await untilPinned(client, models, api.modelHost, signal);
          }
          const list = await client.GET('/models', { signal });
          return list.items.filter((i) => i.profile === models);
        },
        { models, mayRent: true },
      );
      const rows = items.map((i) => [i.task, i.model, i.pinnedDigest?.slice(0, 12) ?? 'not pinned yet']);
      printResult(options, { profile: models, items }, () => table(rows, { head: ['TASK', 'MODEL', 'DIGEST'] }));
    });
}

async function untilPinned(
  client: DeckhandClient,
  profile: ModelSource,
  host: string,
  signal: AbortSignal,
): Promise<void> {
  const giveUpAtMs = Date.now() + PIN_LIMIT_MS;
  for (;;) {
    const { items } = await client.GET('/models', { signal });
    const open = items.filter((i) => i.profile === profile && i.pinnedDigest === null);
    if (open.length === 0) return;
    if (Date.now() > giveUpAtMs) {
      const names = [...new Set(open.map((i) => i.model))].join(', ');
      throw new DeckhandError('model_not_ready', `${host} does not hold ${names}`, {
        hint: `Pull what is missing: ollama pull ${open[0]?.model ?? ''}`,
      });
    }
    await delay(LOOK_INTERVAL_MS, undefined, { signal });
  }
}
