/** Routes of models: which one answers which task and the digest it is pinned to; servers, models and profiles, which operators change. */
import { ownPools, poolOfProfile } from '../../activities/models/catalog/places.ts';
import {
  changeCatalog,
  putModel,
  putProfile,
  putServer,
  unpinProfile,
  type Author,
} from '../../activities/models/catalog/change.ts';
import { chooseProfile } from '../../activities/models/catalog/choice.ts';
import { readCatalog, seenBy } from '../../activities/models/catalog/read.ts';
import { removeEntry } from '../../activities/models/catalog/remove.ts';
import { tryModels } from '../../activities/models/probes/try-models.ts';
import { loadFleet } from '../../clouds/fleet-file.ts';
import { DeckhandError } from '../../domain/errors.ts';
import {
  modelsOfProfile,
  profileSchema,
  READER_PROFILE,
  serverOfProfile,
  serverSchema,
} from '../../domain/models/catalog/catalog.ts';
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

/** @throws DeckhandError `conflict` where the server in use is not the one that holds a profile */
async function refuseElsewhere(db: RouteDeps['db'], config: RouteDeps['config'], profile: string): Promise<void> {
  const place = { fleetPools: loadFleet(config).pools, installed: config.models };
  const held = (await ownPools(db, place.fleetPools, place.installed)).find((pool) => pool.profile === profile);
  if (held !== undefined) {
    const message = `The models of ${profile} are held by pool ${held.name}, whose machines try them before they take a call.`;
    throw new DeckhandError('conflict', message, {
      userMessage: message,
      hint: 'See what they found out: ./deckhand models check. See the machines: ./deckhand fleet.',
    });
  }
  // The built-in reader has no other models.
  if (config.models === READER_PROFILE) await poolOfProfile(db, place, profile);
}

/** Behind a line of the log. */
const LEAVES = ' and allowed that slides leave the network for it';

const authored = (identity: Identity): Author => ({ owner: 'api', by: authorOf(identity), at: new Date() });

/** The routes of models. */
export const modelRoutes = group(({ db, config }, routes) => {
  const shown = (tenantId: string) => catalogDocument(db, config, tenantId);
  routes.openapi(listRoute, async (c) => c.json(await listModels(db, c.get('tenantId')), 200));
  routes.openapi(unpinRoute, async (c) => {
    const { profile } = c.req.valid('param');
    const author = { ...authored(c.get('identity')), tenantId: c.get('tenantId') };
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
    const dataLeavesHost = wish.dataLeavesHost === true;
    c.get('log')[dataLeavesHost ? 'warn' : 'info'](
      { ...added, dataLeavesHost, by: identity.keyId },
      `an operator added a model${dataLeavesHost ? LEAVES : ''}`,
    );
    return c.json(added, 200);
  });
  routes.openapi(putServerRoute, async (c) => {
    const server = serverSchema.parse({ ...c.req.valid('json'), name: c.req.valid('param').name });
    await changeCatalog(db, authored(c.get('identity')), (change) => putServer(change, server));
    const { name, url, dataLeavesHost } = server;
    c.get('log')[dataLeavesHost ? 'warn' : 'info'](
      { server: name, url, dataLeavesHost, by: c.get('identity').keyId },
      `an operator changed a model server${dataLeavesHost ? LEAVES : ''}`,
    );
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
    if (kind === 'profile' && name === config.models) {
      const message = `${name} is the profile that Deckhand was started with.`;
      throw new DeckhandError('conflict', message, {
        userMessage: message,
        hint: 'Start it with another one first: `./deckhand down`, `./deckhand up --models PROFILE`.',
      });
    }
    const author = { ...authored(c.get('identity')), tenantId: c.get('tenantId') };
    await changeCatalog(db, author, (change) => removeEntry(change, kind, name));
    c.get('log').info(
      { kind, name, by: c.get('identity').keyId },
      'an operator removed an entry of the model catalogue',
    );
    return c.json(await shown(c.get('tenantId')), 200);
  });
  routes.openapi(chooseRoute, async (c) => {
    const { profile } = c.req.valid('json');
    findProfile(seenBy(await readCatalog(db), c.get('tenantId')), profile);
    // One that nothing holds would let every new deck wait for ever.
    await poolOfProfile(db, { fleetPools: loadFleet(config).pools, installed: config.models }, profile);
    await chooseProfile(db, profile, authorOf(c.get('identity')));
    c.get('log').info({ profile, by: c.get('identity').keyId }, 'an operator chose the model profile of new analyses');
    return c.json(await shown(c.get('tenantId')), 200);
  });
  routes.openapi(tryRoute, async (c) => {
    const catalog = seenBy(await readCatalog(db), c.get('tenantId'));
    const { profile: wanted, isLook } = c.req.valid('json');
    const profile = findProfile(catalog, wanted);
    const named = serverOfProfile(profile, catalog.models);
    const server = catalog.servers.find(({ name }) => name === named);
    if (server === undefined) await refuseElsewhere(db, config, profile.name);
    const place = server ?? {
      kind: 'ollama',
      url: config.ollamaHost ?? DEFAULT_OLLAMA_URL,
      keyFile: null,
      dataLeavesHost: config.dataLeavesHost,
    };
    const asked = { isLook, signal: c.req.raw.signal };
    const items = await tryModels(place, modelsOfProfile(profile, catalog.models), asked);
    return c.json({ items }, 200);
  });
});
