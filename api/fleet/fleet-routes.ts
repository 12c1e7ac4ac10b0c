/** Routes of the fleet: what there is, why, and what it costs; and what an operator can ask of an instance. */
import { liftBlocks, readStandingBlocks } from '../../activities/fleet/selection/offer-blocks.ts';
import { loadFleet } from '../../clouds/fleet-file.ts';
import { DeckhandError } from '../../domain/errors.ts';
import type { PoolConfig } from '../../domain/fleet/pool/pool-config.ts';
import { blockDocument, loadFleetView, loadInstance } from './fleet-view.ts';
import { loadHealth } from '../health/health-view.ts';
import { askInstance } from './operator-asks.ts';
import { group } from '../http/routes.ts';
import { fleetRoute, instanceRoute, healthRoute, askRoute, blocksRoute, unblockRoute } from './fleet-schemas.ts';

/** Name of the requester, until there are users. */
const OPERATOR = 'the operator';

/** The routes of the fleet. */
export const fleetRoutes = group(({ db, temporal, config }, routes) => {
  let pools: readonly PoolConfig[] | undefined;
  // As they run: a fleet file that is changed counts from the next start.
  const configured = (): readonly PoolConfig[] => (pools ??= loadFleet(config).pools);
  routes.openapi(fleetRoute, async (c) => c.json(await loadFleetView(db, new Date(), configured()), 200));
  routes.openapi(instanceRoute, async (c) =>
    c.json(await loadInstance(db, c.req.valid('param').name, new Date()), 200),
  );
  routes.openapi(healthRoute, async (c) =>
    c.json(await loadHealth(db, c.req.valid('param').name, c.req.valid('query')), 200),
  );
  routes.openapi(blocksRoute, async (c) =>
    c.json({ items: (await readStandingBlocks(db, new Date())).map(blockDocument) }, 200),
  );
  routes.openapi(unblockRoute, async (c) => {
    const { scope } = c.req.valid('query');
    const lifted = await liftBlocks(db, scope ?? null, new Date());
    if (scope !== undefined && lifted.length === 0) {
      throw new DeckhandError('not_found', `no block of ${scope}`, {
        userMessage: `Nothing is blocked under ${scope}.`,
        hint: '`./deckhand fleet --json` lists every block.',
      });
    }
    c.get('log').info({ scopes: lifted.map((block) => block.scopeKey) }, 'an operator lifted blocks');
    return c.json({ items: lifted.map(blockDocument) }, 200);
  });
  routes.openapi(askRoute, async (c) => {
    const { name, request } = c.req.valid('param');
    await askInstance(db, temporal, { instance: name, request, by: OPERATOR });
    c.get('log').info({ instance: name, request }, 'an operator asked something of an instance');
    return c.json(await loadInstance(db, name, new Date()), 202);
  });
});
