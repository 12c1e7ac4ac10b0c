/**
 * The client of the API for commands and watchers: with the key of this data directory, or the one that DECKHAND_API_KEY names.
 *
 * Another program may listen on the port of this data directory's API. So the server has to prove that it holds the directory before each
 * request; until then neither a key nor the request is sent to it.
 */
import { z } from 'zod';
import { createDeckhandClient, type DeckhandClient, type KeySource, noAnswer } from '../client.ts';
import { DeckhandError } from '../../domain/errors.ts';
import { tryJson } from '../../domain/text/json.ts';
import { isProofOfHome, newNonce } from '../../platform/api-proof.ts';
import type { Config } from '../../platform/config.ts';
import { clientApiKey } from '../../platform/own-api-key.ts';

/** A proof needs no database; an API that takes longer counts as away. */
const PROOF_LIMIT_MS = 10_000;
const proofSchema = z.object({ proof: z.string() });

/** A client of the API at this URL. */
export function clientOf(config: Config, apiUrl: string): DeckhandClient {
  return createDeckhandClient(apiUrl, { apiKey: keySource(config, apiUrl) });
}

function keySource(config: Config, apiUrl: string): KeySource {
  const isNamed = config.apiUrl === apiUrl;
  return async (signal) => {
    const key = clientApiKey(config, apiUrl);
    // A configured address with a configured key needs no proof; without a key, no key of this directory is sent.
    if (isNamed && (key === undefined || key === config.apiKey)) return key;
    if (await holdsHome(apiUrl, config.home, signal)) return clientApiKey(config, apiUrl);
    if (isNamed) return undefined;
    throw new DeckhandError('service_unavailable', `${apiUrl} did not prove that it holds ${config.home}`, {
      userMessage: `What listens at ${apiUrl} is not the Deckhand of ${config.home}. Nothing was sent to it.`,
      hint: 'Start this one with `./deckhand up`, or name another by DECKHAND_API_URL and DECKHAND_API_KEY.',
    });
  };
}

/** Whether the API at this URL holds a data directory. @throws DeckhandError `service_unavailable` when nothing answers */
async function holdsHome(apiUrl: string, home: string, signal?: AbortSignal): Promise<boolean> {
  const nonce = newNonce();
  const url = new URL(`${apiUrl}/api/v1/health/proof?nonce=${nonce}`);
  const limit = AbortSignal.timeout(PROOF_LIMIT_MS);
  let text: string;
  try {
    const ended = signal === undefined ? limit : AbortSignal.any([signal, limit]);
    text = await (await fetch(url, { signal: ended, redirect: 'error' })).text();
  } catch (error) {
    signal?.throwIfAborted();
    throw noAnswer(apiUrl, error);
  }
  const answer = proofSchema.safeParse(tryJson(text));
  const port = Number(url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : url.port);
  return answer.success && isProofOfHome(home, nonce, port, answer.data.proof);
}
