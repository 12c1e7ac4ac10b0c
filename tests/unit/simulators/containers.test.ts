/** Container deployments of the simulated DataCrunch: stock, cold start, bill, queue, balancer, drain, eviction, logs. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ScenarioInput } from '../../../simulators/clouds/core/scenario.ts';
import { forAll } from '../../../testing/property.ts';
import { startRig, type Rig } from './datacrunch-client.ts';

/** A model server that answers when the test says so. */
const server = createServer((request, response) => {
  void text(request).then((body) => {
    arrived.push({ path: request.url ?? '', body, key: request.headers.authorization ?? null, response });
    changed();
  });
});
let arrived: { path: string; body: string; key: string | null; response: ServerResponse }[] = [];
let changed: () => void = () => undefined;
let modelUrl = '';

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  modelUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  arrived = [];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Resolves when the model servers have had this many requests. */
const arrivals = async (count: number): Promise<void> => {
  while (arrived.length < count) await new Promise<void>((resolve) => (changed = resolve));
};

const SCALING = {
  min_replica_count: 1,
  max_replica_count: 3,
  scale_down_policy: { delay_seconds: 300 },
  scale_up_policy: { delay_seconds: 10 },
  queue_message_ttl_seconds: 120,
  concurrent_requests_per_replica: 1,
  scaling_triggers: { queue_load: { threshold: 1 } },
} as const;

interface Containers extends Rig {
  /** Moves the clock, and lets everything that waits for it happen. */
  pass(sec: number): Promise<void>;
  make(fields?: Record<string, unknown>): ReturnType<Rig['call']>;
  at(rest: string): Promise<Record<string, unknown>>;
  status(): Promise<string>;
  replicas(): Promise<string[]>;
  ask(path: string, init?: RequestInit): Promise<Response>;
  scale(change: Record<string, unknown>): Promise<unknown>;
}

async function startContainers(scenario: ScenarioInput = {}): Promise<Containers> {
  const rig = await startRig({ containers: { pullSec: 20, startSec: 40 }, ...scenario });
  rig.datacrunch.core.onTransition((instance) => {
    if (instance.phase === 'running') instance.modelUrl = modelUrl;
  });
  const at = async (rest: string) => (await rig.call('GET', `/container-deployments/reader${rest}`)).json();
  return {
    ...rig,
    at,
    pass: async (sec) => {
      rig.clock.advance(sec * 1000);
      rig.datacrunch.core.settle();
      await new Promise((resolve) => setImmediate(resolve));
    },
    make: (fields = {}) =>
      rig.call('POST', '/container-deployments', {
        name: 'reader',
        container_registry_settings: { is_private: false, credentials: null },
        compute: { name: 'H100', size: 1 },
        containers: [{ image: 'ollama/ollama:0.24.0', exposed_port: 11434 }],
        scaling: SCALING,
        ...fields,
      }),
    status: async () => String((await at('/status'))['status']),
    replicas: async () => ((await at('/replicas'))['list'] as { status: string }[]).map((r) => r.status),
    ask: (path, init = {}) =>
      rig.datacrunch.fetch(`http://datacrunch.simulated/reader${path}`, {
        headers: { authorization: 'Bearer demo-inference' },
        ...init,
      }),
    scale: (change) => rig.call('PATCH', '/container-deployments/reader/scaling', change),
  };
}

const answer = (index: number, body = 'done'): void => void arrived[index]?.response.end(body);

