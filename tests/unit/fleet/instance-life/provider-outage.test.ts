/**
 * One of two providers answers every call with an error for an hour: the other one goes on, nothing is bought twice, and what lay at the first
 * is found again afterwards.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseOfferKey } from '../../../../domain/fleet/selection/offer.ts';
import { livingMachines, virtualAws } from '../../../../testing/fleet/virtual-cloud.ts';
import { atMostOne, QUICK_BOOTS } from '../../../../testing/fleet/run-plan.ts';
import { VirtualInstance } from '../../../../testing/fleet/virtual-instance.ts';
import { ladderOfKeys } from '../../../../testing/fleet/virtual-ladder.ts';
import { forAll } from '../../../../testing/property.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** DataCrunch, which has the outage, comes first. */
const FIRST = ['datacrunch/FIN-01/1H100.80S.30V/ondemand', 'datacrunch/FIN-02/1A100.22V/ondemand'];
const SECOND = ['aws/eu-west-1a/g4dn.xlarge/ondemand', 'aws/eu-west-1b/g5.xlarge/ondemand'];

/** Every host name has at most one machine, over both providers. */
function oneMachineEach(life: VirtualInstance): void {
  const names = life.living.map(({ hostname }) => hostname);
  expect(names).toEqual([...new Set(names)]);
  atMostOne(life);
}

function lifeOver(offers: readonly string[] = [...FIRST, ...SECOND], seed = 1): VirtualInstance {
  const options = {
    scenario: QUICK_BOOTS,
    seed,
    others: [virtualAws],
    rank: ladderOfKeys(...offers),
    check: oneMachineEach,
  };
  return new VirtualInstance(options);
}

/** Every call of the first provider fails for an hour from now on. */
function outage(life: VirtualInstance): void {
  life.sim.setFaults([{ effect: 'error', status: 503 }]);
  life.at(HOUR, () => life.sim.setFaults([]));
}

const offersOf = ({ creates }: VirtualInstance): string[] =>
  creates.map(({ intent }) => parseOfferKey(intent.offer).provider);
/** Machines at each provider. */
const machines = ({ clouds }: VirtualInstance): number[] => clouds.map(({ sim }) => livingMachines(sim.core).length);

describe('while one of two providers is down for an hour', () => {
  it('an instance at the other goes on serving, and nothing is bought', async () => {
    const life = lifeOver(SECOND);
    await life.until('ready');
    const before = life.creates.length;
    outage(life);
    let hasLeft = false;
    for (let minute = 0; minute < 70; minute += 1) {
      await life.runFor(MINUTE);
      hasLeft ||= life.state.phase !== 'ready';
    }
    expect(hasLeft).toBe(false);
    expect(life.creates).toHaveLength(before);
    expect(life.alerts).toEqual([]);
  });

  it('a machine at the one that is down keeps serving, and is the same afterwards', async () => {
    const life = lifeOver();
    await life.until('ready');
    const { machine } = life.state;
    expect(machines(life)).toEqual([1, 0]);
    outage(life);
    await life.runFor(70 * MINUTE);
    expect(life.state).toMatchObject({ phase: 'ready', machine: { providerId: machine?.providerId } });
    expect(machines(life)).toEqual([1, 0]);
    expect(life.creates).toHaveLength(1);
  });

  it('a new instance gets its machine at the other, and none is left at the first', async () => {
    const life = lifeOver();
    outage(life);
    await life.until('ready', 20 * MINUTE);
    expect(offersOf(life).at(-1)).toBe('aws');
    expect(machines(life)).toEqual([0, 1]);
    await life.runFor(70 * MINUTE);
    expect(life.state.phase).toBe('ready');
    expect(machines(life)).toEqual([0, 1]);
  });

  it('a create whose answer was lost stays open, nothing is bought beside it, and its machine is found again', async () => {
    const life = lifeOver();
    // The provider still lists and takes the create, and says nothing from then on.
    life.sim.setFaults([{ match: { method: 'POST', path: '/instances' }, effect: 'drop_answer' }]);
    await life.runUntil(() => life.living.length === 1);
    outage(life);
    const [lost] = life.living.map(life.idOf);
    await life.runFor(59 * MINUTE);
    expect(life.state.phase).toBe('creating');
    expect(offersOf(life)).toEqual(['datacrunch']);
    await life.until('ready', 30 * MINUTE);
    expect(life.state.machine?.providerId).toBe(lost);
    expect(offersOf(life)).toEqual(['datacrunch']);
    expect(machines(life)).toEqual([1, 0]);
  });

  it('a kept disk is left alone, its instance starts at the other, and the disk is removed afterwards', async () => {
    const life = lifeOver();
    await life.until('ready');
    await life.ask('suspend', 'suspended');
    expect(life.disks).toHaveLength(1);
    outage(life);
    await life.ask('serve', 'ready', 30 * MINUTE);
    expect(machines(life)).toEqual([0, 1]);
    await life.runFor(90 * MINUTE);
    await life.end();
    expect([life.living, life.disks]).toEqual([[], []]);
  });

  it('a destroy is never taken for done, tells the operator once, and is done afterwards', async () => {
    const life = lifeOver();
    await life.until('ready');
    outage(life);
    life.request('destroy');
    await life.runFor(59 * MINUTE);
    expect(life.state.phase).toBe('destroying');
    expect(life.alerts).toHaveLength(1);
    await life.runUntil(() => life.isOver, 30 * MINUTE);
    expect(life.alerts).toHaveLength(1);
    expect([life.living, life.disks]).toEqual([[], []]);
  });
});

it('whenever the outage begins and whatever is asked meanwhile, there are never two machines, and none and no disk after the end', () =>
  forAll(
    [
      fc.integer({ min: 0, max: 900 }),
      fc.integer({ min: 1, max: 10_000 }),
      fc.array(
        fc.record({
          atSec: fc.integer({ min: 0, max: 5400 }),
          request: fc.constantFrom('serve' as const, 'suspend' as const, 'cordon' as const),
        }),
        { maxLength: 5 },
      ),
      fc.array(fc.integer({ min: 0, max: 5400 }), { maxLength: 3 }),
    ],
    { runs: 60 },
    async (outageAtSec, seed, requests, crashesAtSec) => {
      const life = lifeOver([...FIRST, ...SECOND], seed);
      life.at(outageAtSec * 1000, () => outage(life));
      for (const { atSec, request } of requests) life.at(atSec * 1000, () => life.request(request));
      for (const atSec of crashesAtSec) life.at(atSec * 1000, () => life.crash());
      await life.runFor(outageAtSec * 1000 + HOUR + 45 * MINUTE);
      await life.end();
      expect([life.living, life.disks]).toEqual([[], []]);
    },
  ));
