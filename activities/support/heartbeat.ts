/** Heartbeats from a timer during a whole activity, because a model may load for minutes before its first token. */
import { Context } from '@temporalio/activity';

const HEARTBEAT_INTERVAL_MS = 1000;

/** Runs `work` while heartbeating each second with the details `work` last set; gives it the activity's cancellation signal. */
export async function withHeartbeat<D, T>(
  initial: D,
  work: (activity: { readonly signal: AbortSignal; readonly report: (details: D) => void }) => Promise<T>,
): Promise<T> {
  // Taken at the top: inside an abort listener the activity context is gone.
  const context = Context.current();
  let details = initial;
  context.heartbeat(details);
  const timer = setInterval(() => context.heartbeat(details), HEARTBEAT_INTERVAL_MS);
  try {
    return await work({
      signal: context.cancellationSignal,
      report: (next) => {
        details = next;
      },
    });
  } finally {
    clearInterval(timer);
  }
}

type Activities = Readonly<Record<string, (input: never) => Promise<unknown>>>;

/** Adds a heartbeat each second to activities, starting after the first second, when most have ended. */
export function heartbeating<A extends Activities | object>(activities: A): A {
  const wrapped = Object.entries(activities as Activities).map(([name, run]) => [
    name,
    async (input: never): Promise<unknown> => {
      const context = Context.current();
      const timer = setInterval(() => context.heartbeat(), HEARTBEAT_INTERVAL_MS);
      try {
        return await run(input);
      } finally {
        clearInterval(timer);
      }
    },
  ]);
  return Object.fromEntries(wrapped) as A;
}
