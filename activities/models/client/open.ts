/** Chooses the adapter for a model server. */
import { open } from 'node:fs/promises';
import { DeckhandError, errorText } from '../../../domain/errors.ts';
import { SERVER_KINDS, type ServerKind } from '../../../domain/models/server-kind.ts';
import type { ServerAddress } from './connection.ts';
import { Egress, reachWith } from './egress.ts';
import { isAboutKey } from './faults.ts';
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
  /** A key that our own proxy adds; it is blanked out of all that is shown or stored. */
  readonly secret?: string | null;
  /** Whether connections may leave the network; left out = they may not. */
  readonly egress?: Egress;
}

/** The server at an address. Nothing is sent. */
export function openModelServer({
  kind,
  url,
  key = null,
  secret = key,
  egress = new Egress(),
}: ServerPlace): ModelServer {
  const address: ServerAddress = { url, key, secret, egress };
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
 * @throws DeckhandError `invalid_request` for a file without a usable key, `data_would_leave`; the signal's reason
 */
export async function kindOfServer(place: Omit<KeyedPlace, 'kind'>, signal: AbortSignal): Promise<ServerKind> {
  for (const kind of SERVER_KINDS) {
    const server = await openKeyedServer({ ...place, kind });
    try {
      await server.version({ signal });
      return kind;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof DeckhandError) || error.code === 'data_would_leave') throw error;
      // It loads, is busy, or wants a key, and has nothing where Ollama answers.
      if (kind === 'openai' && (error.code !== 'model_unreachable' || isAboutKey(error))) return kind;
    }
  }
  return 'ollama';
}

/** A server with the file of its key; null = none is sent. */
export interface KeyedPlace extends Omit<ServerPlace, 'key' | 'secret' | 'egress'> {
  readonly keyFile: string | null;
  /** Slides may leave the network for it. */
  readonly dataLeavesHost: boolean;
}

/** A server whose key may be in a file. Nothing is sent. @throws DeckhandError `invalid_request` for a file without a usable key */
export async function openKeyedServer({ keyFile, dataLeavesHost, ...place }: KeyedPlace): Promise<ModelServer> {
  const egress = new Egress(reachWith(dataLeavesHost));
  return openModelServer({ ...place, key: keyFile === null ? null : await keyInFile(keyFile), egress });
}

/** Others may read or change the key. A group may read it: a container often reads its secrets by its group alone. */
const OPEN_TO_OTHERS = 0o026;

/**
 * The key in a file that people write.
 *
 * @throws DeckhandError `invalid_request` saying why it is not used: it cannot be read, holds no key alone, or others may read or change it
 */
export async function keyInFile(file: string): Promise<string> {
  const refused = (why: string, hint: string): DeckhandError => {
    const message = `The key file ${file} ${why}.`;
    return new DeckhandError('invalid_request', message, { userMessage: message, hint });
  };
  const unread = (error: unknown): DeckhandError =>
    refused(
      `cannot be read: ${errorText(error)}`,
      'Name a file that the API and the gateway can read, where they run: --key-file FILE.',
    );
  const handle = await open(file).catch((error: unknown) => {
    throw unread(error);
  });
  try {
    const { mode } = await handle.stat();
    if ((mode & OPEN_TO_OTHERS) !== 0)
      throw refused(
        `may be read or changed by others (mode ${(mode & 0o777).toString(8).padStart(4, '0')})`,
        `chmod 600 ${file}. For a secret of Docker or Kubernetes: mode: 0400 (defaultMode), or 0440 with the group of the process.`,
      );
    const text = await handle.readFile('utf8').catch((error: unknown) => {
      throw unread(error);
    });
    const key = text.trim();
    if (/^[!-~]+$/u.test(key)) return key;
    throw refused('is empty or holds more than a key', 'Write the key alone into it, without white space within.');
  } finally {
    await handle.close();
  }
}
