/**
 * The attachment of a machine to a gateway: the `serveInstance` activity in a scope of its own, and the drain that ends it.
 *
 * It does not survive continue-as-new: the new run attaches at once under the same command id, while the old attachment learns at its next
 * heartbeat (one second) that its run is over, takes no new call and finishes those in flight.
 */
import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';
import type { ServeEnd } from '../../../activities/gateway/activities.ts';
import { isSpotMachine } from '../../../domain/fleet/instance-life/running.ts';
import type { Machine } from '../../../domain/fleet/instance-life/types.ts';
import { endpointServing } from '../../../domain/fleet/pool/endpoint-config.ts';
import type { PoolConfig } from '../../../domain/fleet/pool/pool-config.ts';
import { gateway } from './activity-proxies.ts';
import type { InstanceWorkflowInput, ServeInput } from '../../../contracts/instance.ts';
import { failureMessage } from './failure-info.ts';

/** A gateway that does not end its drain this long after its time is not waited for any longer. */
const DRAIN_GRACE_MS = 30_000;
const SSH_PORT = 22;
const SSH_USER = 'root';

/**
 * How a gateway serves a machine: as the endpoint of its pool, at the address a simulator or an operator gave, else by SSH. Null until it has
 * an address. The gateway has the last word on an endpoint: its settings may have changed since the instance began.
 */
function servingOf(
  { simulatedModelUrl: url, ip }: Pick<Machine, 'simulatedModelUrl' | 'ip'>,
  { endpoint, engine }: Pick<PoolConfig, 'endpoint' | 'engine'>,
): Pick<ServeInput, 'endpoint' | 'serverKind' | 'slots'> | null {
  if (url !== null && endpoint !== undefined) return endpointServing(endpoint, url);
  // Left out where it is that of Ollama.
  const serverKind = engine === 'vllm' ? ({ serverKind: 'openai' } as const) : {};
  if (url !== null) return { endpoint: { kind: 'url', url }, ...serverKind };
  if (ip === null) return null;
  return { endpoint: { kind: 'ssh', host: ip, port: SSH_PORT, user: SSH_USER }, ...serverKind };
}

/** One attachment, from the command that asked for it to its end. */
export class Attachment {
  readonly commandId: number;
  /** How it ended. Never rejects. */
  readonly ended: Promise<ServeEnd>;
  readonly #scope = new CancellationScope();

  constructor(input: InstanceWorkflowInput, commandId: number, machine: Machine, watchOnly: boolean) {
    this.commandId = commandId;
    this.ended = this.#serve(input, machine, watchOnly);
  }

  /** Ends it: no new calls, those in flight are finished. Resolves when that is done, at the latest shortly after `timeoutMs`. */
  async drain(timeoutMs: number): Promise<ServeEnd> {
    this.#scope.cancel();
    const patience = new CancellationScope();
    const limit = patience
      .run(() => sleep(timeoutMs + DRAIN_GRACE_MS, { summary: 'end of the drain' }))
      .then(
        (): ServeEnd => ({ reason: 'the gateway did not end its drain', callsCut: 0 }),
        (): ServeEnd => ({ reason: 'drained', callsCut: 0 }),
      );
    const end = await Promise.race([this.ended, limit]);
    patience.cancel();
    return end;
  }

  /** Asks for the end without waiting for it. */
  abandon(): void {
    this.#scope.cancel();
  }

  async #serve(input: InstanceWorkflowInput, machine: Machine, watchOnly: boolean): Promise<ServeEnd> {
    const serving = servingOf(machine, input.pool);
    if (serving === null) return { reason: `${machine.providerId} has no address`, callsCut: 0 };
    const { pool, settings } = input;
    try {
      return await this.#scope.run(() =>
        gateway.serveInstance.executeWithOptions({ summary: `${watchOnly ? 'watch' : 'serve'} ${input.name}` }, [
          {
            instance: input.name,
            pool: pool.name,
            classes: pool.classes,
            ...(pool.ownQueues === true ? { ownQueues: true } : {}),
            ...(pool.models === undefined ? {} : { models: pool.models }),
            attachment: this.commandId,
            ...serving,
            ...(input.staticUrl === null ? {} : { serverUrl: input.staticUrl }),
            proveTimeoutMs: settings.proveTimeoutMs,
            drainTimeoutMs: settings.drainTimeoutMs,
            rented: input.staticUrl === null && input.pool.endpoint === undefined,
            ...(watchOnly ? { watchOnly } : {}),
            ...(isSpotMachine(machine) ? { mayBeTakenBack: true } : {}),
          },
        ]),
      );
    } catch (error) {
      // Cancelled before a gateway took it, or while the gateway that had it was dead.
      if (isCancellation(error)) return { reason: 'no gateway was attached', callsCut: 0 };
      return { reason: failureMessage(error), callsCut: 0 };
    }
  }
}
