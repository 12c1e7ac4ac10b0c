/**
 * Selection on a real database and the simulated provider: few looks, kept samples, blocks shared by all, outages told apart from "none
 * there", budgets and speeds from what happened; and the routes over it.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect } from 'vitest';
import { recordIntent } from '../../../activities/fleet/instance/create-intent.ts';
import { readOfferHistory } from '../../../activities/fleet/selection/offer-history.ts';
import { EVICTED } from '../../../domain/fleet/instance-life/running.ts';
import { Selection, type LadderWish } from '../../../activities/fleet/selection/selection.ts';
import { createDeckhandClient, type PlanDocument } from '../../../api/client.ts';
import { Accounts } from '../../../clouds/accounts.ts';
import { createDataCrunchClient } from '../../../clouds/datacrunch/client.ts';
import { createDataCrunchProvider } from '../../../clouds/datacrunch/provider.ts';
import { offerKey, type OfferKey } from '../../../domain/fleet/selection/offer.ts';
import { poolConfigSchema } from '../../../domain/fleet/pool/pool-config.ts';
import type { ExplainedLadder, ExplainedOffer } from '../../../domain/fleet/selection/ladder-input.ts';
import { GPU_CLASSES, type ModelProfile } from '../../../domain/models/model-tasks.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { loadConfig } from '../../../platform/config.ts';
import { createLogger } from '../../../platform/log.ts';
import { VirtualClock } from '../../../simulators/clouds/core/clock.ts';
import { createSimulatedDataCrunch, type SimulatedDataCrunch } from '../../../simulators/clouds/datacrunch/app.ts';
import { runCommand } from '../../../testing/command.ts';
import { itWithFreshDatabase as it } from '../../../testing/database.ts';
import { modelResultRow, anInstance, aHistory } from '../../../testing/make.ts';
import { serveSelection } from './serve-selection.ts';
import { folderPerTest } from '../../../testing/per-file.ts';

let clock: VirtualClock;
let sim: SimulatedDataCrunch;
let calls: string[];

beforeEach(() => {
  clock = new VirtualClock();
  sim = createSimulatedDataCrunch({ clock, scenario: 'demo' });
  calls = [];
});

/** Selection as one more process would have it. */
function newSelection(db: PrismaClient, models: ModelProfile = 'reader'): Selection {
  const client = createDataCrunchClient({
    baseUrl: 'http://127.0.0.1/v1',
    credentials: { clientId: sim.clientId, clientSecret: sim.clientSecret },
    fetch: (input, init) => {
      const { pathname } = new URL(input);
      calls.push(pathname.replace('/v1', ''));
      return sim.fetch(input, init);
    },
    now: () => clock.nowMs(),
    pause: (ms) => Promise.resolve(clock.advance(ms)),
    random: () => 0.5,
  });
  const provider = createDataCrunchProvider({ client, now: () => clock.nowMs() });
  const log = createLogger('selection-test', { logLevel: 'silent' });
  return new Selection({
    db,
    accounts: new Accounts([provider]),
    config: { models, modelConcurrency: 4 },
    log,
    now: () => clock.nowMs(),
  });
}

const wish = (changes: Partial<LadderWish> = {}): LadderWish => ({
  ...poolConfigSchema.parse({ name: 'both', classes: [...GPU_CLASSES] }),
  ...changes,
});
const looks = (): number => calls.filter((path) => path === '/instance-availability').length;
const first = (ladder: ExplainedLadder): ExplainedOffer | undefined => ladder.offers.find((o) => o.rank === 1);
const keyOf = (instanceType: string, location = 'FIN-02'): OfferKey =>
  offerKey({ provider: 'datacrunch', location, instanceType, market: 'ondemand' });
const A100 = keyOf('1A100.40S.22V');
const NO_STOCK = { errorClass: 'capacity', message: 'no stock' } as const;

