/** Adds a model of a server: the server, the model, and a profile in which it answers. */
import { lookAtModel } from '../../activities/models/catalog/look-at-model.ts';
import type { FootprintSource } from '../../activities/models/footprint/find.ts';
import { changeCatalog, putModel, putProfile, putServer, type Author } from '../../activities/models/catalog/change.ts';
import { readCatalog, type CatalogRows } from '../../activities/models/catalog/read.ts';
import { DeckhandError } from '../../domain/errors.ts';
import {
  modelSchema,
  modelsOfProfile,
  profileSchema,
  serverSchema,
  type Catalog,
  type Model,
  type ModelProfile,
  type ModelServer,
} from '../../domain/models/catalog/catalog.ts';
import { isPreset, PRESETS } from '../../domain/models/catalog/presets.ts';
import type { ServerKind } from '../../domain/models/server-kind.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { DEFAULT_OLLAMA_URL } from '../../platform/config.ts';
import { UNREACHABLE } from '../../activities/models/client/faults.ts';
import { kindOfServer, openKeyedServer } from '../../activities/models/client/open.ts';
import type { AddModel } from './schemas.ts';

/** A server of OpenAI's protocol answers twice before it is known, and may have to load its model. */
const LOOK_LIMIT_MS = 60_000;
/** Settings that differ from model to model. */
const SAID_OF_ONE = ['digest', 'weightsGib', 'kvCacheGibPerSlot', 'seesPictures', 'file'] as const;
const OLLAMA_PORT = new URL(DEFAULT_OLLAMA_URL).port;

/** The profile, server and models that were added. */
interface Added {
  readonly profile: string;
  readonly server: string | null;
  readonly models: Model[];
  readonly notes: string[];
}

/**
 * See the file's header.
 *
 * @throws DeckhandError `invalid_request` where what is said of one model would count for several; `conflict` for a name that means another model or profile; `model_not_ready` for a model that the server does not have, `model_unreachable`; `not_found` for a server; those of
 *   writing the entries
 */
export async function addModel(
  db: PrismaClient,
  asked: AddModel,
  {
    tenantId,
    author,
    registryUrl,
  }: { readonly tenantId: string; readonly author: Author; readonly registryUrl: string },
): Promise<Added> {
  const { catalog, rows } = await readCatalog(db);
  const server = asked.server === null ? null : await serverOf(catalog, asked);
  const wish = { ...asked, model: asked.model ?? (await onlyModelOf(server, asked)) };
  const preset = PRESETS.profiles.find(({ name }) => name === wish.model);
  const names =
    preset === undefined
      ? [...new Set([wish.model, ...(wish.visual === undefined ? [] : [wish.visual])])]
      : modelsOfProfile(preset, PRESETS.models).map(({ name }) => name);
  const ofProfile = [
    ...(wish.profile === undefined ? [] : ['profile']),
    ...(wish.visual === undefined ? [] : ['visual']),
    ...(wish.ofTenant ? ['tenant'] : []),
  ];
  if (preset !== undefined && ofProfile.length > 0) {
    const message = `${preset.name} is a preset: ${ofProfile.join(', ')} cannot be said of it.`;
    throw new DeckhandError('invalid_request', message, {
      userMessage: message,
      hint: `Its models can be added by their names: ${names.join(', ')}. A model that is called ${preset.name}: ${preset.name}:latest.`,
    });
  }
  const said = SAID_OF_ONE.filter((what) => wish[what] !== undefined);
  if (names.length > 1 && said.length > 0) {
    const message = `${said.join(', ')}: said of one model, and ${names.join(' and ')} are added.`;
    throw new DeckhandError('invalid_request', message, {
      userMessage: message,
      hint: 'Add each model by itself with what you know of it, then both together without.',
    });
  }
  // Before anybody is asked, and again once nobody else changes anything.
  for (const name of names) refuseMove({ name, server: server?.name ?? null }, rows);
  const found = await Promise.all(names.map((name) => entryOf(catalog, name, wish, { server, registryUrl }))).catch(
    (error: unknown) => {
      throw withNextStep(error, server, preset?.name);
    },
  );
  const models = found.map(({ model }) => model);
  const notes = [
    ...found.flatMap((each) => each.notes),
    ...(server?.dataLeavesHost === true ? [leaveWords(server)] : []),
  ];
  const profile = preset?.name ?? wish.profile ?? profileNameOf(wish.model);
  const seeing = models.find(({ seesPictures }) => seesPictures);
  await changeCatalog(db, author, async (change) => {
    const before = await readCatalog(change.tx);
    for (const model of models) refuseMove(model, before.rows);
    if (server !== null) await putServer(change, server);
    for (const model of models) await putModel(change, model);
    if (preset !== undefined || seeing === undefined) return;
    const answering = { 'gpu-visual': seeing.name, 'gpu-text': wish.model };
    const ofTenant = wish.ofTenant ? tenantId : null;
    // Another tenant's profile is not looked into: `putProfile` refuses its name.
    const isVisible = before.rows.profiles.every((row) => row.name !== profile || row.tenantId === ofTenant);
    const former = before.catalog.profiles.find(({ name }) => isVisible && name === profile);
    if (former !== undefined) refuseOther(former, wish.model);
    const wanted = { ...former, name: profile, models: { ...former?.models, ...answering } };
    await putProfile(change, profileSchema.parse(wanted), ofTenant);
  });
  if (preset !== undefined || seeing !== undefined) return { profile, server: server?.name ?? null, models, notes };
  const message = `${wish.model} sees no pictures, and slides are pictures.`;
  throw new DeckhandError('model_lacks_vision', message, {
    userMessage: message,
    hint: `It was added. Name a model for the slides: ./deckhand models add ${wish.model} --visual MODEL${placeOption(wish)}`,
  });
}

