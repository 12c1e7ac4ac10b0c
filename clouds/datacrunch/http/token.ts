/**
 * The access token: one per client, shared by all its calls and renewed a minute early, with one request at a time.
 */
import { z } from 'zod';
import { providerError } from '../../errors.ts';
import type { DeckhandError } from '../../../domain/errors.ts';
import { readJson } from '../../http/text.ts';
import type { Call, Wire, WireAnswer } from '../../http/wire.ts';
import { readRefusal } from './body.ts';

/** Credentials of one project. Secret. */
export interface DataCrunchCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Sends one token request, within so many ms. @returns the body of the 200 @throws DeckhandError `provider_auth` and others */
export type RequestToken = (body: Readonly<Record<string, string>>, withinMs: number) => Promise<string>;

/** See the file's header. */
export interface TokenSource {
  /** A token that should be valid for at least a minute. @param withinMs limit of the request, where one is made for this call */
  current(withinMs?: number): Promise<string>;
  /** A token other than this one, which the API refused. */
  renew(refused: string, withinMs?: number): Promise<string>;
}

const RENEW_EARLY_MS = 60_000;

const tokenSchema = z.looseObject({
  access_token: z.string().min(1),
  expires_in: z.coerce.number().positive().catch(600),
});

interface Token {
  readonly text: string;
  readonly renewAtMs: number;
}

const TOKEN_CALL: Call = { kind: 'token', method: 'POST', path: '/oauth2/token' };

/** Asks over the wire: as JSON, and as a form where something in front of the API reads forms only. */
export function tokenRequester(wire: Wire, refused: (call: Call, answer: WireAnswer) => DeckhandError): RequestToken {
  return async (fields, withinMs) => {
    let answer = await wire(TOKEN_CALL, { 'Content-Type': 'application/json' }, JSON.stringify(fields), withinMs);
    if (answer.status === 400 && /grant.?type|not valid json/iu.test(readRefusal(answer.text).message)) {
      const form = new URLSearchParams({ ...fields }).toString();
      answer = await wire(TOKEN_CALL, { 'Content-Type': 'application/x-www-form-urlencoded' }, form, withinMs);
    }
    if (answer.status !== 200 && answer.status !== 201) throw refused(TOKEN_CALL, answer);
    return answer.text;
  };
}

/** A source that asks with the client credentials each time: the API's refresh tokens save nothing. */
export function createTokenSource(
  credentials: DataCrunchCredentials,
  request: RequestToken,
  now: () => number,
): TokenSource {
  let held: Token | null = null;
  let asking: Promise<Token> | null = null;

  const ask = async (withinMs: number): Promise<Token> => {
    const askedAtMs = now();
    const { clientId: client_id, clientSecret: client_secret } = credentials;
    const text = await request({ grant_type: 'client_credentials', client_id, client_secret }, withinMs);
    const parsed = tokenSchema.safeParse(readJson(text));
    if (!parsed.success) throw providerError('transient', 'DataCrunch answered POST /oauth2/token without a token');
    const lifeMs = parsed.data.expires_in * 1000;
    // A token that lives shorter than the margin is used for half its life.
    return { text: parsed.data.access_token, renewAtMs: askedAtMs + Math.max(lifeMs - RENEW_EARLY_MS, lifeMs / 2) };
  };

  const shared = (withinMs: number): Promise<Token> => {
    asking ??= ask(withinMs).then(
      (token) => {
        held = token;
        asking = null;
        return token;
      },
      (error: unknown) => {
        asking = null;
        throw error;
      },
    );
    return asking;
  };

  return {
    async current(withinMs = Infinity) {
      if (held !== null && now() < held.renewAtMs) return held.text;
      return (await shared(withinMs)).text;
    },
    async renew(refused, withinMs = Infinity) {
      if (held !== null && held.text !== refused) return held.text;
      held = null;
      return (await shared(withinMs)).text;
    },
  };
}