describe('looking', () => {
  it('a look at the offers falls through tiers that are sold out to the first that is there, in one bulk call per market', async ({
    db,
  }) => {
    const selection = newSelection(db);
    const ladder = await selection.ladder(wish(), null);
    expect(first(ladder)).toMatchObject({ instanceType: '1A100.40S.22V', location: 'FIN-02', tier: 'a100-40' });
    expect(ladder.offers.some((o) => o.refusal === 'not_selected')).toBe(false);
    expect(looks()).toBe(1);
    clock.advance(20_000);
    await selection.ladder(wish({ market: 'any' }), null);
    expect(looks()).toBe(3);
  });

  it('a look at the offers asks at most twice for a whole ladder with nothing on it', async ({ db }) => {
    sim.core.setStock([{ types: '*', count: 0 }]);
    const ladder = await newSelection(db).ladder(wish({ market: 'any' }), null);
    expect(ladder.offers.every((o) => o.refusal === 'unavailable')).toBe(true);
    expect(ladder.offers.length).toBeGreaterThan(40);
    expect(ladder.nextTryAtMs).toBe(clock.nowMs() + 20_000);
    expect(looks()).toBe(2);
  });

  it('one look is shared between pools, also those that ask at the same moment, for twenty seconds', async ({ db }) => {
    const selection = newSelection(db);
    await Promise.all([1, 2, 3, 4].map(() => selection.ladder(wish(), null)));
    clock.advance(19_999);
    await selection.ladder(wish({ selector: 'cheapest' }), null);
    expect(looks()).toBe(1);
    clock.advance(1);
    await selection.ladder(wish(), null);
    expect(looks()).toBe(2);
    expect(calls.filter((path) => path === '/instance-types')).toHaveLength(1);
    clock.advance(600_000);
    await selection.ladder(wish(), null);
    expect(calls.filter((path) => path === '/instance-types')).toHaveLength(2);
  });

  it('each look is kept as samples, and old ones are removed', async ({ db }) => {
    const selection = newSelection(db);
    await selection.ladder(wish(), null);
    const samples = await db.availabilitySample.findMany({ orderBy: { location: 'asc' } });
    expect(samples.map((s) => [s.provider, s.market, s.location])).toEqual([
      ['datacrunch', 'ondemand', 'FIN-01'],
      ['datacrunch', 'ondemand', 'FIN-02'],
      ['datacrunch', 'ondemand', 'FIN-03'],
    ]);
    expect(samples.map((s) => s.instanceTypes.includes('1A100.40S.22V'))).toEqual([false, true, false]);
    clock.advance(8 * 24 * 3_600_000);
    await selection.ladder(wish(), null);
    expect(await db.availabilitySample.count()).toBe(3);
  });

  it('a look at the offers puts the place of a kept volume first', async ({ db }) => {
    const wakeFrom = { volumeId: 'v', location: 'FIN-03', instanceType: '1A6000.10V', market: 'ondemand' } as const;
    const ladder = await newSelection(db).ladder(wish(), wakeFrom);
    expect(first(ladder)).toMatchObject({ instanceType: '1A6000.10V', location: 'FIN-03', bootsKeptVolume: true });
  });
});

it('evictions of lately make a spot offer less wanted, and the choice goes back as they are forgotten', async ({
  db,
}) => {
  sim.core.setStock([{ types: '1A100.40S.22V', count: 4 }]);
  const policy = wish({ selector: '1A100.40S.22V', market: 'any' });
  const selection = newSelection(db);
  const [first] = (await selection.ladder(policy, null)).offers;
  expect(first).toMatchObject({ market: 'spot' });
  await anInstance(db, { name: 'visual-1', phase: 'gone' });
  const lost = Array.from({ length: 8 }, (_, n) => ({
    at: new Date(clock.nowMs() - 60_000),
    toPhase: 'gone',
    reason: EVICTED,
    offerKey: first?.key ?? null,
    providerId: `machine-${n}`,
  }));
  await aHistory(db, 'visual-1', [...lost, { ...lost[0], at: new Date(clock.nowMs() - 50_000), toPhase: 'gone' }]);
  const history = await readOfferHistory(db, 'datacrunch', clock.nowMs());
  const { machines = 0, evicted = 0 } = history.get(first?.key ?? A100)?.interruptions ?? {};
  expect(machines).toBeCloseTo(8, 1);
  expect(evicted).toBeCloseTo(8, 1);
  const after = await readOfferHistory(db, 'datacrunch', clock.nowMs() + 3 * 24 * 3_600_000);
  expect(after.get(first?.key ?? A100)?.interruptions?.evicted).toBeCloseTo(1, 1);
});

