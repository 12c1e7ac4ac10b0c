/** Routes of the fleet, each status of each route; a stand-in notes what a pool is asked. */
import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FleetDocument, OfferBlockList } from '../../../api/client.ts';
import type { InstancePhase } from '../../../domain/fleet/phases.ts';
import { payloadCodec } from '../../../platform/temporal/data-converter.ts';
import { CONTROL_QUEUE } from '../../../contracts/queues.ts';
import { makePoolWorkflowId } from '../../../contracts/pool.ts';
import { OPERATOR_REQUESTS } from '../../../domain/fleet/pool/pool-state.ts';
import { anInstance, aPool } from '../../../testing/make.ts';
import { problem, startTestApi } from './support.ts';
import { perFile } from '../../../testing/per-file.ts';

const api = perFile(startTestApi);
beforeAll(async () => {
  for (const name of ['visual', 'static', 'asleep', 'ended']) {
    await aPool(api.db, {
      name,
      provider: name === 'static' ? 'static' : 'datacrunch',
      max: 2,
      reasons: ['because'],
      nextLookAt: name === 'ended' ? null : new Date(),
    });
  }
  // No worker serves it: its requests are in its history.
  await api.temporal.workflow.start('pool', { workflowId: makePoolWorkflowId('visual'), taskQueue: CONTROL_QUEUE });
  await api.temporal.workflow.start('pool', { workflowId: makePoolWorkflowId('static'), taskQueue: CONTROL_QUEUE });
});

async function instance(phase: InstancePhase, pool = 'visual'): Promise<string> {
  const name = `${pool}-${randomUUID().slice(0, 8)}`;
  await anInstance(api.db, {
    name,
    pool,
    provider: pool === 'static' ? 'static' : 'datacrunch',
    phase,
    phaseSince: new Date(),
    reason: 'because',
    endedAt: phase === 'gone' || phase === 'failed' ? new Date() : null,
    transitions: {
      create: { id: `${name}/0`, position: 0, at: new Date(), toPhase: phase, reason: 'because', priceUsdPerHour: 2 },
    },
  });
  return name;
}

/** What the pool was asked, oldest first. */
async function asked(pool: string): Promise<unknown[]> {
  const { events } = await api.temporal.workflow.getHandle(makePoolWorkflowId(pool)).fetchHistory();
  const payloads = (events ?? []).flatMap((event) => {
    const payload = event.workflowExecutionSignaledEventAttributes?.input?.payloads?.[0];
    return payload === undefined || payload === null ? [] : [payload];
  });
  const clear = await payloadCodec(api.config).decode(payloads);
  return clear.map(({ data }) => JSON.parse(Buffer.from(data ?? []).toString()) as unknown);
}

it('GET /fleet 200: pools that are kept, with the instances that live', async () => {
  const living = await instance('ready');
  const ended = await instance('gone');
  const { status, body } = await api.call('GET', '/fleet');
  expect(status).toBe(200);
  const { pools } = body as FleetDocument;
  expect(pools.map((p) => p.name)).toEqual(['asleep', 'static', 'visual']);
  const names = pools.find((p) => p.name === 'visual')?.instances.map((i) => i.name);
  expect(names).toContain(living);
  expect(names).not.toContain(ended);
});

it('GET /fleet/instances/{name} 200: also an instance whose life has ended, with its history', async () => {
  const name = await instance('gone');
  const { status, body } = await api.call('GET', `/fleet/instances/${name}`);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    name,
    phase: 'gone',
    serving: null,
    transitions: [{ to: 'gone', priceUsdPerHour: 2 }],
  });
});

it('GET /fleet/instances/{name} 404: one that never was', async () => {
  expect(await api.call('GET', '/fleet/instances/unknown')).toMatchObject(problem(404, 'not_found'));
});

it('GET /fleet/instances/{name}/health 200: where it stands, what changed, and its samples page by page, newest first', async () => {
  const name = await instance('ready');
  const at = (n: number): Date => new Date(Date.UTC(2026, 10, 22, 10, n));
  const level = 'degraded';
  await api.db.instanceHealth.create({
    data: { instanceName: name, pool: 'visual', level, since: at(2), reason: 'hot', failure: 'overheating' },
  });
  await api.db.healthSample.createMany({
    data: [0, 1, 2].map((n) => ({ id: `${name}/${n}`, instanceName: name, gpuIndex: 0, at: at(n), level })),
  });
  await api.db.healthTransition.create({
    data: {
      id: `${name}/t`,
      instanceName: name,
      pool: 'visual',
      at: at(2),
      fromLevel: 'healthy',
      toLevel: level,
      reason: 'hot',
      action: 'none',
    },
  });
  const first = await api.call('GET', `/fleet/instances/${name}/health?limit=2`);
  expect(first).toMatchObject({
    status: 200,
    body: {
      name,
      health: { level, failure: 'overheating', since: at(2).toISOString() },
      changes: [{ from: 'healthy', to: level, action: 'none' }],
      samples: [{ at: at(2).toISOString() }, { at: at(1).toISOString() }],
    },
  });
  const { nextCursor } = first.body as { readonly nextCursor: string };
  expect(await api.call('GET', `/fleet/instances/${name}/health?limit=2&cursor=${nextCursor}`)).toMatchObject({
    body: { samples: [{ at: at(0).toISOString() }], nextCursor: null },
  });
  expect(await api.call('GET', `/fleet/instances/${name}`)).toMatchObject({ body: { health: { level } } });
});