describe('a replica of a simulated deployment', () => {
  it('is pulled, started and answers after the cold start, on a market of its own', async () => {
    const rig = await startContainers({ stock: [{ types: 'container.1xH100', locations: ['FIN-02'], count: 1 }] });
    expect((await rig.make()).status).toBe(201);
    expect([await rig.status(), await rig.replicas()]).toEqual(['image_pulling', ['imagepulling']]);
    await rig.pass(20);
    expect([await rig.status(), await rig.replicas()]).toEqual(['initializing', ['initializing']]);
    await rig.pass(40);
    expect([await rig.status(), await rig.replicas()]).toEqual(['healthy', ['running']]);
    const resources = (await rig.call('GET', '/serverless-compute-resources')).json();
    expect(resources).toContainEqual({ name: 'H100', size: 1, is_available: false });
    expect((await rig.call('GET', '/instances')).json()).toEqual([]);
    expect((await rig.call('GET', '/journal')).json()).toEqual([]);
  });

  it('is ordered as soon as there is stock, and the scheduler says why there is none', async () => {
    const rig = await startContainers({ stock: [] });
    await rig.make();
    await rig.pass(90);
    expect([await rig.status(), await rig.replicas()]).toEqual(['unhealthy', []]);
    expect((await rig.call('GET', '/container-deployments/reader/system-logs')).json()).toMatchObject([
      { reason: 'SchedulingFailed', message: 'No replica: no_capacity', count: 4 },
    ]);
    rig.datacrunch.core.setStock([{ types: 'container.*', count: 1 }]);
    await rig.pass(90);
    expect([await rig.status(), await rig.replicas()]).toEqual(['healthy', ['running']]);
  });

  it('counts to the quota of GPUs', async () => {
    const rig = await startContainers({ quotas: { gpus: 1 } });
    await rig.make({ scaling: { ...SCALING, min_replica_count: 2 } });
    expect([await rig.status(), (await rig.replicas()).length]).toEqual(['quota_reached', 1]);
  });

  it('costs from its first answer on, in blocks that are not refunded, until it has ended', async () => {
    const rig = await startContainers();
    await rig.make();
    await rig.pass(59);
    expect(rig.datacrunch.core.ledger().chargedUsd).toBe(0);
    await rig.pass(1);
    const perHour = 3.7 * 1.1;
    const charged = () => rig.datacrunch.core.ledger().chargedUsd;
    expect(charged()).toBeCloseTo(perHour / 6, 4);
    await rig.pass(601);
    expect(charged()).toBeCloseTo(perHour / 3, 4);
    const { amount } = (await rig.call('GET', '/balance')).json<{ amount: number }>();
    expect(amount).toBeCloseTo(1000 - charged(), 3);
    await rig.call('POST', '/container-deployments/reader/pause');
    await rig.pass(3600);
    expect(charged()).toBeCloseTo(perHour / 3, 4);
    expect(rig.datacrunch.core.ledger().meters).toMatchObject([
      { resource: 'replica', what: 'datacrunch/FIN-01/container.1xH100/ondemand', usdPerHour: perHour },
    ]);
  });

  it('ends with an empty account', async () => {
    const rig = await startContainers({ billing: { balanceUsd: 1 } });
    await rig.make();
    await rig.pass(60);
    expect(await rig.replicas()).toEqual(['running']);
    await rig.pass(1200);
    expect(await rig.replicas()).toEqual([]);
    expect((await rig.at('/system-logs')) as unknown).toMatchObject([
      { reason: 'SchedulingFailed', message: 'No replica: funds' },
      { reason: 'Killed' },
      { reason: 'Started' },
      { reason: 'Pulled' },
    ]);
  });
});

