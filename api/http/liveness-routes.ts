/**
 * Health: whether the database and Temporal answer this process, 503 when one of them does not; and the proof that this process holds its
 * data directory, which commands ask for before they show a key.
 */
import { z } from '@hono/zod-openapi';
import type { RouteDeps } from '../context.ts';
import type { Logger } from '../../platform/log.ts';
import { pingTemporal } from '../../platform/temporal/unreachable.ts';
import { NONCE, proveHome } from '../../platform/api-proof.ts';
import { json, problems, route } from './definition.ts';
import { group } from './routes.ts';
import { type check, type healthSchema, healthRoute } from './liveness-schemas.ts';

/** Deadline of one call to Temporal; the client may retry once more after it. */
const PING_DEADLINE_MS = 1500;
/** A check that takes longer counts as no answer; longer than a ping, so that no call is left behind. */
const CHECK_LIMIT_MS = 5000;

const proofSchema = z.object({ proof: z.string() }).openapi('HomeProof');

const proofRoute = route('get', '/health/proof', {
  summary: 'Proves that this API holds its data directory.',
  description: 'HMAC-SHA256 over the port that was asked and the nonce, under a secret of the data directory.',
  request: { query: z.object({ nonce: z.string().regex(NONCE, 'must be 32 bytes in base64url') }) },
  responses: { 200: json(proofSchema, 'The proof.'), ...problems(400) },
});

/** Asks the database and Temporal; what does not answer in time is unreachable, and logged. */
export async function serviceHealth(
  { db, temporal }: Pick<RouteDeps, 'db' | 'temporal'>,
  log: Logger,
): Promise<z.infer<typeof healthSchema>> {
  const outcome = async (name: string, work: Promise<unknown>): Promise<z.infer<typeof check>> => {
    try {
      await withLimit(work);
      return 'ok';
    } catch (error) {
      log.warn({ err: error }, `${name} does not answer`);
      return 'unreachable';
    }
  };
  const [database, engine] = await Promise.all([
    outcome('database', db.$queryRaw`SELECT 1`),
    outcome('temporal', pingTemporal(temporal, PING_DEADLINE_MS)),
  ]);
  const ok = database === 'ok' && engine === 'ok';
  return { status: ok ? 'ok' : 'unavailable', database, temporal: engine };
}

/** The routes of health. */
export const healthRoutes = group(({ db, temporal, config }, routes) => {
  routes.openapi(healthRoute, async (c) => {
    const health = await serviceHealth({ db, temporal }, c.get('log'));
    return c.json(health, health.status === 'ok' ? 200 : 503);
  });
  routes.openapi(proofRoute, (c) => {
    const { localPort = config.apiPort } = c.env.incoming.socket;
    return c.json({ proof: proveHome(config.home, c.req.valid('query').nonce, localPort) }, 200);
  });
});

/** A connection pool without a server waits long; a health check must not. */
async function withLimit(work: Promise<unknown>): Promise<void> {
  const limit = Promise.withResolvers<never>();
  const timer = setTimeout(() => limit.reject(new Error(`no answer within ${CHECK_LIMIT_MS} ms`)), CHECK_LIMIT_MS);
  try {
    await Promise.race([work, limit.promise]);
  } finally {
    clearTimeout(timer);
  }
}
