/** What a pool sees of its instances, and whether one that was drained goes on. */
import { describe, expect } from 'vitest';
import { instancesHeldElsewhere } from '../../../activities/fleet/pool/configured.ts';
import { observePool, viewOf } from '../../../activities/fleet/pool/observe.ts';
import { stillWanted } from '../../../activities/fleet/pool/still-wanted.ts';
import { registerPool } from '../../../activities/fleet/pool/store.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { itWithFreshDatabase as it } from '../../../testing/database.ts';
import { aDeck, ago, anAnalysis, anInstance, aServing, modelCalls, NOW } from '../../../testing/make.ts';
import { visualPool } from './visual-pool.ts';

describe('instances', () => {
  it.beforeEach(({ db }) => registerPool(db, visualPool));
  const look = (db: PrismaClient, births: readonly string[] = [], wakeIntents: readonly string[] = []) =>
    observePool(db, { pool: 'visual', classes: ['gpu-visual'], births, wakeIntents }, NOW);

  it('instances are seen with what their gateway says', async ({ db }) => {
    await anInstance(db, { name: 'a', readyAt: ago(80), billedSince: ago(200), priceUsdPerHour: 1.5 });
    await aServing(db, { instanceName: 'a', inFlight: 1, lastCallAt: ago(5) });
    const { observation } = await look(db);
    expect(observation.instances).toEqual([
      {
        name: 'a',
        phase: 'ready',
        phaseSinceMs: ago(100).getTime(),
        inFlight: 1,
        idleSinceMs: ago(5).getTime(),
        hasPolled: true,
        billedSinceMs: ago(200).getTime(),
        priceUsdPerHour: 1.5,
        provider: 'datacrunch',
        models: ['m'],
        health: null,
      },
    ]);
    expect(observation.recentCalls).toBe(1);
  });

  it('instances whose gateway has gone quiet have an unknown number of calls, not none', async ({ db }) => {
    await anInstance(db, { name: 'a', readyAt: ago(80) });
    await aServing(db, { instanceName: 'a', seenAt: ago(16), inFlight: 0 });
    await anInstance(db, { name: 'b', readyAt: ago(80) });
    const { observation } = await look(db);
    expect(observation.instances.map((i) => i.inFlight)).toEqual([null, null]);
  });

  it('instances that woke are not believed to have polled by what was said before', async ({ db }) => {
    await anInstance(db, { name: 'a', readyAt: ago(10) });
    await aServing(db, { instanceName: 'a', seenAt: ago(11), lastCallAt: ago(500), inFlight: 0 });
    const { observation } = await look(db);
    expect(observation.instances[0]).toMatchObject({ hasPolled: false, idleSinceMs: ago(10).getTime() });
  });

  it('instances whose life has ended are not seen; births with a row are known; failures are told', async ({ db }) => {
    await anInstance(db, { name: 'gone', phase: 'gone' });
    await anInstance(db, { name: 'f1', phase: 'failed', phaseSince: ago(50), reason: 'first' });
    await anInstance(db, { name: 'f2', phase: 'failed', phaseSince: ago(20), reason: 'image unknown' });
    await anInstance(db, { name: 'old', phase: 'failed', phaseSince: ago(4000), reason: 'long ago' });
    const seen = await look(db, ['gone', 'unborn']);
    expect(seen.observation.instances).toEqual([]);
    expect(seen.known).toEqual(['gone']);
    expect(seen.failures).toEqual({
      count: 2,
      lastAtMs: ago(20).getTime(),
      instance: 'f2',
      reason: 'image unknown',
    });
  });

  it('instances of a phase that a later version knows count as under way', async ({ db }) => {
    await anInstance(db, { name: 'a', phase: 'defrosting' });
    const row = await db.fleetInstance.findUniqueOrThrow({ where: { name: 'a' }, include: { serving: true } });
    expect(viewOf(row, NOW)).toMatchObject({ phase: 'planned', inFlight: 0 });
  });

  it('announcements live as long as their analysis', async ({ db }) => {
    const { id: deckId } = await aDeck(db, { pageCount: 1 });
    const running = await anAnalysis(db, { deckId });
    const cancelled = await anAnalysis(db, { deckId, status: 'cancelled' });
    const { liveIntents } = await look(db, [], [running.id, cancelled.id, 'unknown']);
    expect(liveIntents).toEqual([running.id]);
  });

  it('instances at a provider that is configured no more are listed; servers that run already are not', async ({
    db,
  }) => {
    await anInstance(db, { name: 'a', phase: 'suspended' });
    await anInstance(db, { name: 's', provider: 'static' });
    await anInstance(db, { name: 'g', phase: 'gone' });
    expect((await instancesHeldElsewhere(db, [])).map((i) => i.name)).toEqual(['a']);
    expect(await instancesHeldElsewhere(db, ['datacrunch'])).toEqual([]);
  });
});

describe('a drained instance goes on', () => {
  const input = { pool: visualPool.config, instance: 'a' };
  const says = (target: number, isHeld = false) => ({ target, isHeld });
  it.beforeEach(async ({ db }) => {
    await registerPool(db, visualPool);
    await anInstance(db, { name: 'a', phase: 'cordoned' });
  });

  it('a drained instance goes on when there is work and too few others, or the pool does not answer', async ({
    db,
  }) => {
    await modelCalls(db, await anAnalysis(db), 1);
    expect(await stillWanted(db, says(0), input, NOW)).toBe(true);
    expect(await stillWanted(db, says(1), input, NOW)).toBe(true);
    expect(await stillWanted(db, null, input, NOW)).toBe(true);
  });

  it('a drained instance does not go on when the others are as many as the pool aims at, or an operator took it out, or there is no work', async ({
    db,
  }) => {
    const analysis = await anAnalysis(db);
    await modelCalls(db, analysis, 1);
    await anInstance(db, { name: 'b' });
    await anInstance(db, { name: 'c', phase: 'suspended' });
    expect(await stillWanted(db, says(1), input, NOW)).toBe(false);
    expect(await stillWanted(db, says(2), input, NOW)).toBe(true);
    expect(await stillWanted(db, says(2, true), input, NOW)).toBe(false);
    await db.analysis.update({ where: { id: analysis.id }, data: { status: 'cancelled' } });
    expect(await stillWanted(db, says(2), input, NOW)).toBe(false);
    expect(await stillWanted(db, null, input, NOW)).toBe(false);
  });
});
