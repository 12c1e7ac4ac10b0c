/**
 * `deckhand models`: which model answers which task and the digest it is pinned to (`--pin` accepts what the host holds now); and the catalogue of
 * servers, models and profiles: list, show, add, apply, use, remove, try, check.
 */
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import type { DeckhandClient } from '../../api/client.ts';
import type { CatalogDocument } from '../../api/models/schemas.ts';
import { DeckhandError } from '../../domain/errors.ts';
import { SMALLEST_WINDOW } from '../../domain/models/catalog/catalog.ts';
import { unknownProfile } from '../../domain/models/catalog/lookup.ts';
import { SERVER_KINDS, type ServerKind } from '../../domain/models/server-kind.ts';
import { DEFAULT_OLLAMA_URL, loadConfig } from '../../platform/config.ts';
import { askApi } from '../api/open.ts';
import { registerModelsApply } from '../models/apply.ts';
import { registerModelsCheck } from '../models/check.ts';
import { renderProfile, renderProfiles } from '../models/text.ts';
import { isPositive, isWholeWithin, numberThat } from '../terminal/arguments.ts';
import { JSON_HELP, type JsonOption, printResult, printingCommand } from '../terminal/output.ts';
import { table } from '../terminal/table.ts';
import { modelsOption } from './up.ts';
import { shownDigest } from '../../domain/models/identity.ts';

interface ModelsOptions {
  readonly models?: string;
  readonly pin?: boolean;
  readonly json?: boolean;
}

/** The gateway looks at its hosts every few seconds. */
const PIN_LIMIT_MS = 60_000;
const LOOK_INTERVAL_MS = 300;

export function registerModels(program: Command): void {
  const models = program
    .command('models')
    .description(
      'show which model answers which task, and add, choose or remove models; --pin accepts the versions on the host',
    )
    .addOption(modelsOption())
    .option('--pin', 'pin the digests of the models on the host')
    .option('--json', JSON_HELP)
    .action(showTasks);
  printingCommand(models, 'list', 'list the model profiles').action(async (_: JsonOption, command: Command) => {
    const catalog = await askApi('Reading the models', (client, signal) => client.GET('/models/catalog', { signal }));
    printResult(command.optsWithGlobals<JsonOption>(), catalog, () => renderProfiles(catalog));
  });
  printingCommand(
    models,
    'show <profile>',
    'show a profile: its models, what they need, why one would choose it',
  ).action(async (name: string, _: JsonOption, command: Command) => {
    const catalog = await askApi('Reading the models', (client, signal) => client.GET('/models/catalog', { signal }));
    const profile = profileIn(catalog, name);
    const entries = catalog.models.filter((model) => Object.values(profile.models).includes(model.name));
    printResult(command.optsWithGlobals<JsonOption>(), { ...profile, entries }, () =>
      renderProfile(catalog, profile, entries),
    );
  });
  registerAdd(models);
  printingCommand(models, 'use <profile>', 'choose the profile of new analyses that name none').action(
    async (profile: string, _: JsonOption, command: Command) => {
      const catalog = await askApi('Choosing the profile', (client, signal) =>
        client.PUT('/models/default', { body: { profile }, signal }),
      );
      printResult(
        command.optsWithGlobals<JsonOption>(),
        { default: catalog.default },
        () => `New analyses are answered by ${catalog.default}.`,
      );
    },
  );
  registerRemove(models);
  registerTry(models);
  registerModelsApply(models);
  registerModelsCheck(models);
}

/** @throws DeckhandError `not_found` */
function profileIn({ profiles }: CatalogDocument, name: string): CatalogDocument['profiles'][number] {
  const found = profiles.find((each) => each.name === name);
  if (found !== undefined) return found;
  throw unknownProfile(
    name,
    profiles.map((each) => each.name),
  );
}

