/**
 * Shared by the instances on one model server within a process: its slots, how many of them it was found to have, the pause after a refusal,
 * and the speeds of its models. Each profile on a server is an instance of its own, and the server runs no more calls side by side for that.
 */
import { serverAt } from '../../../domain/models/server-kind.ts';
import { LIMIT_SETTINGS, type LimitSettings } from '../../../domain/models/call-limits.ts';
import { isLoopbackHost } from '../../../platform/loopback.ts';
import { BusyPause } from './busy-pause.ts';
import { Slots } from './calls-in-flight.ts';
import { SpeedBook } from './speed-book.ts';

/** One model server as its instances use it together. */
export class SharedServer {
  readonly speeds = new SpeedBook();
  readonly slots = new Slots(Infinity);
  readonly busy: BusyPause;
  readonly #onUnused: () => void;
  /** Calls at a time that each instance is configured to give it. */
  readonly #configured: number[] = [];
  #measured = Infinity;

  /** @param onUnused called when its last instance has left */
  constructor({ leastFirstTokenMs }: LimitSettings = LIMIT_SETTINGS, onUnused: () => void = () => undefined) {
    // A server that loads a model may refuse calls for as long as it may be silent.
    this.busy = new BusyPause({ firstMs: leastFirstTokenMs / 12, longestMs: leastFirstTokenMs / 2 });
    this.#onUnused = onUnused;
  }

  /** Adds an instance. @param parallel calls that it gives the server at a time; of several numbers the smallest counts for all. Returns its leaving. */
  join(parallel: number): () => void {
    this.#configured.push(parallel);
    this.#setLimit();
    return () => {
      this.#configured.splice(this.#configured.indexOf(parallel), 1);
      if (this.#configured.length === 0) this.#onUnused();
      else this.#setLimit();
    };
  }

  /** Lowers how many calls are inside at a time to what the server was measured to run; more than is configured has no effect. */
  limitSlots(measured: number): void {
    this.#measured = Math.max(1, measured);
    this.#setLimit();
  }

  #setLimit(): void {
    this.slots.setLimit(Math.min(this.#measured, ...this.#configured));
  }
}

/** The model servers of a process by their address. A server is forgotten with its last instance. */
export class SharedServers {
  readonly #limits: LimitSettings;
  readonly #servers = new Map<string, SharedServer>();

  constructor(limits: LimitSettings) {
    this.#limits = limits;
  }

  /** The server at a URL, however the URL is written. It is to be joined at once. */
  at(url: string): SharedServer {
    const address = addressOf(url);
    const known = this.#servers.get(address);
    if (known !== undefined) return known;
    const server = new SharedServer(this.#limits, () => this.#servers.delete(address));
    this.#servers.set(address, server);
    return server;
  }
}

function addressOf(url: string): string {
  const { protocol, hostname, port, pathname } = new URL(serverAt(url).url);
  const host = isLoopbackHost(hostname) ? 'localhost' : hostname;
  return `${protocol}//${host}:${port}${pathname.replace(/\/+$/u, '')}`;
}
