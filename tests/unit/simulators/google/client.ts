/** A client of the simulated Google for its tests: calls by path, without the provider's own code. */
import { VirtualClock } from '../../../../simulators/clouds/core/clock.ts';
import {
  createSimulatedGoogle,
  type SimulatedGoogle,
  type SimulatedGoogleOptions,
} from '../../../../simulators/clouds/google/app.ts';

export type Json = Readonly<Record<string, unknown>>;

export interface Answer {
  readonly status: number;
  readonly body: Json;
}

export interface GoogleClient {
  readonly sim: SimulatedGoogle;
  readonly clock: VirtualClock;
  /** Calls a path below the project. */
  readonly call: (method: string, path: string, body?: unknown) => Promise<Answer>;
  /** Lets an operation end, and gives it. */
  readonly settled: (answer: Answer) => Promise<Json>;
}

const ORIGIN = 'http://google.simulated';
export const ZONE = 'europe-west4-a';
export const IMAGE =
  'projects/ubuntu-os-accelerator-images/global/images/family/ubuntu-accelerator-2404-amd64-with-nvidia-580';

/** Opens a simulator with its client, which has a token. @param copy state that the simulator goes on from */
export async function open(
  options: SimulatedGoogleOptions = {},
  copy?: ReturnType<SimulatedGoogle['snapshot']>,
): Promise<GoogleClient> {
  const clock = new VirtualClock();
  const sim = createSimulatedGoogle({ clock, ...options });
  if (copy !== undefined) sim.restore(copy);
  const form = new URLSearchParams({
    grant_type: 'refresh_token',
    client_id: 'demo',
    client_secret: 'demo',
    refresh_token: 'demo',
  });
  const login = (await (await sim.fetch(`${ORIGIN}/token`, { method: 'POST', body: form })).json()) as {
    access_token: string;
  };
  const headers = { authorization: `Bearer ${login.access_token}` };
  const call: GoogleClient['call'] = async (method, path, body) => {
    const url = path.startsWith('/v1/') ? `${ORIGIN}${path}` : `${ORIGIN}/compute/v1/projects/simulated-project${path}`;
    const answer = await sim.fetch(url, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Json };
  };
  return {
    sim,
    clock,
    call,
    settled: async ({ body }) => {
      for (let n = 0; n < 200; n += 1) {
        const { body: now } = await call('GET', `/zones/${ZONE}/operations/${String(body['name'])}`);
        if (now['status'] === 'DONE') return now;
        clock.advance(1_000);
      }
      throw new Error(`${String(body['name'])} never ends`);
    },
  };
}

/** A request for a machine. */
export const machine = (name: string, change: Json = {}): Json => ({
  name,
  machineType: `zones/${ZONE}/machineTypes/g2-standard-4`,
  disks: [
    {
      boot: true,
      autoDelete: false,
      initializeParams: { diskName: `${name}-os`, diskSizeGb: '50', sourceImage: IMAGE },
    },
  ],
  networkInterfaces: [{ network: 'global/networks/default', accessConfigs: [{}] }],
  scheduling: { onHostMaintenance: 'TERMINATE', automaticRestart: false },
  ...change,
});

export const SPOT: Json = {
  scheduling: {
    onHostMaintenance: 'TERMINATE',
    automaticRestart: false,
    provisioningModel: 'SPOT',
    instanceTerminationAction: 'DELETE',
  },
};

/** The reason of a refusal, as `status reason`. */
export function reasonOf({ status, body }: Answer): string {
  const { error } = body as { error?: { errors: readonly { reason: string }[] } };
  return `${status} ${error?.errors[0]?.reason ?? ''}`.trim();
}

/** The code that an operation ended with; null = none. */
export function codeOf(operation: Json): string | null {
  const { error } = operation as { error?: { errors: readonly { code: string }[] } };
  return error?.errors[0]?.code ?? null;
}
