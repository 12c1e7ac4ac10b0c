/** A profile is removed while a deck by it is open: its pool stays until the deck has its review, also over a restart of the gateway. */
import { expect, it } from 'vitest';
import { plainDeck } from '../../testing/plain-deck.ts';
import { rigPerFile } from '../../testing/rig.ts';
import { until } from '../../testing/until.ts';

const MODEL = 'llava:7b';

const rig = rigPerFile({
  template: 'short',
  readerArgs: ['--also', `${MODEL}=vision`],
  environment: { DECKHAND_LOST_WORKER_SEC: '3' },
});

const add = (profile: string) =>
  rig.client.POST('/models/add', { body: { model: MODEL, server: rig.reader.host, profile } });
const remove = (kind: 'profile' | 'model', name: string) =>
  rig.client.DELETE('/models/catalog', { params: { query: { kind, name } } });
const servingIn = (pool: string) => rig.db.instanceServing.count({ where: { instance: { pool }, state: 'serving' } });

it('the open deck of a removed profile is reviewed to its end by the models that it began with', async () => {
  await add('leaving');
  await until(() => servingIn('leaving')).is(1);
  // Calls take their time, so that the deck is open while the pools are configured anew.
  await rig.reader.script({ rules: [{ match: { model: MODEL }, fault: { latencyMs: 3000 } }] });
  const { analysisId } = await rig.client.startAnalysis(await rig.upload(await plainDeck('Bleibend')), {
    models: 'leaving',
  });
  await until(() => rig.db.modelCall.count({ where: { analysisId, state: 'stored' } })).is((calls) => calls > 0);
  await remove('profile', 'leaving');
  await expect(remove('model', MODEL)).rejects.toMatchObject({ code: 'conflict' });
  // The pools have followed the removal when a profile that was added after it has its own.
  await add('later');
  await until(() => rig.db.fleetPool.count({ where: { name: 'later' } })).is(1);
  process.kill(await rig.pidOf('gateway'), 'SIGKILL');
  await rig.reader.script({});
  await rig.ended(analysisId);
  const report = await rig.client.report(analysisId);
  expect(report.status).toBe('completed');
  expect(new Set(report.slides.map((slide) => slide.descriptionProvenance?.model))).toEqual(new Set([MODEL]));
  // Nothing is left of it then.
  await until(() => rig.db.fleetInstance.count({ where: { pool: 'leaving', endedAt: null } })).is(0);
  expect(await rig.db.modelConfiguration.count({ where: { profile: { contains: '@' } } })).toBe(0);
});
