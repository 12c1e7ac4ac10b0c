/** Routes of models: which one answers which task and the digest it is pinned to; servers, models and profiles, which operators change. */
import { poolOfProfile } from '../../activities/models/catalog/places.ts';
import {
  changeCatalog,
  checkProfile,
  chooseProfile,
  putModel,
  putProfile,
  putServer,
  readCatalog,
  removeEntry,
  unpinProfile,
  type Author,
} from '../../activities/models/catalog/store.ts';
import { openKeyedServer } from '../../activities/models/client/open.ts';
import { probeAnswer } from '../../activities/models/probes/generation.ts';
import { loadFleet } from '../../clouds/fleet-file.ts';
import { asDeckhandError } from '../../domain/errors.ts';
import { modelsOfProfile, profileSchema, serverOfProfile, serverSchema } from '../../domain/models/catalog/catalog.ts';
import { findProfile } from '../../domain/models/catalog/lookup.ts';
import { DEFAULT_OLLAMA_URL } from '../../platform/config.ts';
import { authorOf, type Identity } from '../auth/identity.ts';
import type { RouteDeps } from '../context.ts';
import { group } from '../http/routes.ts';
import { addModel } from './add.ts';
import { catalogDocument } from './document.ts';
import { probesDocument } from './probes.ts';
import {
  addRoute,
  catalogRoute,
  chooseRoute,
  listRoute,
  type ModelList,
  probesRoute,
  putModelRoute,
  putProfileRoute,
  putServerRoute,
  removeRoute,
  tryRoute,
  unpinRoute,
} from './schemas.ts';

/** The model configuration of a tenant. */
async function listModels(db: RouteDeps['db'], tenantId: string): Promise<ModelList> {
  const rows = await db.modelConfiguration.findMany({
    // Former settings that open decks keep are not configured any more.
    where: { tenantId, NOT: { profile: { contains: '@' } } },
    orderBy: [{ profile: 'asc' }, { task: 'asc' }],
  });
  return {
    items: rows.map((row) => ({
      profile: row.profile,
      task: row.task,
      model: row.modelName,
      pinnedDigest: row.pinnedDigest,
      pinnedAt: row.pinnedAt?.toISOString() ?? null,
      numCtx: row.numCtx,
      numPredict: row.numPredict,
      temperature: row.temperature,
    })),
  };
}

const TRIAL_LIMIT_MS = 60_000;

const authored = (identity: Identity): Author => ({ owner: 'api', by: authorOf(identity), at: new Date() });

/** The routes of models. */
export const modelRoutes = group(({ db, config }, routes) => {
  const shown = (tenantId: string) => catalogDocument(db, config, tenantId);
  routes.openapi(listRoute, async (c) => c.json(await listModels(db, c.get('tenantId')), 200));
  routes.openapi(unpinRoute, async (c) => {
    const { profile } = c.req.valid('param');
    const author = authored(c.get('identity'));
    await changeCatalog(db, author, (change) => unpinProfile(change, profile, config.modelsFile));
    c.get('log').info({ profile, by: c.get('identity').keyId }, 'an operator unpinned the models of a profile');
    return c.json(await listModels(db, c.get('tenantId')), 200);
  });
  routes.openapi(probesRoute, async (c) => c.json(await probesDocument(db, c.req.valid('query').model), 200));
  routes.openapi(catalogRoute, async (c) => c.json(await shown(c.get('tenantId')), 200));
  routes.openapi(addRoute, async (c) => {
    const identity = c.get('identity');
    const wish = c.req.valid('json');
    const context = {
      tenantId: c.get('tenantId'),
      author: authored(identity),
      registryUrl: config.modelRegistryUrl,
    };
    const added = await addModel(db, wish, context);
    c.get('log').info({ ...added, by: identity.keyId }, 'an operator added a model');
    return c.json(added, 200);
  });
  routes.openapi(putServerRoute, async (c) => {
    const server = serverSchema.parse({ ...c.req.valid('json'), name: c.req.valid('param').name });
    await changeCatalog(db, authored(c.get('identity')), (change) => putServer(change, server));
    c.get('log').info({ server, by: c.get('identity').keyId }, 'an operator changed a model server');
    return c.json(await shown(c.get('tenantId')), 200);
  });
  routes.openapi(putModelRoute, async (c) => {
    const model = c.req.valid('json');
    await changeCatalog(db, authored(c.get('identity')), (change) => putModel(change, model));
    c.get('log').info({ model, by: c.get('identity').keyId }, 'an operator changed a model');
    return c.json(await shown(c.get('tenantId')), 200);
  });
  routes.openapi(putProfileRoute, async (c) => {
    const { ofTenant, ...body } = c.req.valid('json');
    const profile = profileSchema.parse({ ...body, name: c.req.valid('param').name });
    const tenantId = ofTenant ? c.get('tenantId') : null;
    await changeCatalog(db, authored(c.get('identity')), (change) => putProfile(change, profile, tenantId));
    c.get('log').info({ profile, by: c.get('identity').keyId }, 'an operator changed a model profile');
    return c.json(await shown(c.get('tenantId')), 200);
  });
  routes.openapi(removeRoute, async (c) => {
    const { kind, name } = c.req.valid('query');
    await changeCatalog(db, authored(c.get('identity')), (change) => removeEntry(change, kind, name));
    c.get('log').info(
      { kind, name, by: c.get('identity').keyId },
      'an operator removed an entry of the model catalogue',
    );
    return c.json(await shown(c.get('tenantId')), 200);
  });
  routes.openapi(chooseRoute, async (c) => {
    const { profile } = c.req.valid('json');
    await checkProfile(db, c.get('tenantId'), profile);
    // One that nothing holds would let every new deck wait for ever.
    await poolOfProfile(db, { fleetPools: loadFleet(config).pools, installed: config.models }, profile);
    await chooseProfile(db, profile, authorOf(c.get('identity')));
    c.get('log').info({ profile, by: c.get('identity').keyId }, 'an operator chose the model profile of new analyses');
    return c.json(await shown(c.get('tenantId')), 200);
  });
  routes.openapi(tryRoute, async (c) => {
    const { catalog } = await readCatalog(db);
    const profile = findProfile(catalog, c.req.valid('json').profile);
    await checkProfile(db, c.get('tenantId'), profile.name);
    const named = serverOfProfile(profile, catalog.models);
    const place = catalog.servers.find(({ name }) => name === named) ?? {
      url: config.ollamaHost ?? DEFAULT_OLLAMA_URL,
      keyFile: null,
    };
    const { url } = place;
    const server = await openKeyedServer(place);
    const items: {
      model: string;
      url: string;
      isAnswered: boolean;
      loadMs: number;
      answerMs: number;
      reason: string | null;
    }[] = [];
    // One after the other: two models may not fit at the same time.
    for (const { name, window, loadTimeoutMs } of modelsOfProfile(profile, catalog.models)) {
      const tried = { name, numCtx: window, loadTimeoutMs, attemptTimeoutMs: TRIAL_LIMIT_MS };
      try {
        const { loadMs, generationMs } = await probeAnswer(server, tried, { signal: c.req.raw.signal });
        items.push({ model: name, url, isAnswered: true, loadMs, answerMs: generationMs, reason: null });
      } catch (error) {
        c.req.raw.signal.throwIfAborted();
        const { userMessage } = asDeckhandError(error);
        items.push({ model: name, url, isAnswered: false, loadMs: 0, answerMs: 0, reason: userMessage });
      }
    }
    return c.json({ items }, 200);
  });
});