const NAMES_SHOWN = 10;

/** The one model that a server has. @throws DeckhandError `invalid_request` where there is none, or several; of the server's fault */
async function onlyModelOf(server: ModelServer | null, wish: AddModel): Promise<string> {
  const names = server === null ? [] : await namesOn(server);
  const [only, ...others] = names;
  if (only !== undefined && others.length === 0) return only;
  const message = 'No model was named.';
  const more = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : '';
  const known = names.length === 0 ? 'has none' : `has ${names.slice(0, NAMES_SHOWN).join(', ')}${more}`;
  throw new DeckhandError('invalid_request', message, {
    userMessage: message,
    hint: `Name one: ./deckhand models add MODEL${placeOption(wish)}.${server === null ? '' : ` ${server.url} ${known}.`}`,
  });
}

/** @throws DeckhandError of the server's fault, with what to do */
async function namesOn(server: ModelServer): Promise<readonly string[]> {
  try {
    return await (await openKeyedServer(server)).names({ signal: AbortSignal.timeout(LOOK_LIMIT_MS) });
  } catch (error) {
    throw withNextStep(error, server, undefined);
  }
}

/** A name means one model in one place: every profile that names it would move with it. @throws DeckhandError `conflict` */
function refuseMove({ name, server }: Pick<Model, 'name' | 'server'>, { models }: CatalogRows): void {
  const row = models.find((each) => each.name === name);
  // The file's entries are refused as such.
  if (row === undefined || row.owner === 'file' || row.server === server) return;
  const place = row.server === null ? 'for the machines of pools' : `on the server ${row.server}`;
  const message = `The model ${name} is configured ${place}, and a name means one model in one place.`;
  throw new DeckhandError('conflict', message, {
    userMessage: message,
    hint: `Give it another name where you want it as well (with Ollama: ollama cp ${name} NEW-NAME; with vLLM: --served-model-name; with llama-server: --alias), or remove it there first: ./deckhand models remove PROFILE, then ./deckhand models remove ${name} --model`,
  });
}

/** @throws DeckhandError `conflict` for a profile of another model */
function refuseOther({ name, models }: ModelProfile, model: string): void {
  const answering = models['gpu-text'];
  if (answering === model) return;
  const message = `The profile ${name} is there already, with ${answering ?? Object.values(models).join(', ')}.`;
  throw new DeckhandError('conflict', message, {
    userMessage: message,
    hint: `Take another name: --profile NAME. Or remove it first: ./deckhand models remove ${name}`,
  });
}

/** The meaning of a server that may be outside, for people. */
const leaveWords = ({ name, url }: ModelServer): string =>
  `Server ${name} (${url}) may be outside your network: pictures and texts of every slide that its models look at are sent there, over the internet.`;

/** How the command names the place that was asked for. */
const placeOption = ({ server, keyFile, dataLeavesHost }: AddModel): string =>
  [
    server === null ? ' --pool' : server === undefined || server === DEFAULT_OLLAMA_URL ? '' : ` --server ${server}`,
    keyFile === undefined ? '' : ` --key-file ${keyFile}`,
    dataLeavesHost === true ? ' --data-leaves' : '',
  ].join('');

/** An error of looking at a model, with the server's address and what to do. */
function withNextStep(error: unknown, server: ModelServer | null, preset: string | undefined): unknown {
  if (server === null) return error;
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return new DeckhandError('model_not_ready', `${server.url} did not answer within ${LOOK_LIMIT_MS} ms`, {
      userMessage: `The model server at ${server.url} did not answer within ${LOOK_LIMIT_MS / 1000} s.`,
      hint: 'It may be loading a model, or be very busy: try again later.',
      cause: error,
    });
  if (!(error instanceof DeckhandError)) return error;
  const { code, message, userMessage, hint, cause } = error;
  if (code === 'model_unreachable' && (hint === undefined || server.kind !== 'ollama'))
    return new DeckhandError(code, message, {
      // Other reasons, such as a certificate for another name, name what is wrong.
      userMessage: userMessage === UNREACHABLE ? `The model server at ${server.url} cannot be reached.` : userMessage,
      hint:
        server.kind === 'ollama'
          ? 'Start it (ollama serve), or name another one: --server URL. Without any, machines of a pool can hold the model: --pool.'
          : (hint ?? 'Start it, or correct its URL: --url URL, up to /v1.'),
      cause,
    });
  if (code !== 'model_not_ready' || preset === undefined) return error;
  return new DeckhandError(code, message, {
    userMessage: `${userMessage} ${preset} is a preset, which needs it.`,
    hint: `${hint ?? ''}. Or, for a model of your own that is called ${preset}: ./deckhand models add ${preset}:latest`,
    cause,
  });
}