describe('a call to a simulated deployment', () => {
  it('needs the inference key, which is no token of the API', async () => {
    const rig = await startContainers();
    await rig.make();
    await rig.pass(60);
    const login = { grant_type: 'client_credentials', client_id: 'demo', client_secret: 'demo' };
    const { access_token: token } = (await rig.call('POST', '/oauth2/token', login)).json<{ access_token: string }>();
    for (const authorization of ['', `Bearer ${token}`, 'Bearer wrong'])
      expect((await rig.ask('/x', { headers: { authorization } })).status).toBe(401);
    expect((await rig.call('GET', '/balance')).status).toBe(200);
    const api = await rig.datacrunch.fetch('http://datacrunch.simulated/v1/balance', {
      headers: { authorization: 'Bearer demo-inference' },
    });
    expect(api.status).toBe(401);
    expect(arrived).toEqual([]);
    expect((await rig.datacrunch.fetch('http://datacrunch.simulated/other/x')).status).toBe(404);
  });

  it('is passed on with method, path, query and body, and its answer comes back', async () => {
    const rig = await startContainers();
    const { endpoint_base_url: endpoint } = (await rig.make()).json();
    expect(endpoint).toBe('http://datacrunch.simulated/reader');
    await rig.pass(60);
    const asked = rig.ask('/api/generate?x=1', { method: 'POST', body: '{"prompt":"p"}' });
    await arrivals(1);
    expect(arrived[0]).toMatchObject({ path: '/api/generate?x=1', body: '{"prompt":"p"}', key: null });
    arrived[0]?.response.writeHead(418, { 'x-own': 'yes' });
    answer(0, 'tea');
    const response = await asked;
    expect([response.status, response.headers.get('x-own'), await response.text()]).toEqual([418, 'yes', 'tea']);
    const logs = (await rig.at('/logs')) as unknown;
    expect(logs).toEqual([
      {
        timestamp: `${rig.clock.nowMs()}000000`,
        container_name: 'reader-0',
        replica: 'reader-1',
        message: 'POST /api/generate 418',
      },
    ]);
    expect((await rig.at('/logs?search_text=nothing')) as unknown).toEqual([]);
    expect((await rig.call('GET', '/container-deployments/reader/logs?since=soon')).status).toBe(400);
  });

  it('starts a replica where there is none, which ends when no call has come for a while', async () => {
    const rig = await startContainers();
    await rig.make({ scaling: { ...SCALING, min_replica_count: 0 } });
    await rig.pass(3600);
    expect([await rig.status(), await rig.replicas()]).toEqual(['healthy', []]);
    const asked = rig.ask('/x');
    await rig.pass(0);
    await rig.pass(10);
    expect(await rig.replicas()).toEqual(['imagepulling']);
    await rig.pass(60);
    await arrivals(1);
    answer(0);
    expect(await (await asked).text()).toBe('done');
    await rig.pass(299);
    expect(await rig.replicas()).toEqual(['running']);
    await rig.pass(1);
    expect(await rig.replicas()).toEqual([]);
  });

  it('waits for a free place, and more replicas come for calls that wait longer than the delay', async () => {
    const rig = await startContainers();
    await rig.make();
    await rig.pass(60);
    const calls = ['/1', '/2', '/3'].map(async (path) => (await rig.ask(path)).text());
    await arrivals(1);
    await rig.pass(9);
    expect(await rig.replicas()).toEqual(['running']);
    await rig.pass(1);
    expect(await rig.replicas()).toEqual(['running', 'imagepulling']);
    answer(0);
    await arrivals(2);
    await rig.pass(60);
    await arrivals(3);
    // One call each, in the order in which they came.
    expect(arrived.map((a) => a.path)).toEqual(['/1', '/2', '/3']);
    answer(1);
    answer(2);
    expect(await Promise.all(calls)).toEqual(['done', 'done', 'done']);
    const used = new Set(((await rig.at('/logs')) as unknown as { replica: string }[]).map((l) => l.replica));
    expect(used).toEqual(new Set(['reader-1', 'reader-2']));
  });

  it('gives up when its time in the queue is over, or the queue is purged', async () => {
    const rig = await startContainers({ stock: [] });
    await rig.make();
    const late = rig.ask('/1');
    await rig.pass(0);
    await rig.pass(120);
    expect((await late).status).toBe(504);
    const purged = rig.ask('/2');
    await rig.pass(1);
    await rig.call('POST', '/container-deployments/reader/purge-queue');
    expect((await purged).status).toBe(503);
    const removed = rig.ask('/3');
    await rig.pass(1);
    await rig.call('DELETE', '/container-deployments/reader');
    expect((await removed).status).toBe(404);
    expect(arrived).toEqual([]);
  });

  it('says of asynchronous calls that they are not simulated', async () => {
    const rig = await startContainers();
    await rig.make();
    const headers = { authorization: 'Bearer demo-inference', prefer: 'respond-async' };
    expect((await rig.ask('/x', { headers })).status).toBe(501);
  });
});

