/**
 * The access token of a service principal: one per client, shared by all its calls and renewed early, with one request at a time.
 */
import { z } from 'zod';
import type { DeckhandError } from '../../../domain/errors.ts';
import { tryJson } from '../../../domain/text/json.ts';
import { providerError } from '../../errors.ts';
import type { Call, Wire, WireAnswer } from '../../http/wire.ts';
import type { AzureCredentials } from '../credentials.ts';

/** See the file's header. */
export interface TokenSource {
  /** A token that is valid for some minutes. @param withinMs limit of the request, where one is made for this call */
  current(withinMs: number): Promise<string>;
  /** Forgets this token, which the API refused. */
  forget(refused: string): void;
}

/** Azure asks clients to renew well before the end, which is after an hour or more. */
const RENEW_EARLY_MS = 300_000;

/** The address that the token is for; a simulator takes the same. */
const SCOPE = 'https://management.azure.com/.default';

const tokenSchema = z.looseObject({
  access_token: z.string().min(1),
  expires_in: z.coerce.number().positive().catch(3_600),
});

/** A source that asks with the client secret. @param refused makes the error of an answer that is no 200 */
export function createTokenSource(
  { tenantId, clientId, clientSecret }: AzureCredentials,
  wire: Wire,
  refused: (call: Call, answer: WireAnswer) => DeckhandError,
  now: () => number,
): TokenSource {
  let held: { readonly text: string; readonly renewAtMs: number } | null = null;
  let asking: Promise<string> | null = null;
  const call: Call = { kind: 'token', method: 'POST', path: `/${encodeURIComponent(tenantId)}/oauth2/v2.0/token` };

  const ask = async (withinMs: number): Promise<string> => {
    const askedAtMs = now();
    const fields = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret, scope: SCOPE };
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const answer = await wire(call, headers, new URLSearchParams(fields).toString(), withinMs);
    if (answer.status !== 200) throw refused(call, answer);
    const parsed = tokenSchema.safeParse(tryJson(answer.text));
    if (!parsed.success) throw providerError('transient', 'the sign-in of Azure answered without a token');
    const lifeMs = parsed.data.expires_in * 1000;
    held = { text: parsed.data.access_token, renewAtMs: askedAtMs + Math.max(lifeMs - RENEW_EARLY_MS, lifeMs / 2) };
    return held.text;
  };

  return {
    async current(withinMs) {
      if (held !== null && now() < held.renewAtMs) return held.text;
      asking ??= ask(withinMs).finally(() => {
        asking = null;
      });
      return asking;
    },
    forget(refusedToken) {
      if (held?.text === refusedToken) held = null;
    },
  };
}
