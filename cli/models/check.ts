/** `deckhand models check`: what the readiness checks found out about models, and how fast each machine is with them. */
import type { Command } from 'commander';
import type { ProbesDocument } from '../../api/models/schemas.ts';
import { askApi } from '../api/open.ts';
import { type JsonOption, printResult, printingCommand } from '../terminal/output.ts';
import { clean } from '../terminal/style.ts';
import { table } from '../terminal/table.ts';
import { shownDigest } from '../../domain/models/identity.ts';

/** Registers `check` below `models`. */
export function registerModelsCheck(models: Command): void {
  printingCommand(models, 'check [model]', 'show what models can do and how fast machines are with them').action(
    async (model: string | undefined, _: JsonOption, command: Command) => {
      const probes = await askApi('Reading what was found out', (client, signal) =>
        client.GET('/models/probes', { params: { query: { model } }, signal }),
      );
      printResult(command.optsWithGlobals<JsonOption>(), probes, () => renderProbes(probes));
    },
  );
}

const NOTHING =
  'Nothing is known yet. It is found out when a machine with the model passes its readiness check; the built-in reader needs none.';

/** A table for each model, and one of all machines. */
export function renderProbes({ models, machines }: ProbesDocument): string {
  if (models.length === 0 && machines.length === 0) return NOTHING;
  const parts = models.map(({ model, digest, serverVersion, checkedAt, table: rows }) =>
    [
      clean(`${model} (${shownDigest(digest)}) on server version ${serverVersion}, ${checkedAt.slice(0, 10)}`),
      table(
        rows.map(({ probe, found }) => [probe, clean(found)]),
        { indent: '  ' },
      ),
    ].join('\n'),
  );
  if (machines.length === 0) return parts.join('\n\n');
  const rows = machines.map(({ instance, model, alone, full, slots, measuredAt }) => [
    clean(instance),
    clean(model),
    rate(alone.readTokensPerSec),
    rate(alone.writeTokensPerSec),
    full === null ? '-' : rate(full.readTokensPerSec),
    full === null ? '-' : rate(full.writeTokensPerSec),
    slots === null ? '-' : String(slots),
    measuredAt.slice(0, 10),
  ]);
  const head = ['MACHINE', 'MODEL', 'READS', 'WRITES', 'READS, FULL', 'WRITES, FULL', 'SLOTS', 'MEASURED'];
  const needs = machines.flatMap(({ instance, needFinding }) =>
    needFinding === null ? [] : [clean(`${instance}: ${needFinding}`)],
  );
  return [...parts, `Tokens a second, of each call:\n${table(rows, { head, right: [2, 3, 4, 5, 6] })}`, ...needs].join(
    '\n\n',
  );
}

/** Two figures are enough of a slow machine, whole tokens of a fast one. */
const rate = (tokensPerSec: number): string =>
  tokensPerSec < 10 ? tokensPerSec.toFixed(1) : Math.round(tokensPerSec).toLocaleString('en');
