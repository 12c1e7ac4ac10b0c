/** `deckhand models apply FILE`: adds or changes the servers, models and profiles of a file in the form of `models.json`. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { namedModels } from '../../domain/models/catalog/catalog.ts';
import { readEntries } from '../../platform/models-file.ts';
import { askApi } from '../api/open.ts';
import { type JsonOption, printResult, printingCommand } from '../terminal/output.ts';

/** Registers `apply` below `models`. */
export function registerModelsApply(models: Command): void {
  printingCommand(models, 'apply <file>', 'add or change the servers, models and profiles of a file like models.json')
    .option('--tenant', 'profiles of the tenant of the key alone')
    .action(async (file: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<JsonOption & { readonly tenant?: boolean }>();
      const entries = readEntries(resolve(file));
      const { servers, models: ofModels, profiles } = entries;
      // In this order: models name servers, profiles name models.
      await askApi('Writing the models', async (client, signal) => {
        for (const { name, ...body } of servers)
          await client.PUT('/models/servers/{name}', { params: { path: { name } }, body, signal });
        for (const body of ofModels) await client.PUT('/models/entries', { body, signal });
        for (const { name, ...profile } of profiles) {
          const body = { ...profile, models: namedModels(profile), ofTenant: options.tenant === true };
          await client.PUT('/models/profiles/{name}', { params: { path: { name } }, body, signal });
        }
      });
      printResult(options, entries, () =>
        [...servers, ...ofModels, ...profiles].map(({ name }) => `${name} is written.`).join('\n'),
      );
    });
}
