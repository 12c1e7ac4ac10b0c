/**
 * Selection on a real database and the simulated provider: few looks, kept samples, outages told apart from "none there", prices; and the
 * routes over it.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect } from 'vitest';
import type { z } from 'zod';
import type { PlanDocument, PlanQuery } from '../../../api/client.ts';
import type { capacityQuerySchema } from '../../../api/fleet/selection-schemas.ts';
import { GPU_CLASSES } from '../../../domain/models/model-tasks.ts';
import { itWithFreshDatabase as it } from '../../../testing/database.ts';
import { folderPerTest } from '../../../testing/per-file.ts';
import { A100, first, SelectionCloud, wish } from './selection-cloud.ts';
import { serveSelection } from './serve-selection.ts';

let cloud: SelectionCloud;

beforeEach(() => {
  cloud = new SelectionCloud();
});

describe('looking', () => {
  it('a look at the offers falls through tiers that are sold out to the first that is there, in one bulk call per market', async ({
    db,
  }) => {
    const selection = cloud.newSelection(db);
    const ladder = await selection.ladder(wish(), null);
    expect(first(ladder)).toMatchObject({ instanceType: '1A100.40S.22V', location: 'FIN-02', tier: 'a100-40' });
    expect(ladder.offers.some((o) => o.refusal === 'not_selected')).toBe(false);
    expect(cloud.looks()).toBe(1);
    cloud.clock.advance(20_000);
    await selection.ladder(wish({ market: 'any' }), null);
    expect(cloud.looks()).toBe(3);
  });

  it('a look at the offers asks at most twice for a whole ladder with nothing on it', async ({ db }) => {
    cloud.sim.core.setStock([{ types: '*', count: 0 }]);
    const ladder = await cloud.newSelection(db).ladder(wish({ market: 'any' }), null);
    expect(ladder.offers.every((o) => o.refusal === 'unavailable')).toBe(true);
    expect(ladder.offers.length).toBeGreaterThan(40);
    expect(ladder.nextTryAtMs).toBe(cloud.clock.nowMs() + 20_000);
    expect(cloud.looks()).toBe(2);
  });

  it('one look is shared between pools, also those that ask at the same moment, for twenty seconds', async ({ db }) => {
    const selection = cloud.newSelection(db);
    await Promise.all([1, 2, 3, 4].map(() => selection.ladder(wish(), null)));
    cloud.clock.advance(19_999);
    await selection.ladder(wish({ selector: 'cheapest' }), null);
    expect(cloud.looks()).toBe(1);
    cloud.clock.advance(1);
    await selection.ladder(wish(), null);
    expect(cloud.looks()).toBe(2);
    expect(cloud.calls.filter((path) => path === '/instance-types')).toHaveLength(1);
    cloud.clock.advance(600_000);
    await selection.ladder(wish(), null);
    expect(cloud.calls.filter((path) => path === '/instance-types')).toHaveLength(2);
  });

  it('each look is kept as samples, and old ones are removed', async ({ db }) => {
    const selection = cloud.newSelection(db);
    await selection.ladder(wish(), null);
    const samples = await db.availabilitySample.findMany({ orderBy: { location: 'asc' } });
    expect(samples.map((s) => [s.provider, s.market, s.location])).toEqual([
      ['datacrunch', 'ondemand', 'FIN-01'],
      ['datacrunch', 'ondemand', 'FIN-02'],
      ['datacrunch', 'ondemand', 'FIN-03'],
    ]);
    expect(samples.map((s) => s.instanceTypes.includes('1A100.40S.22V'))).toEqual([false, true, false]);
    cloud.clock.advance(8 * 24 * 3_600_000);
    await selection.ladder(wish(), null);
    expect(await db.availabilitySample.count()).toBe(3);
  });

  it('a look at the offers puts the place of a kept volume first', async ({ db }) => {
    const wakeFrom = {
      volumeId: 'v',
      provider: 'datacrunch',
      location: 'FIN-03',
      instanceType: '1A6000.10V',
      market: 'ondemand',
    } as const;
    const ladder = await cloud.newSelection(db).ladder(wish(), wakeFrom);
    expect(first(ladder)).toMatchObject({ instanceType: '1A6000.10V', location: 'FIN-03', bootsKeptVolume: true });
  });
});

describe('outages', () => {
  it('outages of availability are told by their class and are never "nothing there"', async ({ db }) => {
    cloud.sim.setFaults([{ match: { path: '/instance-availability' }, effect: 'error', status: 503 }]);
    const selection = cloud.newSelection(db);
    await expect(selection.ladder(wish(), null)).rejects.toMatchObject({ code: 'provider_transient' });
    expect(await db.availabilitySample.count()).toBe(0);
    cloud.sim.setFaults([]);
    expect(first(await selection.ladder(wish(), null))?.instanceType).toBe('1A100.40S.22V');
  });

  it('outages of the catalogue leave the last one in use', async ({ db }) => {
    const selection = cloud.newSelection(db);
    await selection.ladder(wish(), null);
    const seenAtMs = cloud.clock.nowMs();
    cloud.clock.advance(3_600_000);
    cloud.sim.setFaults([{ match: { path: '/instance-types' }, effect: 'error', status: 500 }]);
    const { ladder, catalogue } = await selection.plan(wish());
    expect(first(ladder)?.instanceType).toBe('1A100.40S.22V');
    expect(catalogue.atMs).toBe(seenAtMs);
    await expect(cloud.newSelection(db).ladder(wish(), null)).rejects.toMatchObject({ code: 'provider_transient' });
  });

  it('wrong credentials are told, also where an old catalogue is at hand', async ({ db }) => {
    const selection = cloud.newSelection(db);
    await selection.ladder(wish(), null);
    cloud.clock.advance(3_600_000);
    cloud.sim.setFaults([{ match: {}, effect: 'error', status: 401, code: 'unauthorized_request' }]);
    await expect(selection.ladder(wish(), null)).rejects.toMatchObject({ code: 'provider_auth' });
  });
});

it('prices that jump absurdly are not paid, and stay unpaid', async ({ db }) => {
  const selection = cloud.newSelection(db);
  await selection.ladder(wish(), null);
  cloud.sim.core.setPrices([{ types: '1A100.40S.22V', ondemandUsd: 126 }]);
  for (let i = 0; i < 2; i += 1) {
    cloud.clock.advance(600_000);
    const ladder = await selection.ladder(wish(), null);
    expect(ladder.offers.find((o) => o.key === A100)?.refusal).toBe('implausible_price');
  }
});

it('mistakes are refused before availability is asked for', async ({ db }) => {
  const selection = cloud.newSelection(db);
  await expect(selection.ladder(wish({ selector: 'h100-or-les' }), null)).rejects.toMatchObject({
    code: 'selector_unknown',
  });
  await expect(selection.ladder(wish({ locations: ['FIN-09'] }), null)).rejects.toMatchObject({
    code: 'location_unknown',
  });
  expect(cloud.looks()).toBe(0);
});

/** The API's answer about a plan. */
const planOf = ({ client }: Awaited<ReturnType<typeof serveSelection>>, query: PlanQuery) =>
  client.GET('/fleet/plan', { params: { query } });

