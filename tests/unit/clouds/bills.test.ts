/** When a bill began and ended, as the simulated provider's journal tells it to the real client: it agrees with the provider's own meters. */
import { expect, it } from 'vitest';
import { billOfMachine } from '../../../clouds/datacrunch/bill.ts';
import { createDataCrunchClient } from '../../../clouds/datacrunch/client.ts';
import { DATACRUNCH } from '../../../clouds/datacrunch/provider.ts';
import { partOf } from '../../../clouds/parts.ts';
import type { CloudProvider } from '../../../clouds/provider.ts';
import { VirtualClock } from '../../../simulators/clouds/core/clock.ts';
import type { ScenarioInput } from '../../../simulators/clouds/core/scenario.ts';
import { restoreVolume, trashVolume } from '../../../simulators/clouds/core/volumes.ts';
import { createSimulatedDataCrunch, type SimulatedDataCrunch } from '../../../simulators/clouds/datacrunch/app.ts';
import { makeImageRequest } from '../../../testing/image-request.ts';
import { codeOf } from './scripted-api.ts';

const MINUTE = 60_000;

interface Setup {
  readonly sim: SimulatedDataCrunch;
  readonly clock: VirtualClock;
  readonly provider: CloudProvider;
  /** Creates a machine and lets a time pass. */
  create(hostname: string, passMs: number): Promise<string>;
}

