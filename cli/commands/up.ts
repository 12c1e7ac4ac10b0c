/**
 * `deckhand up`: starts everything and stays until Ctrl-C; with `--keep` it starts everything and returns. `deckhand open` prints another link to
 * the workspace. `deckhand down` ends the runtime of this data directory, whichever command started it.
 */
import { type Command, Option } from 'commander';
import { READER_PROFILE } from '../../domain/models/catalog/catalog.ts';
import { clientOf } from '../../api/client/home-client.ts';
import { asDeckhandError } from '../../domain/errors.ts';
import { type Config, loadConfig } from '../../platform/config.ts';
import { ownKeyPath } from '../../platform/own-api-key.ts';
import { readControlFile, runningApiUrl, type RuntimeInfo } from '../../platform/runtime-info.ts';
import { endOnSignal, untilAborted } from '../../platform/signals.ts';
import { askRunning } from '../api/open.ts';
import { tellOfStillRented } from '../fleet/still-rented.ts';
import { type JsonOption, printResult, printingCommand } from '../terminal/output.ts';
import { createProgress } from '../terminal/progress.ts';

interface UpOptions {
  models?: string;
  keep?: boolean;
  json?: boolean;
}

/** The option `--models`, the same for every command that takes a profile. */
export function modelsOption(): Option {
  return new Option(
    '--models <profile>',
    'model profile: reader (built-in rules, no GPU needed), a preset such as qwen3-vl, or one of your own (deckhand models)',
  );
}

/** True where somebody says which profile is to run: then another one that runs is refused, not joined. */
export const namesModels = (models: string | undefined, { environment }: Config): boolean =>
  models !== undefined || (environment['DECKHAND_MODELS'] ?? '') !== '';

/**
 * Address of the workspace: a link that signs in. Where people come by a public address, or no link can be made, the address alone, which asks
 * for a key.
 */
async function workspaceUrl(config: Config, apiUrl: string, signal: AbortSignal): Promise<string> {
  if (config.publicUrl !== undefined) return `${config.publicUrl}/`;
  try {
    return (await clientOf(config, apiUrl).POST('/session/links', { body: { next: undefined }, signal })).url;
  } catch (error) {
    signal.throwIfAborted();
    // Everything runs; whoever has a key can sign in.
    console.error(`There is no link that signs in: ${asDeckhandError(error).userMessage}`);
    return `${apiUrl}/`;
  }
}

/** Address at which the models answer: that of their server, where they are on one. */
async function modelHostOf(config: Config, runtime: RuntimeInfo, signal: AbortSignal): Promise<string> {
  try {
    const { profiles, servers } = await clientOf(config, runtime.apiUrl).GET('/models/catalog', { signal });
    const named = profiles.find(({ name }) => name === runtime.models)?.server;
    return servers.find(({ name }) => name === named)?.url ?? runtime.modelHost;
  } catch (error) {
    signal.throwIfAborted();
    console.error(`The servers of models cannot be read: ${asDeckhandError(error).userMessage}`);
    return runtime.modelHost;
  }
}

function describe(runtime: RuntimeInfo, workspace: string, config: Config): string {
  const models = runtime.models === READER_PROFILE ? 'built-in reader (rules, not a language model)' : runtime.models;
  return [
    `Workspace       ${workspace}`,
    `API             ${runtime.apiUrl}/api/v1 (described at ${runtime.apiUrl}/api/v1/openapi.json)`,
    `Temporal        ${runtime.temporalAddress} (server ${runtime.temporalServer})`,
    ...(runtime.temporalUiUrl === null ? [] : [`Temporal UI     ${runtime.temporalUiUrl}`]),
    `Models          ${models} at ${runtime.modelHost}`,
    `Data            ${runtime.home}`,
    ...(config.auth === 'open'
      ? []
      : [`API key         ${ownKeyPath(runtime.home)} (for other browsers and programs)`]),
  ].join('\n');
}

export function registerUp(program: Command): void {
  program
    .command('up')
    .description('start everything and run until Ctrl-C')
    .addOption(modelsOption())
    .option('--keep', 'start everything, leave it running and return (end it with: deckhand down)')
    .option('--json', 'print the addresses as one JSON document')
    .action(async (options: UpOptions) => {
      const { startRuntime } = await import('../../runtime/runtime.ts');
      const config = loadConfig();
      const signal = endOnSignal();
      const progress = createProgress();
      const startedAt = performance.now();
      const runtime = await startRuntime(config, {
        models: options.models ?? config.models,
        joinsAny: !namesModels(options.models, config),
        onProgress: (message) => progress.update(message),
        signal,
      }).finally(() => progress.end());
      const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
      console.error(runtime.joined ? 'Deckhand runs already.' : `Deckhand is up (${seconds} s).`);
      const [workspace, modelHost] = await Promise.all([
        workspaceUrl(config, runtime.apiUrl, signal),
        modelHostOf(config, runtime, signal),
      ]);
      const shown = { ...runtime, modelHost };
      printResult(options, { workspaceUrl: workspace, ...publicFacts(shown) }, () =>
        describe(shown, workspace, config),
      );
      if (options.keep === true) {
        await runtime.detach();
        console.error('It keeps running. End it with: deckhand down');
        return;
      }
      console.error('Ctrl-C ends it.');
      runtime.onRestart(({ name, reason, restarts, nextStartInMs }) => {
        console.error(`${name} ended (${reason}); restart ${restarts} in ${nextStartInMs / 1_000} s`);
      });
      const ended = await Promise.race([
        runtime.closed.then(() => 'runtime' as const),
        untilAborted(signal).then(() => 'signal' as const),
      ]);
      if (ended === 'signal') {
        console.error('Ending …');
        if (!runtime.joined) await tellOfStillRented(config, () => runtime.apiUrl);
        await runtime.stop();
        return;
      }
      console.error('The runtime was ended by another command, or killed.');
    });
}

/** What `--json` prints: addresses, without the database's password. */
function publicFacts(runtime: RuntimeInfo): Record<string, unknown> {
  const { home, temporalAddress, temporalNamespace, temporalUiUrl, temporalServer, apiUrl, modelHost, models } =
    runtime;
  return { home, temporalAddress, temporalNamespace, temporalUiUrl, temporalServer, apiUrl, modelHost, models };
}

export function registerOpen(program: Command): void {
  printingCommand(program, 'open [page]', 'print a link that signs a browser on this machine in, once').action(
    async (page: string | undefined, options: JsonOption) => {
      const link = await askRunning((client, signal) =>
        client.POST('/session/links', { body: { next: page }, signal }),
      );
      printResult(options, link, () => link.url);
      if (link.expiresAt !== null) console.error('It works once, within 12 hours.');
    },
  );
}

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