describe('the end of a replica', () => {
  const busy = async (scenario: ScenarioInput = {}, fields: Record<string, unknown> = {}) => {
    const rig = await startContainers(scenario);
    await rig.make(fields);
    await rig.pass(60);
    const asked = rig.ask('/work');
    await arrivals(1);
    return { rig, asked };
  };

  it('lets its calls finish within the drain and gives it no new ones', async () => {
    const { rig, asked } = await busy();
    await rig.call('POST', '/container-deployments/reader/restart');
    expect(await rig.replicas()).toEqual(['terminating', 'imagepulling']);
    const next = rig.ask('/next');
    await rig.pass(29);
    expect(await rig.replicas()).toEqual(['terminating', 'initializing']);
    answer(0);
    expect(await (await asked).text()).toBe('done');
    expect(await rig.replicas()).toEqual(['initializing']);
    await rig.pass(31);
    await arrivals(2);
    answer(1);
    expect((await next).status).toBe(200);
    const reasons = ((await rig.at('/system-logs?order=asc')) as unknown as { reason: string }[]).map((l) => l.reason);
    expect(reasons).toContain('Killing');
  });

  it('cuts calls that take longer than the drain', async () => {
    const { rig, asked } = await busy();
    await rig.scale({ min_replica_count: 0 });
    await rig.call('POST', '/container-deployments/reader/pause');
    expect([await rig.status(), await rig.replicas()]).toEqual(['paused', ['terminating']]);
    await rig.pass(30);
    expect((await asked).status).toBe(502);
    expect(await rig.replicas()).toEqual([]);
  });

  it('is without notice for a spot replica, whose place is taken by a new one', async () => {
    const { rig, asked } = await busy({}, { is_spot: true });
    const [replica] = rig.datacrunch.core.allInstances();
    expect(replica).toMatchObject({ market: 'spot', usdPerHour: expect.closeTo(1.85 * 1.1, 4) });
    rig.datacrunch.core.evict(replica?.id ?? '');
    expect((await asked).status).toBe(502);
    await rig.pass(0);
    expect(await rig.replicas()).toEqual(['imagepulling']);
    expect((await rig.at('/system-logs')) as unknown).toEqual(
      expect.arrayContaining([expect.objectContaining({ reason: 'Preempted', involved_object: 'reader-1' })]),
    );
  });

  it('comes with the deployment, after the drain', async () => {
    const { rig, asked } = await busy();
    expect((await rig.call('DELETE', '/container-deployments/reader?timeout=1000')).status).toBe(200);
    expect((await rig.call('GET', '/container-deployments')).json()).toEqual([]);
    expect(rig.datacrunch.core.allInstances().map((i) => i.phase)).toEqual(['deleting']);
    answer(0);
    expect((await asked).status).toBe(200);
    await (await asked).text();
    expect(rig.datacrunch.core.allInstances().map((i) => i.phase)).toEqual(['gone']);
  });

  it('survives a restart of the simulator in its state', async () => {
    const { rig, asked } = await busy();
    answer(0);
    await asked;
    const snapshot = rig.datacrunch.snapshot();
    expect(JSON.parse(JSON.stringify(snapshot))).toEqual(snapshot);
    await rig.scale({ min_replica_count: 2 });
    expect(await rig.replicas()).toHaveLength(2);
    rig.datacrunch.restore(snapshot);
    expect(await rig.replicas()).toEqual(['running']);
    await rig.scale({ min_replica_count: 2 });
    await rig.pass(60);
    expect(await rig.replicas()).toEqual(['running', 'running']);
  });
});

