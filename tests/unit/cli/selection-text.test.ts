/** Tiers, capacity and plans as a terminal shows them. */
import { describe, expect, it } from 'vitest';
import type { Plan, Survey } from '../../../activities/fleet/selection/selection.ts';
import type { PlanDocument } from '../../../api/client.ts';
import { capacity, planDocument, tierList } from '../../../api/fleet/selection-documents.ts';
import { renderPlan } from '../../../cli/fleet/plan-ladder.ts';
import { capacityTable, tierTable } from '../../../cli/fleet/selection-tables.ts';
import { buildLadder } from '../../../domain/fleet/selection/build-ladder.ts';
import type { LadderInput, LadderPolicy } from '../../../domain/fleet/selection/ladder-input.ts';
import { parseSelector, whyNotSelected } from '../../../domain/fleet/selection/selector.ts';
import { secondsPerSlideTable } from '../../../domain/fleet/selection/slide-cost.ts';
import { identifyGpu, tierIndex, TIERS } from '../../../domain/fleet/selection/tiers.ts';
import { allAvailable, CATALOGUE, LOCATIONS, NOW_MS, selectionInput } from '../fleet/selection-catalogue.ts';

const PLAIN = { colours: false, width: 200 };
const MODELS = [
  { modelName: 'gemma3:12b', weightsGib: 7.6, kvCacheGibPerSlot: 2.5 },
  { modelName: 'phi4:latest', weightsGib: 8.5, kvCacheGibPerSlot: 3.2 },
];

/** In FIN-01 are only these types, in the other locations all but these. */
const scarce = (...types: string[]): LadderInput['availability'] => ({
  ondemand: {
    atMs: NOW_MS,
    typesByLocation: Object.fromEntries(
      LOCATIONS.map((l) => [
        l,
        CATALOGUE.map((t) => t.instanceType).filter((t) => types.includes(t) === (l === 'FIN-01')),
      ]),
    ),
  },
});

function planOf(policy: Partial<LadderPolicy>, rest: Partial<LadderInput> = {}): PlanDocument {
  const input = selectionInput(policy, { models: MODELS, ...rest });
  const catalogue = { atMs: NOW_MS, types: input.catalogue, locations: input.locations };
  const ladder = buildLadder(input);
  const plan: Plan = { ladder, catalogue, unanswered: [], models: input.models, slots: input.slots };
  return { ...planDocument('cloud', plan), unreadableRows: [] };
}
const text = (plan: PlanDocument, lines: { all?: boolean; verbose?: boolean } = {}): string =>
  renderPlan(plan, { all: false, verbose: false, ...lines }, PLAIN);
const linesOf = (plan: PlanDocument, lines?: { all?: boolean; verbose?: boolean }): string[] =>
  text(plan, lines).split('\n');

