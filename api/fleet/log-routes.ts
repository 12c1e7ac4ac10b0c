/** What the deployment of an endpoint pool has logged. */
import { DeckhandError } from '../../domain/errors.ts';
import type { PoolConfig } from '../../domain/fleet/pool/pool-config.ts';
import { loadFleet } from '../../clouds/fleet-file.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { group } from '../http/routes.ts';
import { staticFleet } from './open-selection.ts';
import { logsRoute } from './log-schemas.ts';

/** The route of logs. */
export const logRoutes = group(({ db, config, endpoints }, routes) => {
  routes.openapi(logsRoute, async (c) => {
    const { pool: name } = c.req.valid('param');
    const pool = await deployedPool(db, loadFleet(config).pools, name);
    if (endpoints === undefined) throw staticFleet(config.fleetFile);
    const lines = await endpoints().scaler(pool).logs(c.req.valid('query'));
    if (lines === null)
      throw new DeckhandError('not_found', `pool ${name} has no deployment now`, {
        userMessage: `The deployment of pool ${name} does not exist now, and its logs were deleted with it.`,
        hint: 'It is made when there is work; `./deckhand fleet` says what the pool does.',
      });
    const at = (atMs: number | null): string | null => (atMs === null ? null : new Date(atMs).toISOString());
    return c.json({ pool: name, lines: lines.map(({ atMs, ...line }) => ({ at: at(atMs), ...line })) }, 200);
  });
});

/** @throws DeckhandError `not_found`, `invalid_request` for what has no logs that a provider keeps, each with the next step */
async function deployedPool(db: PrismaClient, pools: readonly PoolConfig[], name: string): Promise<PoolConfig> {
  const pool = pools.find((one) => one.name === name);
  if (pool?.endpoint?.deployment !== undefined) return pool;
  if (pool?.endpoint !== undefined)
    throw new DeckhandError('invalid_request', `pool ${name} is a URL`, {
      userMessage: `Pool ${name} is the model server at ${pool.endpoint.url ?? 'a URL'}, whose logs Deckhand cannot read.`,
      hint: 'Look at them where it runs; `./deckhand fleet health` shows what Deckhand measured of it.',
    });
  if (pool !== undefined)
    throw new DeckhandError('invalid_request', `pool ${name} has machines`, {
      userMessage: `Pool ${name} has machines, and their logs stay on them.`,
      hint: '`./deckhand fleet show NAME` says what happened to one, `./deckhand fleet health NAME` what was measured.',
    });
  const instance = await db.fleetInstance.findUnique({ where: { name }, select: { pool: true } });
  const ofInstance =
    instance === null
      ? null
      : pools.find((one) => one.name === instance.pool && one.endpoint?.deployment !== undefined);
  if (ofInstance)
    throw new DeckhandError('invalid_request', `${name} is an instance`, {
      userMessage: `${name} is an instance of pool ${ofInstance.name}; which replica is its own cannot be told, so logs are those of the pool.`,
      hint: `Ask for \`./deckhand fleet logs ${ofInstance.name}\`.`,
    });
  const deployed = pools.filter((one) => one.endpoint?.deployment !== undefined).map((one) => one.name);
  throw new DeckhandError('not_found', `no pool ${name}`, {
    userMessage: `There is no pool ${name} in the fleet file.`,
    hint:
      deployed.length === 0
        ? 'Logs are those of a deployment, and no pool of the fleet file has one.'
        : `Pools with a deployment are ${deployed.join(', ')}.`,
  });
}
