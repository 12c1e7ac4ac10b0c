/**
 * What a running runtime tells about itself, and the words that commands and their supervisor exchange.
 *
 * A command finds the supervisor through `<home>/run/control.json` and talks to it in JSON lines over a loopback socket. An open
 * connection is a hold: when the last one closes, also because the command was killed, the runtime ends, unless it was told to stay.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isErrorCode } from '../domain/errors.ts';
import { isSameProcessAlive } from '../platform/processes/process-identity.ts';

/** Addresses and facts of a running runtime; `<home>/run/runtime.json`. */
export const runtimeInfoSchema = z.object({
  home: z.string(),
  databaseUrl: z.string(),
  temporalAddress: z.string(),
  temporalNamespace: z.string(),
  /** Null where Temporal is somebody else's. */
  temporalUiUrl: z.string().nullable(),
  /** Version of the Temporal server. */
  temporalServer: z.string(),
  apiUrl: z.string(),
  /** Base URL of the Ollama (or built-in reader) that answers. */
  modelHost: z.string(),
  /** API of the simulated provider; null where none runs. */
  providerUrl: z.string().nullable().default(null),
  models: z.enum(['reader', 'ollama']),
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
    // Removed between the two looks, or left by another version: no supervisor that we could talk to.
    return undefined;
  }
}

const childStatusSchema = z.object({
  name: z.string(),
  pid: z.number().optional(),
  ready: z.boolean(),
  restarts: z.number(),
});

/** From a command to the supervisor. The first message must carry the token. */
export const requestSchema = z.object({
  token: z.string().optional(),
  /** hold: keep the runtime while this connection lives. release: I am done. keep: stay when everybody is done. stop: end now. */
  op: z.enum(['hold', 'release', 'keep', 'stop', 'status']),
});
export type ControlRequest = z.infer<typeof requestSchema>;

/** From the supervisor to a command. */
export const replySchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('progress'), message: z.string() }),
  z.object({ type: z.literal('ready'), runtime: runtimeInfoSchema }),
  z.object({
    type: z.literal('failed'),
    code: z.string().refine(isErrorCode),
    message: z.string(),
    userMessage: z.string(),
    hint: z.string().optional(),
  }),
  /** A child ended and will be started again. */
  z.object({
    type: z.literal('restart'),
    name: z.string(),
    reason: z.string(),
    restarts: z.number(),
    nextStartInMs: z.number(),
  }),
  z.object({ type: z.literal('status'), children: z.array(childStatusSchema), kept: z.boolean(), holds: z.number() }),
  /** The answer to release and keep: whether the runtime ends now. */
  z.object({ type: z.literal('released'), stopping: z.boolean() }),
  z.object({ type: z.literal('stopping') }),
]);
export type ControlReply = z.infer<typeof replySchema>;
