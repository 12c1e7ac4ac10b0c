/** A gateway reads the settings of servers as they are now, and notices when they change. */
import { expect, onTestFinished } from 'vitest';
import type { z } from 'zod';
import { changeCatalog, putModel, putProfile, putServer } from '../../../activities/models/catalog/change.ts';
import type { ServeInput } from '../../../contracts/instance.ts';
import { endpointSchema, endpointServing } from '../../../domain/fleet/pool/endpoint-config.ts';
import { poolConfigSchema } from '../../../domain/fleet/pool/pool-config.ts';
import { modelSchema, profileSchema, serverSchema } from '../../../domain/models/catalog/catalog.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { createLogger } from '../../../platform/log.ts';
import { itWithDatabase as it } from '../../../testing/database.ts';
import { until } from '../../../testing/until.ts';
import { PresentEndpoints } from '../../../workers/gateway/present-endpoints.ts';

const url = 'https://models.example.com';

/** Writes the server of profile `house`. */
const configure = (db: PrismaClient, server: Partial<z.input<typeof serverSchema>>) =>
  changeCatalog(db, { owner: 'api', by: 'test', at: new Date() }, async (change) => {
    await putServer(change, serverSchema.parse({ name: 'box', url, ...server }));
    await putModel(change, modelSchema.parse({ name: 'house:8b', server: 'box', seesPictures: true }));
    const models = { 'gpu-visual': 'house:8b', 'gpu-text': 'house:8b' };
    await putProfile(change, profileSchema.parse({ name: 'house', models }), null);
  });

/** An attachment of a pool that began with these settings. */
const inputOf = (pool: string, settings: object): ServeInput => ({
  instance: `${pool}-0`,
  pool,
  classes: ['gpu-visual'],
  attachment: 7,
  proveTimeoutMs: 1,
  drainTimeoutMs: 1,
  serverUrl: url,
  ...endpointServing(endpointSchema.parse({ url, ...settings }), url),
});

/** The endpoints of a gateway, with the messages that it logs. */
function gateway(db: PrismaClient) {
  const lines: string[] = [];
  const log = createLogger('test', { logLevel: 'warn' }, { write: (line: string) => void lines.push(line) });
  const fleetPools = [poolConfigSchema.parse({ name: 'filed', classes: ['gpu-text'], endpoint: { url } })];
  return { endpoints: new PresentEndpoints({ db, fleetPools, installed: 'reader', log }), lines };
}

/** Watches an attachment until the test ends. @returns how often it was told of a change */
function watched(endpoints: PresentEndpoints, input: ServeInput): () => number {
  let changes = 0;
  onTestFinished(endpoints.watch(input, () => (changes += 1)));
  return () => changes;
}

it('an attachment begins with the settings that its server has now, and one of the fleet file with those of the file', async ({
  db,
}) => {
  await configure(db, { kind: 'openai', parallel: 3 });
  const { endpoints } = gateway(db);
  const now = inputOf('house', { kind: 'openai', slotsPerReplica: 3 });
  expect(await endpoints.presentOf(inputOf('house', { dataLeavesHost: true }))).toEqual(now);
  expect(await endpoints.presentOf(inputOf('filed', { dataLeavesHost: true }))).toEqual(inputOf('filed', {}));
});

it('a change of a server is noticed by its attachments, once, and by no other', async ({ db }) => {
  await configure(db, { dataLeavesHost: true });
  const { endpoints } = gateway(db);
  const changes = watched(endpoints, await endpoints.presentOf(inputOf('house', {})));
  const others = watched(endpoints, inputOf('filed', {}));
  await configure(db, { dataLeavesHost: false });
  await until(changes).is(1);
  // A change that is noticed later: the first is not told again.
  const later = watched(endpoints, await endpoints.presentOf(inputOf('house', {})));
  await configure(db, { parallel: 9 });
  await until(later).is(1);
  expect([changes(), others()]).toEqual([1, 0]);
});

it('a look that fails changes nothing and is logged once, and the next one counts', async ({ db }) => {
  await configure(db, {});
  let looks = 0;
  let fails = true;
  const failing = new Proxy(db, {
    get: (target, name, receiver) => {
      if (name !== '$transaction') return Reflect.get(target, name, receiver) as unknown;
      looks += 1;
      if (fails) return () => Promise.reject(new Error('the database is away'));
      return target.$transaction.bind(target);
    },
  });
  const { endpoints, lines } = gateway(failing);
  const changes = watched(endpoints, inputOf('house', { dataLeavesHost: true }));
  await until(() => looks).is((count) => count >= 2);
  expect(changes()).toBe(0);
  fails = false;
  await until(changes).is(1);
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
    'the settings of model servers could not be read',
  ]);
});
