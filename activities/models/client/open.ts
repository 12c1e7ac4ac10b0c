/** Chooses the adapter for a model server. */
import { readFile } from 'node:fs/promises';
import { DeckhandError } from '../../../domain/errors.ts';
import type { ModelServer } from './model-server.ts';
import { ollamaServer } from './ollama/server.ts';

/** The server at this base URL. Nothing is sent. @param key bearer token of every request; null = none */
export const openModelServer = (url: string, key: string | null = null): ModelServer => ollamaServer({ url, key });

/** The key of a file that people write; null where it cannot be read or holds no key alone. */
export async function keyInFile(file: string): Promise<string | null> {
  const text = (await readFile(file, 'utf8').catch(() => '')).trim();
  return /^[!-~]+$/u.test(text) ? text : null;
}

/** A server whose key may be in a file. Nothing is sent. @throws DeckhandError `invalid_request` for a file without a key */
export async function openKeyedServer({
  url,
  keyFile,
}: {
  readonly url: string;
  readonly keyFile: string | null;
}): Promise<ModelServer> {
  const key = keyFile === null ? null : await keyInFile(keyFile);
  if (keyFile === null || key !== null) return openModelServer(url, key);
  const message = `The key file ${keyFile} cannot be read where the API runs, or holds more or less than a key.`;
  throw new DeckhandError('invalid_request', message, {
    userMessage: message,
    hint: 'Name a file with the key alone: --key-file FILE.',
  });
}
