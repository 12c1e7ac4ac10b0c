/** Chooses the adapter for a model server. */
import { readFile } from 'node:fs/promises';
import { DeckhandError } from '../../../domain/errors.ts';
import { SERVER_KINDS, type ServerKind } from '../../../domain/models/server-kind.ts';
import type { ServerAddress } from './connection.ts';
import type { ModelServer } from './model-server.ts';
import { ollamaServer } from './ollama/server.ts';
import { openAiServer } from './openai/server.ts';

/** A model server, and how it is spoken to. */
export interface ServerPlace {
  readonly kind: ServerKind;
  /** Base URL. */
  readonly url: string;
  /** Bearer token of every request; null, or left out = none. */
  readonly key?: string | null;
}

/** The server at an address. Nothing is sent. */
export function openModelServer({ kind, url, key = null }: ServerPlace): ModelServer {
  const address: ServerAddress = { url, key };
  switch (kind) {
    case 'ollama':
      return ollamaServer(address);
    case 'openai':
      return openAiServer(address);
  }
}

/**
 * The protocol that a server speaks. One that does not answer is taken for an Ollama, whose address is the default.
 *
 * @throws DeckhandError `invalid_request` for a file without a key; the signal's reason
 */
export async function kindOfServer(place: Omit<KeyedPlace, 'kind'>, signal: AbortSignal): Promise<ServerKind> {
  for (const kind of SERVER_KINDS) {
    const server = await openKeyedServer({ ...place, kind });
    try {
      await server.version({ signal });
      return kind;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof DeckhandError)) throw error;
    }
  }
  return 'ollama';
}

/** The key of a file that people write; null where it cannot be read or holds no key alone. */
export async function keyInFile(file: string): Promise<string | null> {
  const text = (await readFile(file, 'utf8').catch(() => '')).trim();
  return /^[!-~]+$/u.test(text) ? text : null;
}

/** A server with the file of its key; null = none is sent. */
export type KeyedPlace = Omit<ServerPlace, 'key'> & { readonly keyFile: string | null };

/** A server whose key may be in a file. Nothing is sent. @throws DeckhandError `invalid_request` for a file without a key */
export async function openKeyedServer({ keyFile, ...place }: KeyedPlace): Promise<ModelServer> {
  const key = keyFile === null ? null : await keyInFile(keyFile);
  if (keyFile === null || key !== null) return openModelServer({ ...place, key });
  const message = `The key file ${keyFile} cannot be read where the API runs, or holds more or less than a key.`;
  throw new DeckhandError('invalid_request', message, {
    userMessage: message,
    hint: 'Name a file with the key alone: --key-file FILE.',
  });
}
