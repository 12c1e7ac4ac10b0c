/** Routes of rollouts, for operators: a share of the decks gets other models or another pool, is compared, and is taken back. */
import { loadFleet } from '../../clouds/fleet-file.ts';
import { ownPools } from '../../activities/models/catalog/places.ts';
import { authorOf } from '../auth/identity.ts';
import { group } from '../http/routes.ts';
import { compareSides } from './compare.ts';
import { findRollout, listRollouts, rolloutDocument, startRollout, stopRollout } from './store.ts';
import { startRoute, listRoute, showRoute, stopRoute } from './schemas.ts';

/** The routes of rollouts. */
export const rolloutRoutes = group(({ db, config }, routes) => {
  routes.openapi(startRoute, async (c) => {
    const wish = c.req.valid('json');
    const identity = c.get('identity');
    const { keyId } = identity;
    const held = await ownPools(db, loadFleet(config).pools, config.models);
    const installation = { profile: config.models, ownPools: held };
    const { rollout, created } = await startRollout(db, wish, authorOf(identity), installation);
    c.get('log').info({ rollout, by: keyId }, 'an operator started or changed a rollout');
    return c.json(rollout, created ? 201 : 200);
  });
  routes.openapi(listRoute, async (c) => c.json({ items: await listRollouts(db) }, 200));
  routes.openapi(showRoute, async (c) => {
    const row = await findRollout(db, c.req.valid('param').name);
    return c.json({ ...rolloutDocument(row), ...(await compareSides(db, row.id)) }, 200);
  });
  routes.openapi(stopRoute, async (c) => {
    const identity = c.get('identity');
    const { keyId } = identity;
    const rollout = await stopRollout(db, c.req.valid('param').name, authorOf(identity));
    c.get('log').info({ rollout: rollout.name, by: keyId }, 'an operator ended a rollout');
    return c.json(rollout, 200);
  });
});