function setUp(scenario: ScenarioInput = {}): Setup {
  const clock = new VirtualClock();
  const sim = createSimulatedDataCrunch({ clock, scenario: { rateLimits: null, ...scenario } });
  const client = createDataCrunchClient({
    baseUrl: 'http://127.0.0.1/v1',
    credentials: { clientId: sim.clientId, clientSecret: sim.clientSecret },
    fetch: (input, init) => sim.fetch(input, init),
    now: () => clock.nowMs(),
    pause: async (ms) => clock.advance(ms),
  });
  const capabilities = { billing: sim.scenario.billing };
  const provider = DATACRUNCH.open({ client, capabilities, now: () => clock.nowMs() });
  const create = async (hostname: string, passMs: number): Promise<string> => {
    const key = await partOf(provider, 'sshKeys').add('key', 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5');
    const request = makeImageRequest({
      hostname,
      instanceType: '1L40S.20V',
      location: 'FIN-01',
      market: 'spot',
      boot: { image: 'ubuntu-24.04', osVolumeGib: 60, sshKey: { id: key, text: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5' } },
    });
    const id = await provider.createInstance(request, {});
    clock.advance(passMs);
    sim.core.settle();
    return id;
  };
  return { sim, clock, provider, create };
}

/** The provider's own meter of a thing. */
const meterOf = ({ sim }: Setup, id: string) => {
  const meter = sim.core.ledger().meters.find((one) => one.resourceId === id);
  return { fromMs: meter?.fromMs, untilMs: meter?.untilMs ?? null };
};

it.each(['created', 'running'] as const)(
  'a machine is billed from when it is %s until its end is ordered',
  async (from) => {
    const setup = setUp({ billing: { from } });
    const { provider, clock } = setup;
    const id = await setup.create('dh-1', 10 * MINUTE);
    expect(await partOf(provider, 'bills').billOf('instance', id)).toEqual({ state: 'billed', ...meterOf(setup, id) });
    await partOf(provider, 'stopping').shutdown(id);
    clock.advance(5 * MINUTE);
    expect(await partOf(provider, 'bills').billOf('instance', id)).toMatchObject({ untilMs: null });
    const [disk = ''] = (await provider.getInstance(id))?.volumeIds ?? [];
    await provider.deleteInstance(id, []);
    clock.advance(5 * MINUTE);
    expect(await partOf(provider, 'bills').billOf('instance', id)).toEqual({ state: 'billed', ...meterOf(setup, id) });
    expect(await partOf(provider, 'bills').billOf('volume', disk)).toMatchObject({ state: 'billed', untilMs: null });
    await provider.deleteVolume(disk);
    expect(await partOf(provider, 'bills').billOf('volume', disk)).toEqual({
      state: 'billed',
      ...meterOf(setup, disk),
    });
  },
);

it('the bill of an evicted machine ends then; a machine that fails for lack of capacity costs nothing', async () => {
  const setup = setUp();
  const id = await setup.create('dh-1', 10 * MINUTE);
  setup.sim.core.evict(id);
  expect(await partOf(setup.provider, 'bills').billOf('instance', id)).toEqual({
    state: 'billed',
    ...meterOf(setup, id),
  });

  const failing = setUp({ boot: { noCapacityProbability: 1 }, billing: { from: 'running' } });
  const early = await failing.create('dh-2', 0);
  expect(await partOf(failing.provider, 'bills').billOf('instance', early)).toEqual({ state: 'not_begun' });
  failing.clock.advance(10 * MINUTE);
  failing.sim.core.settle();
  expect(await partOf(failing.provider, 'bills').billOf('instance', early)).toEqual({ state: 'void' });
  expect(failing.sim.core.ledger().chargedUsd).toBe(0);
});

it('a disk costs nothing in the trash, and for its time there when it is taken out again', async () => {
  const setup = setUp();
  const id = await setup.create('dh-1', 10 * MINUTE);
  const [disk = ''] = (await setup.provider.getInstance(id))?.volumeIds ?? [];
  const volume = setup.sim.core.volumes().find((one) => one.id === disk);
  if (volume === undefined) throw new Error('no disk');
  trashVolume(setup.sim.core.context, volume, setup.clock.nowMs());
  expect(await partOf(setup.provider, 'bills').billOf('volume', disk)).toMatchObject({ untilMs: setup.clock.nowMs() });
  setup.clock.advance(5 * MINUTE);
  restoreVolume(setup.sim.core.context, volume, setup.clock.nowMs());
  expect(await partOf(setup.provider, 'bills').billOf('volume', disk)).toMatchObject({ untilMs: null });
});

it('the journal names what was made since a time, over all pages, gone or not, and nothing older', async () => {
  const setup = setUp({ stock: [{ types: '*', count: null }] });
  await setup.create('dh-old', 10 * MINUTE);
  const sinceMs = setup.clock.nowMs();
  const ids: string[] = [];
  for (let index = 0; index < 120; index += 1) ids.push(await setup.create(`dh-${index}`, 5 * MINUTE));
  setup.sim.core.evict(ids[0] ?? '');
  const made = (await partOf(setup.provider, 'bills').madeSince(sinceMs)) ?? [];
  expect(
    made
      .filter((one) => one.resource === 'instance')
      .map((one) => one.id)
      .toSorted(),
  ).toEqual(ids.toSorted());
  expect(made.filter((one) => one.resource === 'volume')).toHaveLength(120);
});

it('credentials that do not reach the journal are no error: the provider has no record for us then', async () => {
  const setup = setUp();
  const id = await setup.create('dh-1', 10 * MINUTE);
  setup.sim.setFaults([
    {
      match: { path: '/journal*' },
      effect: 'error',
      status: 403,
      code: 'forbidden_action',
      message: 'Insufficient scope',
    },
  ]);
  expect(await partOf(setup.provider, 'bills').billOf('instance', id)).toBeNull();
  expect(await partOf(setup.provider, 'bills').madeSince(0)).toBeNull();
  setup.sim.setFaults([{ match: { path: '/journal*' }, effect: 'error', status: 500 }]);
  expect(await codeOf(partOf(setup.provider, 'bills').billOf('instance', id))).toBe('provider_transient');
});

it('events that come twice, or in another order, are the same bill', () => {
  const codes = ['create', 'provisioning', 'running', 'shutdown', 'shutdown:complete', 'start', 'running', 'delete'];
  const events = codes.map((code, index) => ({
    id: String(index),
    object_id: 'm',
    object_type: 'compute',
    action_code: code,
    timestamp: index * MINUTE,
  }));
  const bill = { state: 'billed', fromMs: 0, untilMs: 7 * MINUTE };
  const pauses = [{ fromMs: 4 * MINUTE, untilMs: 6 * MINUTE }];
  for (const journal of [events, [...events, ...events], events.toReversed()]) {
    expect(billOfMachine(journal, 'created')).toEqual(bill);
    expect(billOfMachine(journal, 'created', false)).toEqual({ ...bill, pauses });
  }
});

it('a journal that does not say when a machine began says nothing of its bill', () => {
  const event = { id: '1', object_id: 'm', object_type: 'compute', action_code: 'delete', timestamp: 1 };
  expect(billOfMachine([event], 'created')).toBeNull();
  expect(billOfMachine([], 'created')).toBeNull();
});
