/** Answers with server-sent events: a heartbeat, the time to reconnect after, and the end when the key that opened the stream is revoked. */
import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { IdentityWatch } from '../auth/identity-watch.ts';
import type { ApiEnv } from '../context.ts';

/** Proxies and clients give up on connections that are silent for longer. */
const HEARTBEAT_MS = 15_000;
/** Time that a client should wait before it reconnects. */
const RECONNECT_MS = 2000;

/**
 * Sends what `texts` gives, until it ends, the client leaves or its key is revoked. The signal that `texts` gets aborts in the latter cases.
 *
 * @param about what the stream is of, for the log
 */
export function sendEvents(
  c: Context<ApiEnv>,
  watch: IdentityWatch,
  about: Readonly<Record<string, string>>,
  texts: (signal: AbortSignal) => AsyncIterable<string>,
): Response {
  const log = c.get('log');
  const identity = c.get('identity');
  return streamSSE(c, async (stream) => {
    const gone = new AbortController();
    stream.onAbort(() => gone.abort());
    await stream.write(`retry: ${RECONNECT_MS}\n\n`);
    const cannotContinue = (error: unknown): void =>
      log.warn({ err: error, ...about }, 'the event stream cannot continue');
    void watch
      .untilRefused(identity, gone.signal)
      .catch(cannotContinue)
      .finally(() => gone.abort());
    const heartbeat = setInterval(() => {
      stream.write(': heartbeat\n\n').catch((error: unknown) => {
        cannotContinue(error);
        gone.abort();
      });
    }, HEARTBEAT_MS);
    try {
      for await (const text of texts(gone.signal)) {
        // Queued events of a slow client are dropped.
        if (gone.signal.aborted) break;
        await stream.write(text);
      }
    } catch (error) {
      // Not thrown: the framework would send the client an internal message.
      log.warn({ err: error, ...about }, 'the event stream broke');
    } finally {
      clearInterval(heartbeat);
      gone.abort();
    }
  });
}
