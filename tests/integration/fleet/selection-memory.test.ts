/**
 * What selection remembers, on a real database: evictions, failures that block offers for all, limits on creates, and speeds of GPUs.
 */
import { beforeEach, describe, expect } from 'vitest';
import { recordIntent } from '../../../activities/fleet/instance/create-intent.ts';
import { readOfferHistory } from '../../../activities/fleet/selection/offer-history.ts';
import { EVICTED } from '../../../domain/fleet/instance-life/running.ts';
import type { OfferKey } from '../../../domain/fleet/selection/offer.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { itWithFreshDatabase as it } from '../../../testing/database.ts';
import { aHistory, anInstance, modelResultRow } from '../../../testing/make.ts';
import { A100, first, keyOf, NO_STOCK, SelectionCloud, wish } from './selection-cloud.ts';

let cloud: SelectionCloud;

beforeEach(() => {
  cloud = new SelectionCloud();
});

it('evictions of lately make a spot offer less wanted, and the choice goes back as they are forgotten', async ({
  db,
}) => {
  cloud.sim.core.setStock([{ types: '1A100.40S.22V', count: 4 }]);
  const policy = wish({ selector: '1A100.40S.22V', market: 'any' });
  const selection = cloud.newSelection(db);
  const [first] = (await selection.ladder(policy, null)).offers;
  expect(first).toMatchObject({ market: 'spot' });
  await anInstance(db, { name: 'visual-1', phase: 'gone' });
  const lost = Array.from({ length: 8 }, (_, n) => ({
    at: new Date(cloud.clock.nowMs() - 60_000),
    toPhase: 'gone',
    reason: EVICTED,
    offerKey: first?.key ?? null,
    providerId: `machine-${n}`,
  }));
  await aHistory(db, 'visual-1', [
    ...lost,
    { ...lost[0], at: new Date(cloud.clock.nowMs() - 50_000), toPhase: 'gone' },
  ]);
  const history = await readOfferHistory(db, 'datacrunch', cloud.clock.nowMs());
  const { machines = 0, evicted = 0 } = history.get(first?.key ?? A100)?.interruptions ?? {};
  expect(machines).toBeCloseTo(8, 1);
  expect(evicted).toBeCloseTo(8, 1);
  const after = await readOfferHistory(db, 'datacrunch', cloud.clock.nowMs() + 3 * 24 * 3_600_000);
  expect(after.get(first?.key ?? A100)?.interruptions?.evicted).toBeCloseTo(1, 1);
});

describe('memory', () => {
  it('memory of a failure blocks the offer for every process, until its time is over', async ({ db }) => {
    await cloud.newSelection(db).remember(A100, NO_STOCK);
    const blocked = (await cloud.newSelection(db).ladder(wish(), null)).offers.find((o) => o.key === A100);
    expect(blocked).toMatchObject({ refusal: 'blocked', nextTryAtMs: cloud.clock.nowMs() + 180_000 });
    expect(blocked?.reason).toContain('no stock');
    cloud.clock.advance(180_000);
    expect(first(await cloud.newSelection(db).ladder(wish(), null))?.key).toBe(A100);
  });

  it('a block doubles for the next incident, not for many failures at once, and is cleared by a success', async ({
    db,
  }) => {
    await Promise.all(Array.from({ length: 12 }, () => cloud.newSelection(db).remember(A100, NO_STOCK)));
    expect(await db.offerBlock.findMany()).toMatchObject([{ scopeKey: A100, repeats: 1 }]);
    cloud.clock.advance(180_000);
    await cloud.newSelection(db).remember(A100, NO_STOCK);
    expect(await db.offerBlock.findUniqueOrThrow({ where: { scopeKey: A100 } })).toMatchObject({
      repeats: 2,
      blockedUntil: new Date(cloud.clock.nowMs() + 360_000),
    });
    await cloud.newSelection(db).remember(A100, null);
    expect(await db.offerBlock.count()).toBe(0);
  });

  it('memory of a quota blocks that market in that location and is not taken back by a success elsewhere', async ({
    db,
  }) => {
    const selection = cloud.newSelection(db);
    await selection.remember(A100, { errorClass: 'quota', message: 'limit exceeded' });
    await selection.remember(A100, null);
    const { offers } = await selection.ladder(wish(), null);
    expect(offers.filter((o) => o.location === 'FIN-02').every((o) => o.refusal === 'blocked')).toBe(true);
    expect(first({ ...(await selection.ladder(wish(), null)) })?.location).not.toBe('FIN-02');
  });

  it('memory has nothing to say of errors that block nothing', async ({ db }) => {
    for (const errorClass of ['transient', 'throttled', 'config', 'gone', 'not_yet'] as const)
      await cloud.newSelection(db).remember(A100, { errorClass, message: 'x' });
    expect(await db.offerBlock.count()).toBe(0);
  });
});

/** An instance with its pool, as far as rows need one. */
async function instanceRow(db: PrismaClient, name: string, values: { readonly offer?: OfferKey } = {}): Promise<void> {
  const machine = values.offer === undefined ? {} : { offerKey: values.offer, providerId: `id-${name}` };
  await anInstance(db, { name, pool: 'both', phaseSince: new Date(cloud.clock.nowMs()), ...machine });
}