describe('a plan', () => {
  const NONE_LARGE = scarce('1RTXPRO6000.30V', '1L40S.20V', '1H100.80S.30V', '1H100.80S.32V', '1A100.22V');
  const FAILURE = { errorClass: 'capacity', repeats: 1, lastFailureAtMs: NOW_MS, message: 'no stock' } as const;
  const withBlock: Partial<LadderInput> = {
    availability: NONE_LARGE,
    memory: [{ ...FAILURE, scopeKey: 'cloud/FIN-01/1H100.80S.30V/ondemand', blockedUntilMs: NOW_MS + 180_000 }],
  };

  it('reads as a ladder: the tiers first, then line by line what is taken and what is not, then what is selected', () =>
    expect(text(planOf({}, withBlock))).toMatchFileSnapshot('snapshots/plan.txt'));

  it('unfolds into one line per offer with its whole reason', () =>
    expect(text(planOf({ selector: 'a100-80' }, withBlock), { all: true })).toMatchFileSnapshot(
      'snapshots/plan-all.txt',
    ));

  it('folds what is refused for one reason, and loses no offer', () => {
    const none = { ondemand: { atMs: NOW_MS, typesByLocation: Object.fromEntries(LOCATIONS.map((l) => [l, []])) } };
    const plan = planOf({ selector: 'h100-or-less' }, { availability: none });
    const lines = linesOf(plan);
    expect(lines).toContain('✗ H100          · 6 offers  · not available');
    expect(lines).toContain('✗ A100 40 GB    · 3 offers  · too small: 40 of 42.8 GiB');
    expect(lines.at(-1)).toBe('Selected: nothing now. The next try is at 2026-11-21T12:00:20.000Z.');
    const counted = lines.flatMap((line) => /· (\d+) offers +·/u.exec(line)?.[1] ?? []).map(Number);
    const selected = plan.offers.filter((offer) => offer.refusal !== 'not_selected');
    expect(counted.reduce((sum, count) => sum + count, 0)).toBe(selected.length);
    expect(linesOf(plan, { all: true }).filter((line) => /^[✓✗] /u.test(line))).toHaveLength(selected.length);
  });

  it('names the provider of each line only where there are several', () => {
    const one = planOf({ selector: 'a6000' });
    expect(text(one)).not.toContain('cloud');
    const offers = one.offers.map((offer, i) => (i === 0 ? { ...offer, provider: 'other' } : offer));
    const several = linesOf({ ...one, offers });
    expect(several.find((line) => line.startsWith('✓'))).toMatch(/^✓ RTX A6000 +· other +· 1A6000\.10V in FIN-01/u);
    expect(several.at(-1)).toContain('1A6000.10V in FIN-01 of other (on demand) at $0.610 an hour');
  });

  it('goes by cost where the selector is the cheapest', () => {
    const marks = linesOf(planOf({ selector: 'cheapest' }, { models: [] })).filter((line) => line.startsWith('✓'));
    expect(marks.map((line) => line.slice(2, 12).trim()).slice(0, 2)).toEqual(['V100', 'RTX A6000']);
    expect(marks[0]).toContain('in FIN-01, FIN-02, FIN-03');
  });

  it('a plan says from which price on a tier is above the cap', () =>
    expect(linesOf(planOf({ selector: 'l40s', maxPriceUsdPerHour: 0.1 }))).toContain(
      '✗ L40S  · 3 offers  · above the price cap: from $0.910/h',
    ));

  it('calls a GPU by one name, whatever its providers call it', () => {
    const plan = planOf({ selector: 'ANY_A100' }, { models: [] });
    const offers = plan.offers.map((offer, i) => (i === 0 ? { ...offer, gpuModel: 'NVIDIA A100' } : offer));
    const names = linesOf({ ...plan, offers }).flatMap((line) => /^[✓✗] (.+?) +·/u.exec(line)?.[1] ?? []);
    expect(new Set(names)).toEqual(new Set(['A100 80 GB', 'A100 40 GB']));
  });

  it('says why a selector takes nothing at all', () => {
    expect(text(planOf({ selector: 'ANY_3H100' }))).toMatch(/Selected: nothing\. H100 is sold with 1 or 8 GPUs\.$/u);
    expect(text(planOf({ selector: 'ANY_3H100' }))).not.toContain('Ladder');
  });

  it('shows what the selector leaves out when asked, at the end', () => {
    const lines = linesOf(planOf({ selector: 'l40s' }), { verbose: true }).filter((line) => /^[✓✗] /u.test(line));
    expect(lines[0]).toContain('1L40S.20V in FIN-01, FIN-02, FIN-03');
    expect(lines.slice(1).every((line) => line.endsWith('not selected'))).toBe(true);
    expect(lines.length).toBeGreaterThan(8);
  });

  it('lets no control character of a name through', () => {
    const plan = planOf({ selector: 'l40s' });
    const evil = plan.offers.map((offer) => ({
      ...offer,
      instanceType: `${offer.instanceType}\u001B[2J`,
      location: '\u0007',
      reason: '\u001B[31m',
      refusal: offer.refusal === null ? null : '\u0007',
    }));
    for (const all of [true, false])
      expect(text({ ...plan, tiers: [], offers: evil }, { all, verbose: true })).not.toMatch(/(?!\n)\p{Cc}/u);
  });
});

