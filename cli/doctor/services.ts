/**
 * Checks of what Deckhand runs or uses: Node, Temporal, Postgres, the models, the data directory, and a runtime that is up.
 */
import { accessSync, constants, existsSync, readFileSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { Egress, reachWith } from '../../activities/models/client/egress.ts';
import { openModelServer } from '../../activities/models/client/open.ts';
import { asDeckhandError, DeckhandError } from '../../domain/errors.ts';
import { type Config, DEFAULT_OLLAMA_URL } from '../../platform/config.ts';
import { readControlFile, runtimeFilePath, runtimeInfoSchema } from '../../platform/runtime-info.ts';
import { encryptionStatus } from '../../platform/temporal/encryption-status.ts';
import { postgresBinaries } from '../../runtime/postgres-binaries.ts';
import { postgresVersion } from '../../runtime/postgres.ts';
import { CLI_VERSION } from '../../runtime/temporal-build.ts';
import { searchTemporal } from '../../runtime/temporal-find.ts';
import { temporalServerVersion } from '../../runtime/temporal-settings.ts';
import { formatVersion } from '../../runtime/temporal-version.ts';
import { databaseMaker } from '../../runtime/temporal.ts';
import type { Check } from './check.ts';

const GIBIBYTE = 1024 ** 3;
const ENOUGH_GIB = 5;
const LEAST_GIB = 1;

/** Node as this process runs under it. */
export function checkNode(): Check {
  const major = Number(process.versions.node.split('.')[0]);
  const found = `${process.versions.node} (${process.execPath})`;
  const base = { name: 'node', required: true, found, neededFor: 'everything' } as const;
  if (major >= 24) return { ...base, status: 'ok' };
  return { ...base, status: 'missing', hint: 'Start it with ./deckhand, which brings Node 24.' };
}

/** A server of the user's, one that is found, or one that can be built. */
export async function checkTemporal(config: Config, goFound: boolean): Promise<Check> {
  const base = { name: 'temporal', required: true, neededFor: 'running analyses' } as const;
  if (config.temporalAddress !== undefined) {
    try {
      const version = await temporalServerVersion(config.temporalAddress);
      return { ...base, status: 'ok', found: `server ${version} at ${config.temporalAddress} (TEMPORAL_ADDRESS)` };
    } catch {
      const hint = 'Start it, or correct or unset TEMPORAL_ADDRESS.';
      return { ...base, status: 'missing', found: `${config.temporalAddress} does not answer`, hint };
    }
  }
  try {
    const { found, rejected } = await searchTemporal(config, databaseMaker(config));
    if (found !== undefined) {
      const text = `server ${formatVersion(found.serverVersion)} (${found.source}: ${found.path})`;
      return { ...base, status: 'ok', found: text };
    }
    const seen = rejected.length === 0 ? null : rejected.join('; ');
    if (goFound) {
      const hint = `The first start downloads it, or builds ${CLI_VERSION} with Go (once, about 4 to 7 minutes).`;
      return { ...base, status: 'note', found: seen, hint };
    }
    const hint =
      'Install Go (https://go.dev/dl) or the Temporal CLI (https://docs.temporal.io/cli), or set TEMPORAL_ADDRESS.';
    return { ...base, status: 'missing', found: seen, hint };
  } catch (error) {
    const { userMessage, hint } = asDeckhandError(error);
    return { ...base, status: 'missing', found: userMessage, ...(hint === undefined ? {} : { hint }) };
  }
}

/** The database of DATABASE_URL, or the embedded one's programs. */
export async function checkPostgres(config: Config): Promise<Check> {
  const base = { name: 'postgres', required: true, neededFor: 'keeping decks and reviews' } as const;
  try {
    if (config.databaseUrl !== undefined) {
      return { ...base, status: 'ok', found: `${await postgresVersion(config.databaseUrl)} (DATABASE_URL)` };
    }
    return { ...base, status: 'ok', found: `${(await postgresBinaries()).version} (embedded)` };
  } catch (error) {
    const { userMessage, hint } = asDeckhandError(error);
    const found = config.databaseUrl === undefined ? userMessage : 'DATABASE_URL does not answer';
    return { ...base, status: 'missing', found, hint: hint ?? 'Start it, or correct or unset DATABASE_URL.' };
  }
}

/** The Ollama that would answer with language models, where no server is named for them. */
export async function checkOllama(config: Config): Promise<Check> {
  const url = config.ollamaHost ?? DEFAULT_OLLAMA_URL;
  const base = { name: 'ollama', required: false, neededFor: 'reviews by language models' } as const;
  try {
    const egress = new Egress(reachWith(config.dataLeavesHost));
    const server = openModelServer({ kind: 'ollama', url, egress });
    const version = await server.version({ signal: AbortSignal.timeout(2_000) });
    return { ...base, status: 'ok', found: `${version} at ${url}` };
  } catch (error) {
    if (error instanceof DeckhandError && error.code === 'data_would_leave')
      return { ...base, status: 'missing', found: error.userMessage, hint: error.hint ?? '' };
    const hint = 'https://ollama.com/download, or set OLLAMA_HOST. Without it the built-in reader answers.';
    return { ...base, status: 'missing', found: null, hint };
  }
}

/** May the data directory be written, and is there room? */
export function checkDataDirectory(config: Config): Check {
  const base = { name: 'data directory', required: true, neededFor: 'everything that is kept' } as const;
  let existing = config.home;
  while (!existsSync(existing)) existing = dirname(existing);
  try {
    accessSync(existing, constants.W_OK);
  } catch {
    const hint = 'Set DECKHAND_HOME to a directory that you may write to.';
    return { ...base, status: 'missing', found: `${config.home} cannot be written`, hint };
  }
  const { bavail, bsize } = statfsSync(existing);
  const freeGib = (bavail * bsize) / GIBIBYTE;
  const found = `${config.home}, ${freeGib.toFixed(1)} GiB free`;
  if (freeGib < LEAST_GIB) return { ...base, status: 'missing', found, hint: `Free at least ${LEAST_GIB} GiB.` };
  if (freeGib < ENOUGH_GIB) return { ...base, status: 'note', found, hint: `Better have ${ENOUGH_GIB} GiB free.` };
  return { ...base, status: 'ok', found };
}

/** The runtime of this data directory, if it is up, and what its Temporal server refused. */
export function checkRuntime(config: Config): Check {
  const base = { name: 'runtime', required: false, neededFor: 'running analyses' } as const;
  if (readControlFile(config.home) === undefined) return { ...base, status: 'ok', found: 'not running' };
  const path = runtimeFilePath(config.home);
  if (!existsSync(path)) return { ...base, status: 'note', found: 'starting', hint: 'Wait for it.' };
  const runtime = runtimeInfoSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  const ui = runtime.temporalUiUrl === null ? '' : `, Temporal UI ${runtime.temporalUiUrl}`;
  const found = `up: ${runtime.apiUrl}${ui}, ${runtime.models} at ${runtime.modelHost}`;
  if (runtime.refusedTemporalSettings.length === 0) return { ...base, status: 'ok', found };
  const hint = `The Temporal server refused: ${runtime.refusedTemporalSettings.join('; ')}. Ask its operator to set them.`;
  return { ...base, status: 'note', found, hint };
}

/** Whether what Temporal holds is encrypted, and by keys that can be used. */
export function checkEncryption(config: Config): Check {
  const base = {
    name: 'encryption',
    required: true,
    neededFor: 'keeping deck content unreadable in Temporal',
  } as const;
  try {
    const { encryption, source, file, keys, readableByOthers } = encryptionStatus(config);
    const counted = keys.length === 1 ? '1 key' : `${keys.length} keys`;
    const found = `${encryption}, ${counted} in ${source === 'file' ? file : source}`;
    if (encryption === 'off') {
      return {
        ...base,
        status: 'note',
        found,
        hint: 'Unset DECKHAND_ENCRYPTION: Temporal holds payloads unencrypted.',
      };
    }
    if (readableByOthers) return { ...base, status: 'note', found, hint: `Others may read them: chmod 600 ${file}` };
    return { ...base, status: 'ok', found };
  } catch (error) {
    const { message, hint } = asDeckhandError(error);
    return { ...base, status: 'missing', found: message, ...(hint === undefined ? {} : { hint }) };
  }
}
