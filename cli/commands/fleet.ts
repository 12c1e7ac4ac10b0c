/**
 * `deckhand fleet`: pools, instances, their states, reasons and cost so far; `deckhand fleet cordon|… NAME` asks something of an instance.
 */
import type { Command } from 'commander';
import type { DeckhandClient } from '../../api/client.ts';
import { loadConfig } from '../../platform/config.ts';
import type { OperatorRequest } from '../../workflows/pool/contract.ts';
import { clientOf } from '../api-client.ts';
import { renderFleet, renderInstance, type TableStyle } from '../fleet/fleet-table.ts';
import { watchFleet } from '../fleet/fleet-watch.ts';
import { runningApiUrl } from '../fleet/running-api.ts';
import { endOnSignal } from '../signals.ts';

interface FleetOptions {
  readonly watch?: boolean;
  readonly json?: boolean;
}

/** What can be asked of an instance, with its help. */
const REQUESTS: Readonly<Record<OperatorRequest, string>> = {
  cordon: 'give it no new calls; those in flight are finished. It stays so until uncordoned',
  uncordon: 'let it take calls again',
  drain: 'cordon it, and put it to sleep once its calls are done. It stays so until woken',
  wake: 'wake it, and lift what was asked of it before',
  suspend: 'put it to sleep when its calls are done; work wakes it again',
  destroy: 'end it when its calls are done; work brings another one',
};

/** Adds the command. */
export function registerFleet(program: Command): void {
  const fleet = program
    .command('fleet')
    .description('show pools and instances: states, reasons, cost so far; ask something of an instance')
    .option('--watch', 'show it again and again, until Ctrl-C')
    .option('--json', 'print one JSON document (with --watch: one per line) and nothing else on stdout')
    .action((options: FleetOptions) => show(options));
  fleet
    .command('show <name>')
    .description('show one instance with its history')
    .option('--json', 'print one JSON document and nothing else on stdout')
    .action(async (name: string, _options: FleetOptions, command: Command) => {
      const instance = await connect().instance(name, endOnSignal());
      print(command.optsWithGlobals<FleetOptions>(), instance, () => renderInstance(instance, styleOfStdout()));
    });
  for (const [request, description] of Object.entries(REQUESTS) as [OperatorRequest, string][]) {
    fleet
      .command(`${request} <name>`)
      .description(description)
      .option('--json', 'print the instance as one JSON document')
      .action(async (name: string, _options: FleetOptions, command: Command) => {
        const instance = await connect().askInstance(name, request, endOnSignal());
        print(
          command.optsWithGlobals<FleetOptions>(),
          instance,
          () => `Asked pool ${instance.pool} to ${request} ${name} (now ${instance.phase}).`,
        );
      });
  }
  for (const command of fleet.commands) command.exitOverride();
}

function connect(): DeckhandClient {
  const config = loadConfig();
  return clientOf(config, runningApiUrl(config));
}

async function show(options: FleetOptions): Promise<void> {
  const client = connect();
  const signal = endOnSignal();
  if (options.watch === true) {
    const asJson = options.json === true;
    await watchFleet(
      client,
      (fleet) => (asJson ? JSON.stringify(fleet) : renderFleet(fleet, styleOfStdout())),
      { isTTY: process.stdout.isTTY && !asJson, write: (text) => void process.stdout.write(text) },
      signal,
    );
    return;
  }
  const fleet = await client.fleet(signal);
  print(options, fleet, () => renderFleet(fleet, styleOfStdout()));
}

function print(options: FleetOptions, document: unknown, text: () => string): void {
  console.log(options.json === true ? JSON.stringify(document) : text());
}

/** A pipe gets whole lines and no colours. */
function styleOfStdout(): TableStyle {
  const { isTTY, columns } = process.stdout;
  return { colours: isTTY, width: isTTY ? columns : Number.POSITIVE_INFINITY };
}
