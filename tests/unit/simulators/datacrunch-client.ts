/** A bare client of the simulated DataCrunch for tests: one method per need, answers as they come. */
import { VirtualClock } from '../../../simulators/clouds/core/clock.ts';
import type { ScenarioInput } from '../../../simulators/clouds/core/scenario.ts';
import { createSimulatedDataCrunch, type SimulatedDataCrunch } from '../../../simulators/clouds/datacrunch/app.ts';

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  /** The body as JSON. */
  json<T = Record<string, unknown>>(): T;
}

export interface Rig {
  readonly clock: VirtualClock;
  readonly datacrunch: SimulatedDataCrunch;
  call(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Creates an instance with sensible fields; `fields` replace them. */
  create(fields?: Record<string, unknown>): Promise<Answer>;
  /** Creates an instance and waits until it runs. @returns its id */
  running(fields?: Record<string, unknown>): Promise<string>;
  /** Orders a disk in the same way. */
  disk(fields?: Record<string, unknown>): Promise<Answer>;
  status(id: string): Promise<string>;
}

const BASE = 'http://datacrunch.simulated/v1';
/** Tokens end after an hour of virtual time. */
const TOKEN_USED_MS = 1_800_000;
export const LOGIN = { grant_type: 'client_credentials', client_id: 'demo', client_secret: 'demo' } as const;

/** A simulator on virtual time with everything quick and certain, a token and one SSH key. */
export async function startRig(scenario: ScenarioInput = {}): Promise<Rig> {
  const clock = new VirtualClock();
  const datacrunch = createSimulatedDataCrunch({
    clock,
    scenario: {
      boot: { orderedSec: 10, provisioningSec: 50, startSec: 5 },
      end: { stopSec: 5, deleteSec: 5, diskLingerSec: 0 },
      ...scenario,
    },
  });
  let token = '';
  let tokenFromMs = -Infinity;
  const send = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const response = await datacrunch.fetch(`${BASE}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      text,
      headers: response.headers,
      json: <T>() => JSON.parse(text) as T,
    };
  };
  const call = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    if (clock.nowMs() - tokenFromMs > TOKEN_USED_MS) {
      const login = await send('POST', '/oauth2/token', LOGIN);
      token = login.json<{ access_token: string }>().access_token;
      tokenFromMs = clock.nowMs();
    }
    return send(method, path, body);
  };
  const key = await call('POST', '/ssh-keys', { name: 'test', key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 test' });
  const create: Rig['create'] = (fields = {}) =>
    call('POST', '/instances', {
      instance_type: '1L40S.20V',
      image: 'ubuntu-24.04-cuda-13.0-open-docker',
      hostname: 'test',
      description: 'test',
      location_code: 'FIN-01',
      ssh_key_ids: [key.text],
      ...fields,
    });
  return {
    clock,
    datacrunch,
    call,
    create,
    running: async (fields) => {
      const { text } = await create(fields);
      clock.advance(60_000);
      return text;
    },
    disk: (fields = {}) =>
      call('POST', '/volumes', { type: 'NVMe', location_code: 'FIN-01', size: 50, name: 'v', ...fields }),
    status: async (id) => (await call('GET', `/instances/${id}`)).json<{ status: string }>().status,
  };
}