it.each([
  [{ compute: { name: 'H100', size: 3 } }, 400, 'compute H100 of size 3'],
  [{ compute: { name: 'Z', size: 1 } }, 400, 'compute Z'],
  [{ name: 'v1' }, 400, 'name is reserved'],
  [{ name: 'Upper' }, 400, 'name'],
  [{ scaling: { ...SCALING, max_replica_count: 0 } }, 400, 'scaling.max_replica_count'],
  [{ scaling: { ...SCALING, min_replica_count: 5 } }, 400, 'must not be less than min_replica_count'],
  [{ containers: [{ image: 'ollama/ollama', exposed_port: 1 }] }, 400, 'latest'],
  [{ container_registry_settings: { is_private: true, credentials: { name: 'x' } } }, 404, 'credentials'],
])('a deployment with %j is refused', async (fields, status, words) => {
  const rig = await startContainers();
  const refused = await rig.make(fields);
  expect([refused.status, refused.json<{ message: string }>().message]).toEqual([
    status,
    expect.stringContaining(words),
  ]);
  expect((await rig.call('GET', '/container-deployments')).json()).toEqual([]);
  expect(rig.datacrunch.core.allInstances()).toEqual([]);
});

type Step =
  | { readonly do: 'pass'; readonly sec: number }
  | { readonly do: 'scale'; readonly min: number; readonly more: number }
  | { readonly do: 'post'; readonly verb: 'pause' | 'resume' | 'restart' }
  | { readonly do: 'evict' };

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('pass' as const), sec: fc.integer({ min: 0, max: 900 }) }),
  fc.record({
    do: fc.constant('scale' as const),
    min: fc.integer({ min: 0, max: 4 }),
    more: fc.integer({ min: 1, max: 2 }),
  }),
  fc.record({
    do: fc.constant('post' as const),
    verb: fc.constantFrom('pause' as const, 'resume' as const, 'restart' as const),
  }),
  fc.constant({ do: 'evict' as const }),
);

it('however a simulated deployment is changed, its replicas keep to stock and limits, and every charge is of a block of one of them', async () => {
  await forAll([fc.array(anyStep, { maxLength: 12 })], { runs: 500 }, async (steps) => {
    const stock = 3;
    const rig = await startContainers({
      stock: [{ types: 'container.1xH100', locations: ['FIN-01'], count: stock }],
      rateLimits: null,
    });
    const { core } = rig.datacrunch;
    const held = (): number => core.allInstances().filter((i) => i.holdsStock).length;
    const free = (): number => core.state.stock['container.1xH100/FIN-01/spot'] ?? stock;
    await rig.make({ is_spot: true });
    let paused = false;
    for (const step of steps) {
      if (step.do === 'pass') await rig.pass(step.sec);
      if (step.do === 'scale')
        await rig.scale({ min_replica_count: step.min, max_replica_count: step.min + step.more });
      if (step.do === 'post') await rig.call('POST', `/container-deployments/reader/${step.verb}`);
      if (step.do === 'post' && step.verb !== 'restart') paused = step.verb === 'pause';
      const running = core.allInstances().find((i) => i.phase === 'running');
      if (step.do === 'evict' && running !== undefined) core.evict(running.id);
      expect(held() + free()).toBe(stock);
    }
    // Where nothing changes any more, there is the minimum or all of the stock.
    await rig.pass(400);
    const { min_replica_count: least } = (await rig.at('/scaling')) as { min_replica_count: number };
    expect((await rig.replicas()).length).toBe(paused ? 0 : Math.min(least, stock));
    const { meters, balanceUsd, chargedUsd } = core.ledger();
    expect(balanceUsd + chargedUsd).toBeCloseTo(1000, 6);
    for (const meter of meters) {
      const blocks = meter.chargedUsd / (meter.usdPerHour / 6);
      expect(blocks).toBeCloseTo(Math.round(blocks), 6);
      const untilMs = meter.untilMs ?? rig.clock.nowMs();
      expect(Math.round(blocks)).toBe(
        meter.untilMs === null
          ? Math.floor((untilMs - meter.fromMs) / 600_000) + 1
          : Math.max(1, Math.ceil((untilMs - meter.fromMs) / 600_000)),
      );
    }
    await rig.call('DELETE', '/container-deployments/reader');
    await rig.pass(30);
    expect([held(), free()]).toEqual([0, stock]);
  });
});