describe('tiers and capacity', () => {
  const ALONE = { unreadableRows: [], otherProviders: [] };
  const types = CATALOGUE.map((type) =>
    type.instanceType === '1L40S.20V' ? { ...type, vcpu: 20, memoryGib: 60 } : { ...type, vcpu: 0 },
  );
  const survey: Survey = {
    catalogue: { atMs: NOW_MS, types, locations: LOCATIONS },
    availability: { ...scarce('1L40S.20V'), spot: { atMs: NOW_MS, typesByLocation: { 'FIN-02': ['1A6000.10V'] } } },
    secondsPerSlide: secondsPerSlideTable({}),
  };

  it('a tier shows the selectors that take it, its lowest price, and its types with processors and memory', () =>
    expect(tierTable({ ...tierList('cloud', survey), ...ALONE })).toMatchFileSnapshot('snapshots/tiers.txt'));

  it('every selector of a tier that is sold takes a type of it, and nothing of another tier before', () => {
    for (const item of tierList('cloud', survey).items.filter(({ types: sold }) => sold.length > 0))
      for (const text of item.selectors) {
        const selector = parseSelector(text, types);
        const taken = types.filter((type) => whyNotSelected(selector, type) === null);
        const best = Math.min(...taken.map((type) => tierIndex(identifyGpu(type).tier)));
        expect([text, TIERS[best]?.slug]).toEqual([text, item.tier]);
      }
  });

  it('capacity names the provider only where there are several, and says why a selector takes nothing', () => {
    const found = { ...capacity('cloud', survey, { instanceType: '1L40S.20V', market: 'ondemand' }), ...ALONE };
    expect(found.whyNothing).toBeNull();
    expect(capacityTable(found).split('\n')).toEqual([
      'TYPE       LOCATION  MARKET    TIER  $/H',
      '1L40S.20V  FIN-01    ondemand  l40s  $0.910',
    ]);
    const items = [...found.items, ...found.items.map((item) => ({ ...item, provider: 'other' }))];
    expect(capacityTable({ ...found, items })).toMatch(/^PROVIDER  TYPE/u);
    expect(capacity('cloud', survey, { instanceType: 'ANY_3H100', market: 'any' })).toMatchObject({
      items: [],
      whyNothing: 'H100 is sold with 1 or 8 GPUs.',
    });
    expect(capacity('cloud', { ...survey, availability: allAvailable() }, { market: 'any' }).whyNothing).toBeNull();
  });

  it('both say that they are about one provider of several, and how to ask the others', () => {
    const several = { ...ALONE, otherProviders: ['other', 'evil\u001B'] };
    const words = 'This is cloud alone. For other, evil: --provider NAME.';
    expect(tierTable({ ...tierList('cloud', survey), ...several })).toContain(words);
    expect(capacityTable({ ...capacity('cloud', survey, { market: 'any' }), ...several })).toContain(words);
  });

  it('capacity of a provider that never says what is free says that it does not know', () => {
    const silent = { ...survey, availability: { ondemand: { atMs: NOW_MS, typesByLocation: {} } } };
    const found = { ...capacity('cloud', silent, { instanceType: '1L40S.20V', market: 'ondemand' }), ...ALONE };
    expect(found.isAvailabilityKnown).toBe(false);
    expect(found.items).toHaveLength(LOCATIONS.length);
    expect(capacityTable(found)).toContain('cloud does not say what is free: these are all that it sells.');
    const [head = ''] = tierTable({ ...tierList('cloud', silent), ...ALONE }).split('\n');
    expect(head).toMatch(/SOLD IN$/u);
  });
});