describe('over HTTP', () => {
  it('the API of selection answers tiers, capacity and plan as the document describes them', async ({ db }) => {
    await using served = await serveSelection(db, { selection: cloud.newSelection(db) });
    const { client } = served;
    const capacity = (query: z.input<typeof capacityQuerySchema>) =>
      client.GET('/fleet/capacity', { params: { query } });
    const tiers = await client.GET('/fleet/tiers');
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

    const l40s = await capacity({ instanceType: '1L40S.20V', market: 'ondemand' });
    expect(l40s.items.map((i) => i.location)).toEqual(['FIN-01', 'FIN-02', 'FIN-03']);
    expect((await capacity({ instanceType: 'ANY_1H100' })).items).toEqual([]);
    const there = await capacity({ location: 'FIN-03', market: 'any' });
    expect(new Set(there.items.map((i) => i.market))).toEqual(new Set(['ondemand', 'spot']));

    const plan = await planOf(served, { selector: 'h100-or-less', locations: 'FIN-02,FIN-01', maxUsdPerHour: 2 });
    expect(plan.offers[0]).toMatchObject({ rank: 1, instanceType: '1A100.40S.22V', location: 'FIN-02' });
    expect(new Set(plan.offers.map((o) => o.refusal))).toEqual(
      new Set([null, 'unavailable', 'too_expensive', 'location_not_allowed', 'not_selected']),
    );
  });

  it('the API of selection answers a mistake as a problem with what is possible, and an unknown pool as not found', async ({
    db,
  }) => {
    await using served = await serveSelection(db, { selection: cloud.newSelection(db) });
    await expect(planOf(served, { selector: 'h100-or-moar' })).rejects.toMatchObject({
      code: 'selector_unknown',
      hint: expect.stringContaining('rtx-pro-6000') as string,
    });
    const elsewhere = served.client.GET('/fleet/capacity', { params: { query: { location: 'MARS-01' } } });
    await expect(elsewhere).rejects.toMatchObject({
      code: 'location_unknown',
      hint: 'The locations are FIN-01, FIN-02, FIN-03.',
    });
    await expect(planOf(served, { selector: 'cheapest', exclude: '1A100.80S.22V' })).rejects.toMatchObject({
      code: 'selector_unknown',
      message: 'There is no machine type "1A100.80S.22V". Did you mean 1A100.22V?',
    });
    await expect(planOf(served, { selector: 'cheapest', provider: 'datacrunsh' })).rejects.toMatchObject({
      code: 'not_found',
      message: 'The fleet has no provider datacrunsh. Did you mean datacrunch?',
    });
    await expect(planOf(served, { pool: 'unknown' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(served.client.GET('/fleet/plan')).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('the commands print the ladder, and refuse by name what does not exist', async ({ db }) => {
    await using served = await serveSelection(db, { selection: cloud.newSelection(db) });
    const { deckhand } = served;
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
    const tiers = await deckhand('tiers');
    expect(tiers.stdout).toMatch(/^H100: h100, h100-or-less, ANY_1H100, .*from \$3\.700 an hour$/mu);
  });

  it('plans as a pool would under its budget: what that does not pay for has no place, and says so', async ({ db }) => {
    const fleetFile = path.join(folderPerTest(), 'fleet.json');
    writeFileSync(fleetFile, JSON.stringify({ pools: [{ name: 'both', classes: GPU_CLASSES }] }));
    await using served = await serveSelection(db, { selection: cloud.newSelection(db), fleetFile });
    expect((await planOf(served, { pool: 'both' })).offers[0]?.rank).toBe(1);
    await db.budget.create({ data: { id: 'b', scope: 'installation', period: 'month', hardUsd: 0.01 } });
    const { offers, nextTryAt } = await planOf(served, { pool: 'both' });
    expect(offers.every((offer) => offer.rank === null)).toBe(true);
    expect(offers[0]).toMatchObject({ refusal: 'over_budget', reason: expect.stringMatching(/budget/iu) as string });
    expect(nextTryAt).not.toBeNull();
    // Without a pool no budget applies.
    expect((await planOf(served, { selector: 'h100-or-less' })).offers[0]?.rank).toBe(1);
  });

  it('the API of selection says which setting is missing where the fleet is static', async ({ db }) => {
    await using served = await serveSelection(db);
    await expect(served.client.GET('/fleet/tiers')).rejects.toMatchObject({
      code: 'usage',
      hint: expect.stringContaining('"provider": "datacrunch"') as string,
    });
  });
});