describe('outages', () => {
  it('outages of availability are told by their class and are never "nothing there"', async ({ db }) => {
    sim.setFaults([{ match: { path: '/instance-availability' }, effect: 'error', status: 503 }]);
    const selection = newSelection(db);
    await expect(selection.ladder(wish(), null)).rejects.toMatchObject({ code: 'provider_transient' });
    expect(await db.availabilitySample.count()).toBe(0);
    sim.setFaults([]);
    expect(first(await selection.ladder(wish(), null))?.instanceType).toBe('1A100.40S.22V');
  });

  it('outages of the catalogue leave the last one in use', async ({ db }) => {
    const selection = newSelection(db);
    await selection.ladder(wish(), null);
    const seenAtMs = clock.nowMs();
    clock.advance(3_600_000);
    sim.setFaults([{ match: { path: '/instance-types' }, effect: 'error', status: 500 }]);
    const { ladder, catalogue } = await selection.plan(wish());
    expect(first(ladder)?.instanceType).toBe('1A100.40S.22V');
    expect(catalogue.atMs).toBe(seenAtMs);
    await expect(newSelection(db).ladder(wish(), null)).rejects.toMatchObject({ code: 'provider_transient' });
  });

  it('wrong credentials are told, also where an old catalogue is at hand', async ({ db }) => {
    const selection = newSelection(db);
    await selection.ladder(wish(), null);
    clock.advance(3_600_000);
    sim.setFaults([{ match: {}, effect: 'error', status: 401, code: 'unauthorized_request' }]);
    await expect(selection.ladder(wish(), null)).rejects.toMatchObject({ code: 'provider_auth' });
  });
});

describe('prices', () => {
  it('prices that jump absurdly are not paid, and stay unpaid', async ({ db }) => {
    const selection = newSelection(db);
    await selection.ladder(wish(), null);
    sim.core.setPrices([{ types: '1A100.40S.22V', ondemandUsd: 126 }]);
    for (let i = 0; i < 2; i += 1) {
      clock.advance(600_000);
      const ladder = await selection.ladder(wish(), null);
      expect(ladder.offers.find((o) => o.key === A100)?.refusal).toBe('implausible_price');
    }
  });
});

describe('memory', () => {
  it('memory of a failure blocks the offer for every process, until its time is over', async ({ db }) => {
    await newSelection(db).remember(A100, NO_STOCK);
    const blocked = (await newSelection(db).ladder(wish(), null)).offers.find((o) => o.key === A100);
    expect(blocked).toMatchObject({ refusal: 'blocked', nextTryAtMs: clock.nowMs() + 180_000 });
    expect(blocked?.reason).toContain('no stock');
    clock.advance(180_000);
    expect(first(await newSelection(db).ladder(wish(), null))?.key).toBe(A100);
  });

  it('a block doubles for the next incident, not for many failures at once, and is cleared by a success', async ({
    db,
  }) => {
    await Promise.all(Array.from({ length: 12 }, () => newSelection(db).remember(A100, NO_STOCK)));
    expect(await db.offerBlock.findMany()).toMatchObject([{ scopeKey: A100, repeats: 1 }]);
    clock.advance(180_000);
    await newSelection(db).remember(A100, NO_STOCK);
    expect(await db.offerBlock.findUniqueOrThrow({ where: { scopeKey: A100 } })).toMatchObject({
      repeats: 2,
      blockedUntil: new Date(clock.nowMs() + 360_000),
    });
    await newSelection(db).remember(A100, null);
    expect(await db.offerBlock.count()).toBe(0);
  });

  it('memory of a quota blocks that market in that location and is not taken back by a success elsewhere', async ({
    db,
  }) => {
    const selection = newSelection(db);
    await selection.remember(A100, { errorClass: 'quota', message: 'limit exceeded' });
    await selection.remember(A100, null);
    const { offers } = await selection.ladder(wish(), null);
    expect(offers.filter((o) => o.location === 'FIN-02').every((o) => o.refusal === 'blocked')).toBe(true);
    expect(first({ ...(await selection.ladder(wish(), null)) })?.location).not.toBe('FIN-02');
  });

  it('memory has nothing to say of errors that block nothing', async ({ db }) => {
    for (const errorClass of ['transient', 'throttled', 'config', 'gone', 'not_yet'] as const)
      await newSelection(db).remember(A100, { errorClass, message: 'x' });
    expect(await db.offerBlock.count()).toBe(0);
  });
});

