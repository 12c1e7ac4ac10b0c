/** Container deployments of a simulator process: model servers that answer behind its endpoint, and end with their replicas. */
import { expect, it } from 'vitest';
import {
  QUICK_MACHINES,
  scenarioFile,
  simulatorPerTest,
  type SimulatorProcess,
} from '../../../testing/simulator-process.ts';
import { until } from '../../../testing/until.ts';

const deployment = (fields: Record<string, unknown> = {}) => ({
  name: 'reader',
  container_registry_settings: { is_private: false, credentials: null },
  compute: { name: 'H100', size: 1 },
  containers: [{ image: 'ollama/ollama:0.24.0', exposed_port: 11434 }],
  scaling: {
    min_replica_count: 0,
    max_replica_count: 1,
    scale_down_policy: { delay_seconds: 600 },
    scale_up_policy: { delay_seconds: 0 },
    queue_message_ttl_seconds: 200,
    concurrent_requests_per_replica: 4,
    scaling_triggers: { queue_load: { threshold: 1 } },
  },
  ...fields,
});

const start = (): Promise<SimulatorProcess> =>
  simulatorPerTest(
    '--scenario',
    scenarioFile({ ...QUICK_MACHINES, containers: { pullSec: 0.1, startSec: 0.1, drainSec: 60 } }),
    '--inference-key',
    'secret',
  );

const ask = (simulator: SimulatorProcess, path: string, body?: unknown): Promise<Response> =>
  fetch(`http://127.0.0.1:${simulator.port}/reader${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

const GENERATE = { model: 'reader-text:1', prompt: 'Say OK', stream: true, options: { num_predict: 1 } };

interface Stored {
  instances: Record<string, { id: string; phase: string; modelUrl: string | null }>;
}

const replicasOf = async (simulator: SimulatorProcess) =>
  Object.values((await simulator.control<Stored>('/state')).instances);

it('the first call to a simulated deployment starts its replica, whose model server answers', async () => {
  const simulator = await start();
  const made = (await (await simulator.call('POST', '/container-deployments', deployment())).json()) as {
    endpoint_base_url: string;
  };
  expect(made.endpoint_base_url).toBe(`http://127.0.0.1:${simulator.port}/reader`);
  expect((await fetch(`${made.endpoint_base_url}/api/tags`)).status).toBe(401);
  const tags = (await (await ask(simulator, '/api/tags')).json()) as { models: { name: string }[] };
  expect(tags.models.map((m) => m.name).toSorted()).toEqual(['reader-text:1', 'reader-vision:1']);
  const lines = (await (await ask(simulator, '/api/generate', GENERATE)).text()).trim().split('\n');
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ done: true });
});

it('a simulated spot replica that is taken back ends its calls, and the next call gets a new one', async () => {
  const simulator = await start();
  await simulator.call('POST', '/container-deployments', deployment({ is_spot: true }));
  expect((await ask(simulator, '/api/version')).status).toBe(200);
  const [first] = await replicasOf(simulator);
  // A model server without an answer keeps the call open.
  const script = { rules: [{ match: {}, fault: { wedge: true } }] };
  await fetch(`${first?.modelUrl ?? ''}/_control/script`, { method: 'POST', body: JSON.stringify(script) });
  const open = ask(simulator, '/api/generate', GENERATE);
  await until(
    async () =>
      ((await (await fetch(`${first?.modelUrl ?? ''}/_control/stats`)).json()) as { inFlight: number }).inFlight,
  ).is(1);
  await simulator.control('/evict', { id: first?.id });
  expect((await open).status).toBe(502);
  expect((await ask(simulator, '/api/version')).status).toBe(200);
  const phases = (await replicasOf(simulator)).map((r) => r.phase);
  expect(phases).toEqual(['gone', 'running']);
});