/** The catalogue entry of a model, from the user's settings and its source. No source is asked where the user gives need and digest. */
async function entryOf(
  catalog: Catalog,
  name: string,
  wish: AddModel,
  { server, registryUrl }: { readonly server: ModelServer | null; readonly registryUrl: string },
): Promise<{ readonly model: Model; readonly notes: readonly string[] }> {
  const { window, digest, weightsGib, kvCacheGibPerSlot, languages, seesPictures, file } = wish;
  const own = { window, digest, weightsGib, kvCacheGibPerSlot, languages, seesPictures };
  const said = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
  const configured: Partial<Model> = catalog.models.find((model) => model.name === name) ?? {};
  const isSaid = digest !== undefined && weightsGib !== undefined && kvCacheGibPerSlot !== undefined;
  // The cache that is configured is that of the configured window.
  const isKnown = isComplete(configured) && (window === undefined || window === configured.window);
  if (server === null && (isSaid || isKnown))
    return { model: modelSchema.parse({ ...configured, ...said, name, server: null }), notes: [] };
  const source: FootprintSource =
    file === undefined
      ? server === null
        ? { kind: 'registry', name, registryUrl }
        : { kind: 'server', server, model: name }
      : { kind: 'file', path: file };
  const known = { said: { ...said, server: server?.name ?? null }, configured };
  return lookAtModel(name, source, known, AbortSignal.timeout(LOOK_LIMIT_MS));
}

const isComplete = ({ digest, weightsGib, kvCacheGibPerSlot }: Partial<Model>): boolean =>
  [digest, weightsGib, kvCacheGibPerSlot].every((value) => value !== undefined && value !== null);

/** The server that is meant: by its name, by its URL, or the Ollama of this machine. @throws DeckhandError `not_found` */
async function serverOf(
  { servers }: Catalog,
  { server: wish, kind, keyFile, dataLeavesHost }: AddModel,
): Promise<ModelServer> {
  const said = {
    ...(keyFile === undefined ? {} : { keyFile }),
    ...(kind === undefined ? {} : { kind }),
    ...(dataLeavesHost === undefined ? {} : { dataLeavesHost }),
  };
  if (wish !== undefined && wish !== null && !wish.includes('://')) {
    const named = servers.find(({ name }) => name === wish);
    if (named !== undefined) return { ...named, ...said };
    throw new DeckhandError('not_found', `There is no model server "${wish}".`, {
      hint: `${servers.length === 0 ? 'None was added.' : `Known: ${servers.map(({ name }) => name).join(', ')}.`} Give its URL to add it.`,
    });
  }
  const url = wish ?? DEFAULT_OLLAMA_URL;
  const same = servers.find((server) => server.url === url);
  if (same !== undefined) return serverSchema.parse({ ...same, ...said });
  const spoken =
    kind ??
    (wish === undefined
      ? 'ollama'
      : await kindOfServer(
          { url, keyFile: keyFile ?? null, dataLeavesHost: dataLeavesHost ?? false },
          AbortSignal.timeout(LOOK_LIMIT_MS),
        ));
  const name = serverNameOf(url, spoken, new Set(servers.map((server) => server.name)));
  return serverSchema.parse({ name, url, ...said, kind: spoken });
}

/**
 * A name for a server, of its address: `ollama` for that of this machine, `ollama-8080` at another port, `local-8080` for one of OpenAI's protocol,
 * else `gpu-1` or `gpu-1-8080`. Two servers
 * that are added at the same time have different names by that.
 */
function serverNameOf(url: string, kind: ServerKind, taken: ReadonlySet<string>): string {
  const { hostname, port } = new URL(url);
  const isLocal = /^(?:localhost$|127\.|\[::1\]$|host\.docker\.internal$|ollama$)/u.test(hostname);
  const host = hostname.toLowerCase().replaceAll(/[^a-z0-9.-]/gu, '-');
  const named = isLocal
    ? kind === 'ollama'
      ? 'ollama'
      : 'local'
    : `${/^[a-z]/u.test(host) ? '' : 'host-'}${host}`.slice(0, 30);
  const base = port === '' || port === OLLAMA_PORT ? named : `${named}-${port}`;
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? base : `${base}-${number}`;
    if (!taken.has(name)) return name;
  }
}

/** `llava:7b` → `llava-7b`, `hf.co/someone/Model-GGUF:Q4` → `model-gguf-q4`. */
function profileNameOf(model: string): string {
  const last = model.split('/').at(-1) ?? model;
  const plain = last
    .toLowerCase()
    .replace(/:latest$/u, '')
    .replaceAll(/[^a-z0-9._-]+/gu, '-')
    .replace(/^[^a-z]+/u, '')
    .slice(0, 38);
  const name = plain === '' ? 'model' : plain;
  return isPreset(name) ? `${name}-2` : name;
}