/** An instance with its pool, as far as rows need one. */
async function instanceRow(db: PrismaClient, name: string, values: { readonly offer?: OfferKey } = {}): Promise<void> {
  const machine = values.offer === undefined ? {} : { offerKey: values.offer, providerId: `id-${name}` };
  await anInstance(db, { name, pool: 'both', phaseSince: new Date(clock.nowMs()), ...machine });
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
      createdAt: new Date(clock.nowMs() - minutesAgo * 60_000),
    });
    await db.createIntent.createMany({ data: [intent(1, 4), intent(2, 30)] });
    const offer = (await newSelection(db).ladder(wish(), null)).offers.find((o) => o.key === A100);
    expect(offer).toMatchObject({ refusal: 'budget_used_up', nextTryAtMs: clock.nowMs() + 60_000 });
    clock.advance(60_000);
    expect(first(await newSelection(db).ladder(wish(), null))?.key).toBe(A100);
  });

  it('what happened before lets one of many that ask at once use the last create of a drought', async ({ db }) => {
    // Intents bear the database's own time, so the failure lies in the past and the creates are now.
    clock.advanceTo(Date.now() - 10 * 60_000);
    await instanceRow(db, 'i');
    await newSelection(db).remember(A100, NO_STOCK);
    clock.advanceTo(Date.now());
    const selections = [newSelection(db), newSelection(db)];
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, n) => {
        const intent = { id: `i/${n}`, hostname: `h${n}`, offer: A100, priceUsdPerHour: 1.26, volumeId: null };
        const selection = selections[n % 2] ?? newSelection(db);
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
    const selection = newSelection(db);
    expect(first(await selection.ladder(wish(), null))?.key).toBe(A100);
    expect(await selection.mayLaunch(A100, wish(), db)).toBeNull();
    await newSelection(db).remember(A100, NO_STOCK);
    expect(await selection.mayLaunch(A100, wish(), db)).toContain('no stock');
  });

  it('what happened before spreads equal offers over locations', async ({ db }) => {
    await instanceRow(db, 'i', { offer: keyOf('1L40S.20V', 'FIN-01') });
    const ladder = await newSelection(db).ladder(wish({ selector: 'l40s' }), null);
    expect(ladder.offers.map((o) => o.location)).toEqual(['FIN-02', 'FIN-03', 'FIN-01']);
  });

  it('what happened before teaches how fast a GPU is', async ({ db }) => {
    await instanceRow(db, 'i');
    const startMs = clock.nowMs();
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
    clock.advance(60_000);
    const { offers } = await newSelection(db).ladder(wish(), null);
    const seconds = Object.fromEntries(offers.map((o) => [o.tier, o.secondsPerSlide]));
    expect(seconds['a100-40']).toBeCloseTo(1, 6);
    // The others follow: what is learned of one GPU says how far the priors are off.
    expect(seconds['a6000']).toBeCloseTo(1555 / 768, 2);
  });

  it('what happened before reads from the model configuration what a machine must hold', async ({ db }) => {
    const { ladder, models } = await newSelection(db, 'ollama').plan(wish());
    expect(models.map((m) => m.modelName)).toEqual(['gemma3:12b', 'phi4:latest']);
    expect(ladder.neededVramGib).toBeCloseTo((7.6 + 8.5 + 4 * (2.5 + 3.2)) * 1.1, 6);
    expect(first(ladder)?.tier).toBe('rtx-pro-6000');
    expect(ladder.offers.find((o) => o.key === A100)?.refusal).toBe('too_small');
    const visual = await newSelection(db, 'ollama').plan(wish({ classes: ['gpu-visual'] }));
    expect(first(visual.ladder)?.tier).toBe('a100-40');
    await expect(newSelection(db, 'ollama').ladder(wish({ selector: 'v100' }), null)).rejects.toMatchObject({
      code: 'model_fits_no_offer',
    });
  });
});

