/**
 * Operations: what a change is answered with. The answer says that it was accepted; how it ended is in the operation, later.
 */
import { z } from 'zod';
import { isProviderError, providerError } from '../../errors.ts';
import { get, getAll, jsonOf, nameInUrl, nullableTime, text } from '../http/reading.ts';
import { operationError, operationErrorSchema, readOperationError, type RefusedCall } from '../http/refusal.ts';
import type { GoogleCall, GoogleTransport } from '../http/transport.ts';
import type { ZonalId } from '../settings.ts';

const operationSchema = z.object({
  name: z.string().min(1),
  status: text,
  operationType: text,
  targetLink: text,
  zone: nameInUrl,
  insertTime: nullableTime,
  endTime: nullableTime,
  error: operationErrorSchema.nullable().catch(null),
});

/** An operation as Compute Engine describes it. */
export type OperationData = z.infer<typeof operationSchema>;

/** Pauses between two looks at an operation, ms; the last one repeats. */
const LOOK_PAUSES_MS = [500, 1_000, 2_000, 3_000];

/** Sends a change and gives its operation. @throws DeckhandError `provider_*` */
export const sendOperation = (http: GoogleTransport, call: GoogleCall): Promise<OperationData> =>
  http.send(call, jsonOf(call, operationSchema));

const operationPath = ({ project }: GoogleTransport, zone: string, name: string): string =>
  zone === ''
    ? `/projects/${project}/global/operations/${name}`
    : `/projects/${project}/zones/${zone}/operations/${name}`;

/** How long an operation is waited for, and whether a look at it that fails is an error: what was accepted goes on without looks. */
interface Patience {
  readonly withinMs: number;
  readonly looksMayFail?: boolean;
}

/**
 * Waits until an operation has ended, for so long at most.
 *
 * @returns how it stood last; whether it has ended is in its status
 * @throws DeckhandError the error that it ended with, or that of a look at it
 */
export async function settled(
  http: GoogleTransport,
  operation: OperationData,
  call: RefusedCall,
  { withinMs, looksMayFail = false }: Patience,
): Promise<OperationData> {
  let seen = operation;
  const untilMs = http.now() + withinMs;
  for (let looks = 0; ; looks += 1) {
    if (seen.error !== null) throw operationError(call, readOperationError(seen.error, http.clean));
    const pauseMs = LOOK_PAUSES_MS[Math.min(looks, LOOK_PAUSES_MS.length - 1)] ?? 0;
    if (seen.status === 'DONE' || http.now() + pauseMs > untilMs) return seen;
    await http.wait(pauseMs);
    try {
      seen = await get(http, operationPath(http, seen.zone, seen.name), operationSchema);
    } catch (error) {
      if (looksMayFail) return seen;
      throw error;
    }
  }
}

/** Waits until a change has ended. @throws DeckhandError `provider_not_yet` when it goes on after that time */
export async function ended(
  http: GoogleTransport,
  operation: OperationData,
  call: RefusedCall,
  withinMs: number,
): Promise<void> {
  const { status, name } = await settled(http, operation, call, { withinMs });
  if (status !== 'DONE') throw providerError('not_yet', `${call.where}: ${name} goes on after ${withinMs} ms`);
}

const operations = z.object({ items: z.array(operationSchema).nullish() }).transform(({ items }) => items ?? []);

/** The latest operation that made an instance of this name, while Google still remembers it (some weeks); null = none. */
export async function lastInsert(http: GoogleTransport, { zone, name }: ZonalId): Promise<OperationData | null> {
  const path = `/projects/${http.project}/zones/${zone}/operations`;
  // A regular expression over the whole field, as `eq` takes it.
  const filter = `targetLink eq ".*/zones/${zone}/instances/${name}"`;
  const found = await getAll(http, { path, query: { filter, maxResults: 500 } }, operations).catch((error: unknown) => {
    // A zone that does not exist has no operations.
    if (isProviderError(error, 'gone')) return [];
    throw error;
  });
  const inserts = found.filter(
    ({ operationType, targetLink }) =>
      operationType === 'insert' && targetLink.endsWith(`/zones/${zone}/instances/${name}`),
  );
  return inserts.toSorted((a, b) => (b.insertTime ?? 0) - (a.insertTime ?? 0))[0] ?? null;
}
