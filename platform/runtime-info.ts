/**
 * The running runtime of a data directory: its addresses, and how to reach its supervisor.
 *
 * The runtime writes `<home>/run/runtime.json` and `<home>/run/control.json`; commands and clients of the API read them.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { DeckhandError } from '../domain/errors.ts';
import type { Config } from './config.ts';
import { isSameProcessAlive } from './processes/process-identity.ts';

/** Addresses and facts of a running runtime; `<home>/run/runtime.json`. */
export const runtimeInfoSchema = z.object({
  home: z.string(),
  databaseUrl: z.string(),
  temporalAddress: z.string(),
  temporalNamespace: z.string(),
  /** Null where an external Temporal is used. */
  temporalUiUrl: z.string().nullable(),
  /** Version of the Temporal server. */
  temporalServer: z.string(),
  apiUrl: z.string(),
  /** Base URL of the Ollama (or built-in reader) that answers. */
  modelHost: z.string(),
  /** API of the simulated provider; null where none runs. */
  /** APIs of the simulated providers, by the provider's name. */
  providerUrls: z.record(z.string(), z.string()).default({}),
  models: z.string(),
  /** What a foreign Temporal server refused to set, one line each. */
  refusedTemporalSettings: z.array(z.string()),
});

/** Addresses and facts of a running runtime. */
export type RuntimeInfo = z.infer<typeof runtimeInfoSchema>;

const controlFileSchema = z.object({
  pid: z.number().int().positive(),
  startTime: z.string(),
  port: z.number().int(),
  token: z.string(),
});

/** How to reach the supervisor of a data directory. */
export type ControlFile = z.infer<typeof controlFileSchema>;

export function controlFilePath(home: string): string {
  return join(home, 'run', 'control.json');
}

export function runtimeFilePath(home: string): string {
  return join(home, 'run', 'runtime.json');
}

/** How to reach the live supervisor of a data directory; undefined if there is none. */
export function readControlFile(home: string): ControlFile | undefined {
  const path = controlFilePath(home);
  if (!existsSync(path)) return undefined;
  try {
    const control = controlFileSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
    return isSameProcessAlive(control) ? control : undefined;
  } catch {
    // Removed meanwhile, or written by another version: there is no supervisor to talk to.
    return undefined;
  }
}

/**
 * Base URL of the API: DECKHAND_API_URL, or the one of the runtime of this data directory.
 *
 * @throws DeckhandError `service_unavailable` if no runtime uses this data directory, or if it is still starting
 */
export function runningApiUrl(config: Config): string {
  if (config.apiUrl !== undefined) return config.apiUrl;
  if (readControlFile(config.home) === undefined) {
    throw new DeckhandError('service_unavailable', `no runtime in ${config.home}`, {
      userMessage: `Deckhand does not run on ${config.home}.`,
      hint: 'Start it with `./deckhand up`, or set DECKHAND_API_URL (and DECKHAND_API_KEY) to the address of another.',
    });
  }
  const file = runtimeFilePath(config.home);
  const info = existsSync(file) ? runtimeInfoSchema.safeParse(JSON.parse(readFileSync(file, 'utf8'))) : undefined;
  if (info?.success === true) return info.data.apiUrl;
  throw new DeckhandError('service_unavailable', `${file} is not there yet`, {
    userMessage: 'Deckhand is still starting.',
    hint: 'Try again in a moment.',
  });
}