describe('mistakes', () => {
  it('mistakes are refused before availability is asked for', async ({ db }) => {
    const selection = newSelection(db);
    await expect(selection.ladder(wish({ selector: 'h100-or-les' }), null)).rejects.toMatchObject({
      code: 'selector_unknown',
    });
    await expect(selection.ladder(wish({ locations: ['FIN-09'] }), null)).rejects.toMatchObject({
      code: 'location_unknown',
    });
    expect(looks()).toBe(0);
  });
});

describe('over HTTP', () => {
  it('the API of selection answers tiers, capacity and plan as the document describes them', async ({ db }) => {
    const served = await serveSelection(db, newSelection(db));
    try {
      const client = createDeckhandClient(served.url);
      const tiers = await client.tiers();
      expect(tiers.items.map((t) => t.tier).slice(0, 3)).toEqual(['b300', 'b200', 'h200']);
      const a100 = tiers.items.find((t) => t.tier === 'a100-40')?.types[0];
      expect(a100).toMatchObject({
        instanceType: '1A100.40S.22V',
        locations: ['FIN-02'],
        usdPerHour: 1.26,
        vcpu: 22,
        memoryGib: 120,
      });
      expect(tiers.others.map((t) => t.gpuModel)).toContain('GB300');
      expect(tiers.items.find((t) => t.tier === 'h100')?.selectors).toContain('ANY_8H100');

      const l40s = await client.capacity({ instanceType: '1L40S.20V', market: 'ondemand' });
      expect(l40s.items.map((i) => i.location)).toEqual(['FIN-01', 'FIN-02', 'FIN-03']);
      expect((await client.capacity({ instanceType: 'ANY_1H100' })).items).toEqual([]);
      const there = await client.capacity({ location: 'FIN-03', market: 'any' });
      expect(new Set(there.items.map((i) => i.market))).toEqual(new Set(['ondemand', 'spot']));

      const plan = await client.plan({ selector: 'h100-or-less', locations: ['FIN-02', 'FIN-01'], maxUsdPerHour: 2 });
      expect(plan.offers[0]).toMatchObject({ rank: 1, instanceType: '1A100.40S.22V', location: 'FIN-02' });
      expect(new Set(plan.offers.map((o) => o.refusal))).toEqual(
        new Set([null, 'unavailable', 'too_expensive', 'location_not_allowed', 'not_selected']),
      );
    } finally {
      await served.close();
    }
  });

  it('the API of selection answers a mistake as a problem with what is possible, and an unknown pool as not found', async ({
    db,
  }) => {
    const served = await serveSelection(db, newSelection(db));
    try {
      const client = createDeckhandClient(served.url);
      await expect(client.plan({ selector: 'h100-or-moar' })).rejects.toMatchObject({
        code: 'selector_unknown',
        hint: expect.stringContaining('rtx-pro-6000') as string,
      });
      await expect(client.capacity({ location: 'MARS-01' })).rejects.toMatchObject({
        code: 'location_unknown',
        hint: 'The locations are FIN-01, FIN-02, FIN-03.',
      });
      await expect(client.plan({ selector: 'cheapest', exclude: ['1A100.80S.22V'] })).rejects.toMatchObject({
        code: 'selector_unknown',
        message: 'There is no machine type "1A100.80S.22V". Did you mean 1A100.22V?',
      });
      await expect(client.plan({ selector: 'cheapest', provider: 'datacrunsh' })).rejects.toMatchObject({
        code: 'not_found',
        message: 'The fleet has no provider datacrunsh. Did you mean datacrunch?',
      });
      await expect(client.plan({ pool: 'unknown' })).rejects.toMatchObject({ code: 'not_found' });
      await expect(client.plan({})).rejects.toMatchObject({ code: 'invalid_request' });
    } finally {
      await served.close();
    }
  });

  it('the commands print the ladder, and refuse by name what does not exist', async ({ db }) => {
    const served = await serveSelection(db, newSelection(db));
    const deckhand = (...args: string[]) =>
      runCommand(args, { ...loadConfig().environment, DECKHAND_API_URL: served.url, DECKHAND_HOME: folderPerTest() });
    try {
      const plan = await deckhand('plan', 'h100-or-less');
      expect(plan.code).toBe(0);
      expect(plan.stdout).toMatch(/^Ladder h100-or-less: H100 → A100 80 GB → A100 40 GB → /u);
      expect(plan.stdout).toMatch(/^✗ H100 +· \d+ offers +· not available$/mu);
      expect(plan.stdout).toMatch(/^✓ A100 40 GB +· 1A100\.40S\.22V in FIN-02 +· \$1\.260\/h/mu);
      expect(plan.stdout).toMatch(/Selected: 1A100\.40S\.22V in FIN-02 \(on demand\) at \$1\.260 an hour/u);

      const gpus = await deckhand('gpus', '--type', 'L40S', '--count', '2', '--provider', 'datacrunch', '--json');
      expect(gpus.code).toBe(0);
      const { selector, offers } = JSON.parse(gpus.stdout) as PlanDocument;
      expect(selector).toBe('ANY_2L40S');
      const taken = offers.filter((offer) => offer.rank !== null);
      expect(taken.map((offer) => [offer.instanceType, offer.provider])).toContainEqual(['2L40S.40V', 'datacrunch']);
      expect(taken.every((offer) => offer.gpuCount === 2)).toBe(true);

      const elsewhere = await deckhand('gpus', '--type', 'T4', '--count', '2', '--provider', 'aws');
      expect(elsewhere).toMatchObject({ code: 4, stdout: '' });
      expect(elsewhere.stderr).toContain('The fleet has no provider aws.');
      expect(elsewhere.stderr).toContain('Machines are rented at datacrunch.');

      const three = await deckhand('gpus', '--type', 'nvidia-h100-80gb', '--count', '3');
      expect(three.code).toBe(1);
      expect(three.stdout).toContain('Selected: nothing. H100 is sold with 1, 2, 4 or 8 GPUs.');
      const none = await deckhand('capacity', '-i', 'ANY_3H100');
      expect(none).toMatchObject({ code: 1, stdout: '' });
      expect(none.stderr).toContain('H100 is sold with 1, 2, 4 or 8 GPUs.');
      expect((await deckhand('gpus', '--type', 'T4', '--count', '0')).code).toBe(2);

      const excluded = await deckhand('plan', 'cheapest', '-x', 'NOPE');
      expect(excluded).toMatchObject({ code: 2, stdout: '' });
      expect(excluded.stderr).toContain('There is no machine type "NOPE".');
      expect((await deckhand('tiers')).stdout).toMatch(
        /^H100: h100, h100-or-less, ANY_1H100, .*from \$3\.700 an hour$/mu,
      );
    } finally {
      await served.close();
    }
  });

  it('plans as a pool would under its budget: what that does not pay for has no place, and says so', async ({ db }) => {
    const fleetFile = path.join(folderPerTest(), 'fleet.json');
    writeFileSync(fleetFile, JSON.stringify({ pools: [{ name: 'both', classes: GPU_CLASSES }] }));
    const served = await serveSelection(db, newSelection(db), fleetFile);
    try {
      const client = createDeckhandClient(served.url);
      expect((await client.plan({ pool: 'both' })).offers[0]?.rank).toBe(1);
      await db.budget.create({ data: { id: 'b', scope: 'installation', period: 'month', hardUsd: 0.01 } });
      const { offers, nextTryAt } = await client.plan({ pool: 'both' });
      expect(offers.every((offer) => offer.rank === null)).toBe(true);
      expect(offers[0]).toMatchObject({ refusal: 'over_budget', reason: expect.stringMatching(/budget/iu) as string });
      expect(nextTryAt).not.toBeNull();
      // Without a pool no budget applies.
      expect((await client.plan({ selector: 'h100-or-less' })).offers[0]?.rank).toBe(1);
    } finally {
      await served.close();
    }
  });

  it('the API of selection says which setting is missing where the fleet is static', async ({ db }) => {
    const served = await serveSelection(db);
    try {
      await expect(createDeckhandClient(served.url).tiers()).rejects.toMatchObject({
        code: 'usage',
        hint: expect.stringContaining('"provider": "datacrunch"') as string,
      });
    } finally {
      await served.close();
    }
  });
});
