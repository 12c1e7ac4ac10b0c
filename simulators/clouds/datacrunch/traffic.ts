/**
 * Requests to container deployments that are under way: those that wait in a queue, and those that a replica has. Live connections, so no
 * part of the state.
 */
import type { Clock } from '../core/clock.ts';

/** A request in the queue of a deployment. */
export class Waiter {
  /** Its queue was purged. */
  isPurged = false;
  #wake: () => void = () => undefined;

  /** Resolves when it is woken, or after `ms` on the clock. */
  async pause(clock: Clock, ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      if (clock.kind === 'real') timer = setTimeout(resolve, ms);
      else void clock.sleep(ms).then(resolve);
    });
    clearTimeout(timer);
  }

  wake(): void {
    this.#wake();
  }
}

export class Traffic {
  readonly #queues = new Map<string, Set<Waiter>>();
  readonly #served = new Map<string, Set<AbortController>>();

  /** Requests in the queue of a deployment, in the order of arrival. */
  waiting(deployment: string): ReadonlySet<Waiter> {
    return this.#queues.get(deployment) ?? new Set();
  }

  /** Requests that a replica has. */
  served(replicaId: string): number {
    return this.#served.get(replicaId)?.size ?? 0;
  }

  join(deployment: string, waiter: Waiter): void {
    const queue = this.#queues.get(deployment) ?? new Set();
    this.#queues.set(deployment, queue.add(waiter));
  }

  leave(deployment: string, waiter: Waiter): void {
    this.#queues.get(deployment)?.delete(waiter);
    this.wake(deployment);
  }

  /** A replica takes a request. The signal tells when the replica ends. */
  begin(replicaId: string): AbortController {
    const controller = new AbortController();
    const served = this.#served.get(replicaId) ?? new Set();
    this.#served.set(replicaId, served.add(controller));
    return controller;
  }

  end(replicaId: string, controller: AbortController): void {
    const served = this.#served.get(replicaId);
    served?.delete(controller);
    if (served?.size === 0) this.#served.delete(replicaId);
  }

  /** A replica has ended: its requests end with it. */
  cut(replicaId: string): void {
    for (const controller of this.#served.get(replicaId) ?? []) controller.abort(new Error('the replica ended'));
  }

  /** Lets the waiting requests of a deployment, or of all, look again. */
  wake(deployment?: string): void {
    for (const [name, queue] of this.#queues)
      if (deployment === undefined || name === deployment) for (const waiter of queue) waiter.wake();
  }

  /** Ends every waiting request of a deployment. */
  purge(deployment: string): void {
    for (const waiter of this.waiting(deployment)) {
      waiter.isPurged = true;
      waiter.wake();
    }
  }
}
