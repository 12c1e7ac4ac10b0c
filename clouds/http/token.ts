/**
 * The access token: one per client, shared by all its calls and renewed early, with one request at a time.
 */
import { z } from 'zod';
import { providerError } from '../errors.ts';
import { readJson } from './text.ts';

export interface TokenSource {
  /** A token that should be valid for a while. @param withinMs limit of the request, where one is made for this call */
  current(withinMs?: number): Promise<string>;
  /** A token other than this one, which the API refused. */
  renew(refused: string, withinMs?: number): Promise<string>;
}

export interface TokenSourceOptions {
  /** Name of the provider, for messages. */
  readonly provider: string;
  /** Sends one token request, within so many ms. @returns the body of its answer @throws DeckhandError `provider_auth` and others */
  readonly request: (withinMs: number) => Promise<string>;
  readonly now: () => number;
  /** How long before its end a token is renewed. One that lives shorter than that is used for half its life. */
  readonly renewEarlyMs: number;
}

/** Life of a token whose answer does not tell it. */
const SHORT_LIFE_SEC = 600;

const tokenSchema = z.looseObject({
  access_token: z.string().min(1),
  expires_in: z.coerce.number().positive().catch(SHORT_LIFE_SEC),
});

export function createTokenSource({ provider, request, now, renewEarlyMs }: TokenSourceOptions): TokenSource {
  let held: { readonly text: string; readonly renewAtMs: number } | null = null;
  let asking: Promise<string> | null = null;

  const ask = async (withinMs: number): Promise<string> => {
    const askedAtMs = now();
    const parsed = tokenSchema.safeParse(readJson(await request(withinMs)));
    if (!parsed.success) throw providerError('transient', `${provider} answered a token request without a token`);
    const lifeMs = parsed.data.expires_in * 1000;
    held = { text: parsed.data.access_token, renewAtMs: askedAtMs + Math.max(lifeMs - renewEarlyMs, lifeMs / 2) };
    return held.text;
  };
  const shared = async (withinMs: number): Promise<string> =>
    (asking ??= ask(withinMs).finally(() => {
      asking = null;
    }));

  return {
    current: async (withinMs = Infinity) => (held !== null && now() < held.renewAtMs ? held.text : shared(withinMs)),
    async renew(refused, withinMs = Infinity) {
      if (held !== null && held.text !== refused) return held.text;
      held = null;
      return shared(withinMs);
    },
  };
}