async function showTasks(options: ModelsOptions): Promise<void> {
  const wanted = options.models ?? loadConfig().models;
  const { profile, items } = await askApi(
    'Reading the models',
    async (client, signal, progress, api) => {
      const catalog = await client.GET('/models/catalog', { signal });
      const profile = options.models ?? catalog.default;
      const { server } = profileIn(catalog, profile);
      if (options.pin === true) {
        const host = catalog.servers.find(({ name }) => name === server)?.url ?? api.modelHost;
        progress.update(`Pinning the models of ${host}`);
        // Without pins nothing is answered: they stay until there is something to pin.
        if (server !== null) await refuseMissing(client, profile, signal);
        await client.DELETE('/models/{profile}/pins', { params: { path: { profile } }, signal });
        await untilPinned(client, profile, host, signal);
      }
      const items = (await client.GET('/models', { signal })).items.filter((i) => i.profile === profile);
      return { profile, items };
    },
    { models: wanted, mayRent: true },
  );
  const rows = items.map((i) => [
    i.task,
    i.model,
    i.pinnedDigest === null ? 'not pinned yet' : shownDigest(i.pinnedDigest),
  ]);
  printResult(options, { profile, items }, () => table(rows, { head: ['TASK', 'MODEL', 'DIGEST'] }));
}

/** @throws DeckhandError `model_not_ready` where the server of a profile does not have its models now */
async function refuseMissing(client: DeckhandClient, profile: string, signal: AbortSignal): Promise<void> {
  const { items } = await client.POST('/models/try', { body: { profile, isLook: true }, signal });
  const missing = items.find(({ isAnswered }) => !isAnswered);
  if (missing === undefined) return;
  throw new DeckhandError('model_not_ready', `${missing.url}: ${missing.reason ?? ''} The pins stay as they are.`, {
    hint: `Start the server with what is missing (${missing.model}; with Ollama: ollama pull ${missing.model}), then pin again.`,
  });
}

async function untilPinned(client: DeckhandClient, profile: string, host: string, signal: AbortSignal): Promise<void> {
  const giveUpAtMs = Date.now() + PIN_LIMIT_MS;
  for (;;) {
    const { items } = await client.GET('/models', { signal });
    const open = items.filter((i) => i.profile === profile && i.pinnedDigest === null);
    if (open.length === 0) return;
    if (Date.now() > giveUpAtMs) {
      const names = [...new Set(open.map((i) => i.model))].join(', ');
      throw new DeckhandError('model_not_ready', `${host} has not shown ${names} within ${PIN_LIMIT_MS / 1000} s`, {
        hint: `Does it run (./deckhand fleet), and does it have them? With Ollama: ollama pull ${open[0]?.model ?? ''}`,
      });
    }
    await delay(LOOK_INTERVAL_MS, undefined, { signal });
  }
}

interface AddOptions extends JsonOption {
  readonly server?: string;
  readonly url?: string;
  readonly kind?: ServerKind;
  readonly pool?: boolean;
  readonly keyFile?: string;
  readonly dataLeaves?: boolean;
  readonly profile?: string;
  readonly visual?: string;
  readonly file?: string;
  readonly sees?: boolean;
  readonly window?: number;
  readonly digest?: string;
  readonly weights?: number;
  readonly cache?: number;
  readonly tenant?: boolean;
}

/** The API and the gateway run elsewhere, and read the file. */
const wholePath = (file: string | undefined): string | undefined => (file === undefined ? undefined : resolve(file));
const gibOf = numberThat((gib) => gib === 0 || isPositive(gib), 'Write GiB as a number, such as 7.6.');
const tokensOf = numberThat(
  isWholeWithin(SMALLEST_WINDOW, Number.MAX_SAFE_INTEGER),
  `Write a whole number of tokens from ${SMALLEST_WINDOW} on.`,
);

