/** A stopped machine whose type is sold out when it shall wake is started as another type, on the same disk, at AWS as it is simulated. */
import { expect, it } from 'vitest';
import { virtualAws } from '../../../../testing/fleet/virtual-cloud.ts';
import { VirtualInstance } from '../../../../testing/fleet/virtual-instance.ts';
import { ladderOfKeys, type LadderOf } from '../../../../testing/fleet/virtual-ladder.ts';

const MINUTE = 60_000;
const ZONE = 'eu-west-1b';

const offer = (instanceType: string, location = ZONE): string => `aws/${location}/${instanceType}/ondemand`;
const PRICES: Readonly<Record<string, number>> = { 'g4dn.xlarge': 0.8, 'g5.2xlarge': 1.9, 'g5.xlarge': 1 };

/** These offers at their own prices. */
const ladderOf = (offers: readonly string[]): LadderOf => {
  const rank = ladderOfKeys(...offers);
  return (provider) => {
    const ask = rank(provider);
    return async (...input) => {
      const answer = await ask(...input);
      const priced = answer.offers.map((one) => ({ ...one, priceUsdPerHour: PRICES[one.instanceType] ?? 2 }));
      return { ...answer, offers: priced };
    };
  };
};

/** An instance that sleeps as a stopped `g4dn.xlarge` in {@link ZONE}. */
async function asleep(...others: readonly string[]): Promise<VirtualInstance> {
  const rank = ladderOf([offer('g4dn.xlarge'), ...others]);
  const life = new VirtualInstance({ cloud: virtualAws, rank });
  await life.until('ready');
  await life.ask('suspend', 'suspended', 30 * MINUTE);
  expect(life.state.machine?.intent.offer).toBe(offer('g4dn.xlarge'));
  return life;
}

const soldOut = (life: VirtualInstance, ...types: readonly string[]): void =>
  life.sim.core.setStock(types.map((type) => ({ types: type, count: 0 })));

it('it serves again as the next type of its zone, the same machine with the same disk, at the price of that type', async () => {
  const life = await asleep(offer('g4dn.xlarge', 'eu-west-1a'), offer('g5.xlarge'));
  const before = life.state.machine;
  soldOut(life, 'g4dn.xlarge');
  await life.ask('wake', 'ready', 30 * MINUTE);
  expect(life.state.machine).toMatchObject({
    providerId: before?.providerId,
    osVolumeId: before?.osVolumeId,
    intent: { offer: offer('g5.xlarge') },
  });
  expect(life.state.machine?.priceUsdPerHour).not.toBe(before?.priceUsdPerHour);
  expect(life.creates).toHaveLength(1);
  expect(life.living).toMatchObject([{ instanceType: 'g5.xlarge', phase: 'running' }]);
  // Other pools need not try the type that is sold out.
  const told = life.ladder.told.map(({ offer: about, error }) => [about, error?.errorClass]);
  expect(told).toContainEqual([offer('g4dn.xlarge'), 'capacity']);
});

it('types are tried in the order of the ladder until one can be had', async () => {
  const life = await asleep(offer('g5.2xlarge'), offer('g5.xlarge'));
  soldOut(life, 'g4dn.xlarge', 'g5.2xlarge');
  await life.ask('wake', 'ready', 30 * MINUTE);
  const changes = life.executed.flatMap(({ command }) => (command.kind === 'change_type' ? command.instanceType : []));
  expect(changes).toEqual(['g5.2xlarge', 'g5.xlarge']);
  expect(life.creates).toHaveLength(1);
});

it('where no type of its zone can be had it is ended before another machine is bought elsewhere', async () => {
  const life = await asleep(offer('g5.xlarge'), offer('g5.xlarge', 'eu-west-1a'));
  const before = life.state.machine?.providerId ?? '';
  life.sim.core.setStock([
    { types: 'g4dn.xlarge', count: 0 },
    { types: 'g5.xlarge', locations: [ZONE], count: 0 },
  ]);
  await life.ask('wake', 'ready', 60 * MINUTE);
  expect(life.state.machine?.intent.offer).toBe('aws/eu-west-1a/g5.xlarge/ondemand');
  expect(life.living.map((machine) => life.idOf(machine))).toEqual([life.state.machine?.providerId]);
  expect(life.living.map((machine) => life.idOf(machine))).not.toContain(before);
});

it('a crash or a lost answer between the change and the start leaves one machine, of the type that its history names', async () => {
  for (const at of ['change_type', 'start'] as const) {
    const life = await asleep(offer('g5.xlarge'));
    soldOut(life, 'g4dn.xlarge');
    life.request('wake');
    await life.runUntil(() => life.executed.some(({ command }) => command.kind === 'change_type'));
    if (at === 'start')
      await life.runUntil(() => life.executed.filter(({ command }) => command.kind === 'start').length > 1);
    life.crash();
    await life.until('ready', 60 * MINUTE);
    expect(life.living).toMatchObject([{ instanceType: 'g5.xlarge' }]);
    expect(life.transitions.at(-1)).toMatchObject({ offer: offer('g5.xlarge') });
    await life.end(60 * MINUTE);
    expect([life.living, life.disks]).toEqual([[], []]);
  }
});