describe('what happened before', () => {
  it('what happened before limits the creates of an offer in a drought', async ({ db }) => {
    await instanceRow(db, 'i');
    const intent = (n: number, minutesAgo: number) => ({
      id: `i/${n}`,
      instanceName: 'i',
      hostname: `h${n}`,
      offerKey: A100,
      priceUsdPerHour: 1.26,
      state: 'refused' as const,
      errorClass: 'capacity',
      createdAt: new Date(cloud.clock.nowMs() - minutesAgo * 60_000),
    });
    await db.createIntent.createMany({ data: [intent(1, 4), intent(2, 30)] });
    const offer = (await cloud.newSelection(db).ladder(wish(), null)).offers.find((o) => o.key === A100);
    expect(offer).toMatchObject({ refusal: 'budget_used_up', nextTryAtMs: cloud.clock.nowMs() + 60_000 });
    cloud.clock.advance(60_000);
    expect(first(await cloud.newSelection(db).ladder(wish(), null))?.key).toBe(A100);
  });

  it('what happened before lets one of many that ask at once use the last create of a drought', async ({ db }) => {
    // Intents bear the database's own time, so the failure lies in the past and the creates are now.
    cloud.clock.advanceTo(Date.now() - 10 * 60_000);
    await instanceRow(db, 'i');
    await cloud.newSelection(db).remember(A100, NO_STOCK);
    cloud.clock.advanceTo(Date.now());
    const selections = [cloud.newSelection(db), cloud.newSelection(db)];
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, n) => {
        const intent = { id: `i/${n}`, hostname: `h${n}`, offer: A100, priceUsdPerHour: 1.26, volumeId: null };
        const selection = selections[n % 2] ?? cloud.newSelection(db);
        return recordIntent(db, 'i', intent, (tx) => selection.mayLaunch(A100, wish(), tx));
      }),
    );
    expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(1);
    expect(outcomes.find((outcome) => outcome !== null)).toMatchObject({
      kind: 'held_back',
      message: expect.stringContaining('Creates on this offer are limited') as string,
    });
  });

  it('what happened before forbids a create on an offer that was blocked after the ladder was made', async ({ db }) => {
    const selection = cloud.newSelection(db);
    expect(first(await selection.ladder(wish(), null))?.key).toBe(A100);
    expect(await selection.mayLaunch(A100, wish(), db)).toBeNull();
    await cloud.newSelection(db).remember(A100, NO_STOCK);
    expect(await selection.mayLaunch(A100, wish(), db)).toContain('no stock');
  });

  it('what happened before spreads equal offers over locations', async ({ db }) => {
    await instanceRow(db, 'i', { offer: keyOf('1L40S.20V', 'FIN-01') });
    const ladder = await cloud.newSelection(db).ladder(wish({ selector: 'l40s' }), null);
    expect(ladder.offers.map((o) => o.location)).toEqual(['FIN-02', 'FIN-03', 'FIN-01']);
  });

  it('what happened before teaches how fast a GPU is', async ({ db }) => {
    await instanceRow(db, 'i');
    const startMs = cloud.clock.nowMs();
    await aHistory(db, 'i', [{ at: new Date(startMs), toPhase: 'ready', offerKey: A100 }]);
    // Twelve slides of two seconds, in pairs side by side: one second of machine time each.
    await db.modelResult.createMany({
      data: Array.from({ length: 12 }, (_, i) =>
        modelResultRow({
          modelName: 'reader-vision:1',
          host: 'i',
          durationMs: 2000,
          createdAt: new Date(startMs + 2000 * (Math.floor(i / 2) + 1)),
        }),
      ),
    });
    cloud.clock.advance(60_000);
    const { offers } = await cloud.newSelection(db).ladder(wish(), null);
    const seconds = Object.fromEntries(offers.map((o) => [o.tier, o.secondsPerSlide]));
    expect(seconds['a100-40']).toBeCloseTo(1, 6);
    // The others follow: what is learned of one GPU says how far the priors are off.
    expect(seconds['a6000']).toBeCloseTo(1555 / 768, 2);
  });

  it('what happened before reads from the model configuration what a machine must hold', async ({ db }) => {
    const { ladder, models } = await cloud.newSelection(db, 'ollama').plan(wish());
    expect(models.map((m) => m.modelName)).toEqual(['gemma3:12b', 'phi4:latest']);
    expect(ladder.neededVramGib).toBeCloseTo((7.6 + 8.5 + 4 * (2.5 + 3.2)) * 1.1, 6);
    expect(first(ladder)?.tier).toBe('rtx-pro-6000');
    expect(ladder.offers.find((o) => o.key === A100)?.refusal).toBe('too_small');
    const visual = await cloud.newSelection(db, 'ollama').plan(wish({ classes: ['gpu-visual'] }));
    expect(first(visual.ladder)?.tier).toBe('a100-40');
    await expect(cloud.newSelection(db, 'ollama').ladder(wish({ selector: 'v100' }), null)).rejects.toMatchObject({
      code: 'model_fits_no_offer',
    });
  });
});