function registerAdd(models: Command): void {
  printingCommand(
    models,
    'add [model]',
    'add a model of your server, such as llava:7b, or a preset; without a name the one that the server has; makes a profile of it',
  )
    .option(
      '--server <url>',
      'URL or name of the server that has it; by default OLLAMA_HOST, or the Ollama of this machine',
    )
    .addOption(new Option('--url <url>', 'the same as --server with a URL').conflicts('server'))
    .addOption(
      new Option('--kind <kind>', 'protocol of the server; by default as it answers').choices([...SERVER_KINDS]),
    )
    .addOption(
      new Option('--pool', 'no server has it: machines of a pool pull it').conflicts([
        'server',
        'url',
        'kind',
        'keyFile',
        'dataLeaves',
      ]),
    )
    .option('--key-file <file>', 'file with the key of the server')
    .option('--data-leaves', 'the server may be outside your network: slides leave it then')
    .option('--no-data-leaves', 'it may not any more')
    .option('--profile <name>', 'name of the profile; by default made of the name of the model')
    .option('--visual <model>', 'model that looks at slides, where this one sees no pictures')
    .option('--file <path>', 'GGUF or safetensors file, or folder, that says what it needs')
    .option('--sees', 'it sees pictures, where that is not found out')
    .option('--window <tokens>', 'prompt and answer together; by default 16384, or what it was trained for', tokensOf)
    .option('--digest <sha256>', 'digest that machines have to hold; by default what the server shows')
    .option('--weights <gib>', 'graphics memory of its weights', gibOf)
    .option('--cache <gib>', 'graphics memory of one parallel call', gibOf)
    .option('--tenant', 'a profile of the tenant of the key alone')
    .action(async (model: string | undefined, _: AddOptions, command: Command) => {
      const options = command.optsWithGlobals<AddOptions>();
      const { profile, visual, digest } = options;
      const named = options.server ?? options.url;
      const server = options.pool === true ? null : (named ?? loadConfig().ollamaHost ?? DEFAULT_OLLAMA_URL);
      const { isServed, ...added } = await askApi(
        server === null ? `Adding ${model ?? 'a model'}` : `Asking ${server} for ${model ?? 'its model'}`,
        async (client, signal) => {
          const answer = await client.POST('/models/add', {
            body: {
              model,
              server,
              kind: options.kind,
              keyFile: wholePath(options.keyFile),
              dataLeavesHost: options.dataLeaves,
              profile,
              visual,
              digest,
              file: wholePath(options.file),
              seesPictures: options.sees,
              window: options.window,
              weightsGib: options.weights,
              kvCacheGibPerSlot: options.cache,
              ofTenant: options.tenant === true,
            },
            signal,
          });
          const { profiles } = await client.GET('/models/catalog', { signal });
          return { ...answer, isServed: profiles.some((one) => one.name === answer.profile && one.isServed) };
        },
      );
      printResult(options, added, () => [...added.notes, nextStep(added.profile, isServed)].join('\n'));
    });
}

const nextStep = (profile: string, isServed: boolean): string =>
  isServed
    ? `Profile ${profile} is ready. Use it for every new analysis: deckhand models use ${profile}`
    : `Profile ${profile} is added, and nothing holds its models yet. Let a pool of the fleet file hold them ("ownQueues": true, "models": "${profile}"), start Deckhand again, then: deckhand models use ${profile}`;

function registerRemove(models: Command): void {
  printingCommand(models, 'remove <name>', 'remove a profile; open decks finish on it')
    .addOption(new Option('--model', 'NAME is a model').conflicts('server'))
    .option('--server', 'NAME is a server')
    .action(async (name: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<JsonOption & { readonly model?: boolean; readonly server?: boolean }>();
      const kind = options.model === true ? 'model' : options.server === true ? 'server' : 'profile';
      await askApi(`Removing ${name}`, (client, signal) =>
        client.DELETE('/models/catalog', { params: { query: { kind, name } }, signal }),
      );
      printResult(options, { removed: name, kind }, () => `The ${kind} ${name} is removed.`);
    });
}

function registerTry(models: Command): void {
  printingCommand(models, 'try [profile]', 'have every model of a profile answer once').action(
    async (wanted: string | undefined, _: JsonOption, command: Command) => {
      const { profile, items } = await askApi('Asking the models', async (client, signal, progress) => {
        const name = wanted ?? (await client.GET('/models/catalog', { signal })).default;
        progress.update(`Asking the models of ${name}`);
        return {
          profile: name,
          ...(await client.POST('/models/try', { body: { profile: name, isLook: false }, signal })),
        };
      });
      const rows = items.map((item) => [
        item.model,
        item.url,
        item.isAnswered ? `answered in ${(item.answerMs / 1000).toFixed(1)} s` : (item.reason ?? 'no answer'),
        item.loadMs === 0 ? '-' : `${(item.loadMs / 1000).toFixed(1)} s`,
      ]);
      printResult(command.optsWithGlobals<JsonOption>(), { profile, items }, () =>
        table(rows, { head: ['MODEL', 'SERVER', 'ANSWER', 'LOADED IN'] }),
      );
      if (items.some(({ isAnswered }) => !isAnswered)) process.exitCode = 5;
    },
  );
}
