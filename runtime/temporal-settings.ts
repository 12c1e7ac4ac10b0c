/**
 * What Deckhand needs set on a Temporal server, brought about through its API at each start, idempotently.
 *
 * Start flags would not do: they are ignored for a database that exists. An external server may refuse; what it refused is
 * returned, not thrown, because the pipeline works without it (less can be searched, history is kept for a shorter time).
 */
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { DeckhandError, errorText } from '../domain/errors.ts';
import { SEARCH_ATTRIBUTES } from '../domain/temporal/search-attributes.ts';

/** Days for which closed runs stay on the server. */
const RETENTION_DAYS = 30;
/** Long enough for a server far away or a busy machine; one that is not there is waited for as long. */
const CONNECT_TIMEOUT_MS = 10_000;
const DAY_MS = 24 * 60 * 60 * 1_000;

/** Number of the type Keyword in the API's enum of value types. */
const KEYWORD = 2;

async function withConnection<T>(
  address: string,
  timeoutMs: number,
  use: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = await Connection.connect({ address, connectTimeout: Math.min(timeoutMs, CONNECT_TIMEOUT_MS) });
  try {
    return await connection.withDeadline(Date.now() + timeoutMs, () => use(connection));
  } finally {
    await connection.close();
  }
}

/** True if the server answers and has the namespace. */
export async function temporalAnswers(address: string, namespace: string): Promise<boolean> {
  try {
    await withConnection(address, 2_000, (connection) => connection.workflowService.describeNamespace({ namespace }));
    return true;
  } catch {
    return false;
  }
}

/** Version of the server at this address, such as `1.29.1`. */
export function temporalServerVersion(address: string): Promise<string> {
  return withConnection(address, 5_000, async (connection) => {
    const info = await connection.workflowService.getSystemInfo({});
    return info.serverVersion ?? 'unknown';
  });
}

async function ensureRetention(connection: Connection, namespace: string): Promise<void> {
  const described = await connection.workflowService.describeNamespace({ namespace });
  const seconds = Number(described.config?.workflowExecutionRetentionTtl?.seconds ?? 0);
  // A longer one was set on purpose.
  if (seconds * 1_000 >= RETENTION_DAYS * DAY_MS) return;
  await connection.workflowService.updateNamespace({
    namespace,
    config: { workflowExecutionRetentionTtl: msToTs(RETENTION_DAYS * DAY_MS) },
  });
}

async function ensureSearchAttributes(connection: Connection, namespace: string): Promise<void> {
  const listed = await connection.operatorService.listSearchAttributes({ namespace });
  const missing = SEARCH_ATTRIBUTES.filter((name) => listed.customAttributes?.[name] === undefined);
  if (missing.length === 0) return;
  await connection.operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries(missing.map((name) => [name, KEYWORD])),
  });
}

/**
 * Applies the settings.
 *
 * @returns what the server refused, one line each; empty when all is set
 * @throws DeckhandError `service_unavailable` when the server or the namespace is not there
 */
export async function applyTemporalSettings(address: string, namespace: string): Promise<string[]> {
  try {
    return await withConnection(address, 20_000, async (connection) => {
      const refused: string[] = [];
      await ensureRetention(connection, namespace).catch((error: unknown) =>
        refused.push(`retention of ${RETENTION_DAYS} days: ${errorText(error)}`),
      );
      await ensureSearchAttributes(connection, namespace).catch((error: unknown) =>
        refused.push(`search attributes ${SEARCH_ATTRIBUTES.join(', ')}: ${errorText(error)}`),
      );
      return refused;
    });
  } catch (error) {
    throw new DeckhandError('service_unavailable', `Temporal at ${address}: ${errorText(error)}`, {
      userMessage: `The Temporal server at ${address} does not answer.`,
      hint: 'Start it, or correct or unset TEMPORAL_ADDRESS.',
      cause: error,
    });
  }
}
