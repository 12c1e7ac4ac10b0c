/**
 * `deckhand simulate datacrunch`: the simulated provider alone, to look at or to develop against.
 */
import { once } from 'node:events';
import path from 'node:path';
import { Argument, InvalidArgumentError, type Command } from 'commander';
import { DeckhandError } from '../../domain/errors.ts';
import { loadConfig } from '../../platform/config.ts';
import type { DataCrunchServer, DataCrunchServerOptions } from '../../simulators/clouds/datacrunch/server.ts';
import { endOnSignal } from '../../platform/signals.ts';

interface SimulateOptions {
  readonly port?: number;
  readonly scenario: string;
  readonly state?: string;
  readonly json?: boolean;
}

function port(value: string): number {
  const parsed = Number(value);
  if (!Number.isInteger(parsed) || parsed < 0 || parsed > 65_535) throw new InvalidArgumentError('It is no port.');
  return parsed;
}

/** Adds the command. */
export function registerSimulate(program: Command): void {
  program
    .command('simulate')
    .description('run a simulated GPU provider on this machine; nothing is bought anywhere')
    .addArgument(new Argument('<provider>', 'which provider').choices(['datacrunch']))
    .option('--port <n>', 'port on 127.0.0.1 (default: a free one)', port)
    .option('--scenario <file|name>', 'default, demo, drought, or a JSON file', 'default')
    .option('--state <file>', 'where its state is kept (default: in the data directory, by scenario)')
    .option('--json', 'print one JSON document and nothing else on stdout')
    .action(async (_provider: string, options: SimulateOptions) => {
      const signal = endOnSignal();
      const stateFile = path.resolve(
        options.state ??
          path.join(loadConfig().home, 'simulators', `datacrunch-${path.basename(options.scenario, '.json')}.json`),
      );
      const server = await start({
        scenario: options.scenario,
        stateFile,
        ...(options.port === undefined ? {} : { port: options.port }),
      });
      const { clientId, clientSecret, scenario } = server.datacrunch;
      if (options.json === true) {
        const facts = { baseUrl: server.baseUrl, clientId, clientSecret, scenario: scenario.name, stateFile };
        console.log(JSON.stringify(facts));
      } else {
        console.log(`Simulated DataCrunch   ${server.baseUrl}`);
        console.log(`client id / secret     ${clientId} / ${clientSecret}`);
        console.log(
          `scenario               ${scenario.name}${scenario.description === '' ? '' : `: ${scenario.description}`}`,
        );
        console.log(`state                  ${stateFile}`);
        console.log(`control                ${new URL('/_control/stats', server.baseUrl).href}`);
        console.log('Ctrl-C ends it; its instances go on where they are at the next start.');
      }
      if (!signal.aborted) await once(signal, 'abort');
      await server.stop();
    });
}

async function start(options: DataCrunchServerOptions): Promise<DataCrunchServer> {
  const { startDataCrunchServer } = await import('../../simulators/clouds/datacrunch/server.ts');
  try {
    return await startDataCrunchServer(options);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    throw new DeckhandError('usage', words, {
      userMessage: `The simulator does not start: ${words}`,
      hint: 'Check --scenario, --state and --port.',
      cause: error,
    });
  }
}
