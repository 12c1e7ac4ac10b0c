/** One seed, one history: also over a restart from a snapshot. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { VirtualClock } from '../../../simulators/clouds/core/clock.ts';
import { parseScenario, scenarioReader, type ScenarioInput } from '../../../simulators/clouds/core/scenario.ts';
import { CloudRefusal } from '../../../simulators/clouds/core/refusal.ts';
import { createSimulatedDataCrunch, type SimulatedDataCrunch } from '../../../simulators/clouds/datacrunch/app.ts';
import { forAll } from '../../../testing/property.ts';

const BALANCE_USD = 5;
const SCENARIO: ScenarioInput = {
  boot: { noCapacityProbability: 0.2 },
  spot: { evictionsPerHour: 3 },
  stock: [{ count: 3 }],
  billing: { balanceUsd: BALANCE_USD },
};

type Step = {
  readonly do: 'create' | 'stop' | 'start' | 'delete' | 'wait';
  readonly which: number;
  readonly sec: number;
};

function perform({ core, clock }: SimulatedDataCrunch, step: Step): void {
  const target = core.allInstances()[step.which]?.id ?? 'none';
  try {
    switch (step.do) {
      case 'create':
        core.create({
          hostname: 'h',
          description: '',
          instanceType: '1L40S.20V',
          location: 'FIN-01',
          market: step.which % 2 === 0 ? 'spot' : 'ondemand',
          boot: {
            kind: 'image',
            image: 'ubuntu-24.04',
            osVolume: { name: 'os', sizeGib: 50, type: 'NVMe', onEviction: 'keep', tags: [] },
            sshKeyIds: [],
            startupScriptId: null,
          },
          newVolumes: [],
          existingVolumeIds: [],
          tags: [],
        });
        break;
      case 'stop':
        core.stop(target);
        break;
      case 'start':
        core.start(target);
        break;
      case 'delete':
        core.delete(target);
        break;
      case 'wait':
        if (clock instanceof VirtualClock) clock.advance(step.sec * 1000);
    }
  } catch (error) {
    // A refusal is an answer like any other.
    if (!(error instanceof CloudRefusal)) throw error;
  }
}

const steps = fc.array(
  fc.record({
    do: fc.constantFrom('create', 'stop', 'start', 'delete', 'wait', 'wait'),
    which: fc.nat(5),
    sec: fc.nat(2000),
  }) as fc.Arbitrary<Step>,
  { maxLength: 40 },
);

it('a simulated cloud repeats itself for a seed, and goes on from a snapshot as if it had not been interrupted', () =>
  forAll([steps, fc.nat(), fc.nat(40)], { runs: 300 }, (list, seed, cut) => {
    const whole = createSimulatedDataCrunch({ scenario: SCENARIO, clock: new VirtualClock(), seed });
    for (const step of list) perform(whole, step);
    const first = createSimulatedDataCrunch({ scenario: SCENARIO, clock: new VirtualClock(), seed });
    for (const step of list.slice(0, cut)) perform(first, step);
    const snapshot: unknown = JSON.parse(JSON.stringify(first.snapshot()));
    const second = createSimulatedDataCrunch({ scenario: SCENARIO, clock: new VirtualClock() });
    second.restore(snapshot as ReturnType<typeof first.snapshot>);
    for (const step of list.slice(cut)) perform(second, step);
    // Looks at other times split sums differently; only the last digits may differ.
    const rounded = (d: SimulatedDataCrunch): unknown =>
      JSON.parse(JSON.stringify(d.snapshot().cloud), (_key, value: unknown) =>
        typeof value === 'number' ? Math.round(value * 1e6) / 1e6 : value,
      );
    expect(rounded(second)).toEqual(rounded(whole));
  }));

it('a simulated cloud never sells more than its stock, never charges more than it was given, and accounts for every cent', () =>
  forAll([steps, fc.nat()], { runs: 300 }, (list, seed) => {
    const datacrunch = createSimulatedDataCrunch({ scenario: SCENARIO, clock: new VirtualClock(), seed });
    for (const step of list) {
      perform(datacrunch, step);
      const held = datacrunch.core.allInstances().filter((i) => i.holdsStock);
      for (const market of ['spot', 'ondemand'] as const)
        expect(held.filter((i) => i.market === market).length).toBeLessThanOrEqual(3);
      const { chargedUsd, balanceUsd } = datacrunch.core.ledger();
      expect(balanceUsd).toBeGreaterThanOrEqual(-1e-6);
      expect(chargedUsd + balanceUsd).toBeCloseTo(BALANCE_USD, 6);
    }
  }));

it('a wrong scenario is refused with the name of its field', () => {
  expect(() => parseScenario({ boot: { orderedSec: -1 } })).toThrow(/boot\.orderedSec/u);
  expect(() => parseScenario({ stok: [] })).toThrow(/stok/u);
  expect(() => scenarioReader('datacrunch')('/nowhere.json')).toThrow(/demo, drought/u);
});

it('the scenario demo has no H100 and no 80 GB A100 anywhere, and the 40 GB one in FIN-02', () => {
  const { core } = createSimulatedDataCrunch({ scenario: 'demo', clock: new VirtualClock() });
  const places = (type: string): string[] =>
    core.catalogue.locations.filter((l) => core.isAvailable(type, l, 'ondemand'));
  for (const type of ['1H100.80S.30V', '1H100.80S.32V', '8H100.80S.240V', '1A100.22V', '2A100.44V']) {
    expect(core.catalogue.types.has(type)).toBe(true);
    expect(places(type)).toEqual([]);
  }
  expect(places('1A100.40S.22V')).toEqual(['FIN-02']);
  expect(places('1B200.30V')).toEqual([]);
  expect(places('1L40S.20V')).toEqual(['FIN-01', 'FIN-02', 'FIN-03']);
});
