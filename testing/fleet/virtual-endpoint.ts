/**
 * The life of a deployment over the simulated provider on a virtual clock, with the real client and no socket: what the pool workflow does,
 * step by step, so that it can be interrupted between any two.
 */
import { isProviderError } from '../../clouds/errors.ts';
import { createDataCrunchEndpoint } from '../../clouds/datacrunch/endpoint-scaler.ts';
import type { EndpointScaler } from '../../clouds/endpoint-scaler.ts';
import {
  newEndpoint,
  stepEndpoint,
  type EndpointCommand,
  type EndpointOutcome,
  type EndpointState,
} from '../../domain/fleet/endpoint-life/endpoint-life.ts';
import { endpointDeploymentSchema } from '../../domain/fleet/pool/endpoint-config.ts';
import { VirtualClock } from '../../simulators/clouds/core/clock.ts';
import type { ScenarioInput } from '../../simulators/clouds/core/scenario.ts';
import { createSimulatedDataCrunch, type SimulatedDataCrunch } from '../../simulators/clouds/datacrunch/app.ts';
import { clientOfDataCrunch } from './virtual-cloud.ts';

export const ENDPOINT_NAME = 'dh-inst-visual';
export const PATIENCE = {
  visibilityWindowMs: 60_000,
  retryMs: 5_000,
  longestRetryMs: 60_000,
  restartPauseMs: 1_800_000,
};

/** How a round ends before its time. */
export type Crash =
  /** It does not. */
  | 'none'
  /** The command was written down and never sent. */
  | 'before it is sent'
  /** It took effect, and its answer was lost. */
  | 'before its answer';

const QUICK: ScenarioInput = { stock: [{ types: '*', count: null }], containers: { pullSec: 3, startSec: 5 } };

export class VirtualEndpoint {
  readonly clock = new VirtualClock();
  readonly sim: SimulatedDataCrunch;
  readonly scaler: EndpointScaler;
  state: EndpointState;
  /** Commands that reached the provider. */
  readonly sent: EndpointCommand[] = [];

  constructor(scenario: ScenarioInput = QUICK, deployment: object = {}) {
    this.sim = createSimulatedDataCrunch({ clock: this.clock, scenario });
    const client = clientOfDataCrunch(this.sim, this.clock);
    this.scaler = createDataCrunchEndpoint(client, {
      name: ENDPOINT_NAME,
      deployment: endpointDeploymentSchema.parse({ image: 'a/b:1', compute: 'H100', ...deployment }),
      market: 'ondemand',
      slots: 4,
    });
    this.state = newEndpoint(this.clock.nowMs());
  }

  /** Replicas that have not ended. */
  get replicas(): number {
    this.sim.core.settle();
    return this.sim.core.allInstances().filter((one) => one.isReplica && one.phase !== 'gone').length;
  }

  /** One round of the pool. */
  async round(
    claims: number,
    {
      isRetired = false,
      crash = 'none',
      sickSinceMs = null,
    }: { isRetired?: boolean; crash?: Crash; sickSinceMs?: number | null } = {},
  ): Promise<void> {
    const sight = await this.scaler.get();
    const looked = { kind: 'looked', atMs: this.clock.nowMs(), sight, claims, isRetired, sickSinceMs } as const;
    const { state, command } = stepEndpoint(this.state, looked, PATIENCE);
    this.state = state;
    if (command === null || crash === 'before it is sent') return;
    const { outcome, message } = await this.#send(command);
    if (crash === 'before its answer') return;
    const answered = { kind: 'answered', atMs: this.clock.nowMs(), commandId: command.id, outcome, message } as const;
    this.state = stepEndpoint(this.state, answered, PATIENCE).state;
  }

  async #send(command: EndpointCommand): Promise<{ readonly outcome: EndpointOutcome; readonly message: string }> {
    this.sent.push(command);
    try {
      if (command.kind === 'create') await this.scaler.create(command.replicas);
      else if (command.kind === 'pause') await this.scaler.pause();
      else if (command.kind === 'restart') await this.scaler.restart();
      else if (command.kind === 'delete') await this.scaler.delete();
      else {
        await this.scaler.scaleTo(command.replicas);
        if (command.isPaused) await this.scaler.resume();
      }
      return { outcome: 'done', message: '' };
    } catch (error) {
      const outcome = isProviderError(error, 'transient', 'gone') ? 'unknown' : 'refused';
      return { outcome, message: String(error) };
    }
  }
}