it('GET /fleet/instances/{name}/health 200: one that was never judged', async () => {
  const name = await instance('planned');
  expect(await api.call('GET', `/fleet/instances/${name}/health`)).toMatchObject({
    status: 200,
    body: { health: null, samples: [], changes: [] },
  });
});

it('GET /fleet/instances/{name}/health 400: a cursor that is not ours, and more samples than there may be', async () => {
  const name = await instance('ready');
  for (const query of ['cursor=x', 'limit=2001', 'limit=0']) {
    expect(await api.call('GET', `/fleet/instances/${name}/health?${query}`)).toMatchObject({ status: 400 });
  }
});

it('GET /fleet/instances/{name}/health 404: one that never was', async () => {
  expect(await api.call('GET', '/fleet/instances/unknown/health')).toMatchObject({ status: 404 });
});

it.each([
  ['cordon', 'ready'],
  ['uncordon', 'cordoned'],
  ['drain', 'ready'],
  ['wake', 'suspended'],
  ['suspend', 'ready'],
  ['destroy', 'booting'],
] as const)(
  'POST /fleet/instances/{name}/{request} 202: %s of one that is %s is handed to its pool',
  async (request, phase) => {
    const name = await instance(phase);
    expect(await api.call('POST', `/fleet/instances/${name}/${request}`)).toMatchObject({
      status: 202,
      body: { name },
    });
    expect((await asked('visual')).at(-1)).toEqual({ instance: name, request, by: 'the operator' });
  },
);

it('POST /fleet/instances/{name}/{request} 409: nothing can be asked of one whose life has ended', async () => {
  const name = await instance('gone');
  const before = (await asked('visual')).length;
  for (const request of OPERATOR_REQUESTS) {
    const answer = await api.call('POST', `/fleet/instances/${name}/${request}`);
    expect(answer, request).toMatchObject(problem(409, 'conflict'));
  }
  expect((await asked('visual')).length).toBe(before);
});

it('POST /fleet/instances/{name}/{request} 409: a server that runs already is not ours to stop; it can be cordoned', async () => {
  const name = await instance('ready', 'static');
  for (const request of ['wake', 'suspend', 'destroy']) {
    expect((await api.call('POST', `/fleet/instances/${name}/${request}`)).status, request).toBe(409);
  }
  expect((await api.call('POST', `/fleet/instances/${name}/cordon`)).status).toBe(202);
});

it('POST /fleet/instances/{name}/{request} 404: of one that never was; 400: what cannot be asked', async () => {
  expect((await api.call('POST', '/fleet/instances/unknown/wake')).status).toBe(404);
  const name = await instance('ready');
  expect((await api.call('POST', `/fleet/instances/${name}/defrost`)).status).toBe(400);
});

it('POST /fleet/instances/{name}/{request} 503: its pool does not run', async () => {
  const name = await instance('suspended', 'asleep');
  expect(await api.call('POST', `/fleet/instances/${name}/wake`)).toMatchObject(problem(503, 'service_unavailable'));
});

describe('blocks', () => {
  const IN_AN_HOUR = new Date(Date.now() + 3_600_000);
  const block = async (scopeKey: string, blockedUntil = IN_AN_HOUR): Promise<void> => {
    const rest = { errorClass: 'quota', message: 'GPU limit exceeded', repeats: 2, lastFailureAt: new Date() };
    await api.db.offerBlock.create({ data: { scopeKey, blockedUntil, ...rest } });
  };
  const scopes = (body: unknown): string[] => (body as OfferBlockList).items.map((item) => item.scope);
  const FIN = 'datacrunch/FIN-01/*/ondemand';
  const ICE = 'datacrunch/ICE-01/*/ondemand';
  beforeEach(async () => {
    await api.db.offerBlock.deleteMany();
    await block(FIN);
    await block(ICE);
    await block('datacrunch/FIN-02/*/spot', new Date(Date.now() - 1000));
  });

  it('GET /fleet/blocks 200: those that stand, with the words of the provider; GET /fleet has them too', async () => {
    const { status, body } = await api.call('GET', '/fleet/blocks');
    expect(status).toBe(200);
    expect(scopes(body)).toEqual([FIN, ICE]);
    expect((body as OfferBlockList).items[0]).toMatchObject({ errorClass: 'quota', message: 'GPU limit exceeded' });
    expect((await api.client.GET('/fleet')).blocks).toEqual((body as OfferBlockList).items);
  });

  it('DELETE /fleet/blocks 200: lifts the one that is named and no other', async () => {
    const { status, body } = await api.call('DELETE', `/fleet/blocks?scope=${encodeURIComponent(FIN)}`);
    expect(status).toBe(200);
    expect(scopes(body)).toEqual([FIN]);
    expect(scopes((await api.call('GET', '/fleet/blocks')).body)).toEqual([ICE]);
  });

  it('DELETE /fleet/blocks 200: lifts every one where none is named', async () => {
    expect(scopes(await api.client.DELETE('/fleet/blocks'))).toEqual([FIN, ICE]);
    expect(scopes(await api.client.DELETE('/fleet/blocks'))).toEqual([]);
  });

  it('DELETE /fleet/blocks 404: of a scope that is not blocked, and nothing is lifted', async () => {
    const { status } = await api.call('DELETE', '/fleet/blocks?scope=datacrunch');
    expect(status).toBe(404);
    expect(scopes((await api.call('GET', '/fleet/blocks')).body)).toEqual([FIN, ICE]);
  });
});
