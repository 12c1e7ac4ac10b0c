/**
 * Loads and unloads models like Ollama's scheduler.
 *
 * A call for a model that is loaded with the same options waits for one of its slots, first come, first served, without a limit. Every
 * other call waits in the load queue, which is bounded (503 when full) and processed one load at a time. Another num_ctx reloads the model.
 * If the limit of loaded models is reached, the model that has been idle longest is unloaded.
 */
import { FOREVER_MS, OllamaRefusal } from './protocol.ts';
import { abortable, sleep, type Waiter } from './waiting.ts';

/** Bytes of memory per token of the window, for `/api/ps`. */
const BYTES_PER_CONTEXT_TOKEN = 128;

/** A model in memory. */
export interface LoadedModel {
  readonly name: string;
  readonly numCtx: number;
  readonly reloadKey: string;
  readonly sizeBytes: number;
  /** True if a script made it fall back to the CPU. */
  cpu: boolean;
  keepAliveMs: number;
  expiresAtMs: number;
}

interface Resident extends LoadedModel {
  users: number;
  freeSlots: number;
  readonly slotQueue: Waiter[];
  /** Another model needs its memory: it is unloaded as soon as it has no users. */
  evicting: boolean;
  timer: NodeJS.Timeout | null;
}

/** Request of a call for a model. */
export interface ModelDemand extends Pick<LoadedModel, 'name' | 'sizeBytes' | 'numCtx' | 'reloadKey' | 'cpu'> {
  /** Time to keep the model loaded after the call; undefined = unchanged, or the default. */
  readonly keepAliveMs: number | undefined;
  readonly loadMs: number;
}

/** Limits of a scheduler, named after Ollama's environment variables. */
export interface SchedulerLimits {
  /** OLLAMA_NUM_PARALLEL: slots per model. */
  readonly parallel: number;
  /** OLLAMA_MAX_QUEUE: calls that may wait for a load. */
  readonly maxQueue: number;
  /** OLLAMA_MAX_LOADED_MODELS. */
  readonly maxLoadedModels: number;
  /** OLLAMA_KEEP_ALIVE in milliseconds. */
  readonly defaultKeepAliveMs: number;
}

/** Called when a model is loaded or unloaded. */
export interface SchedulerEvents {
  readonly onLoad: (name: string) => void;
  readonly onUnload: (name: string) => void;
}

/** A model held for one call. */
export interface Hold {
  readonly model: LoadedModel;
  /** Time that the call waited for the load. */
  readonly loadedAfterMs: number;
  /** Resolves when the call has a slot. Call the returned function to free it. */
  takeSlot(signal: AbortSignal): Promise<() => void>;
  /** Releases the model at the end of the call. */
  release(): void;
}

/** Keeps models loaded and gives calls access to them. */
export class Scheduler {
  readonly #limits: SchedulerLimits;
  readonly #events: SchedulerEvents;
  readonly #residents = new Map<string, Resident>();
  readonly #idle = new Set<() => void>();
  #waiting = 0;
  #lastLoad: Promise<unknown> = Promise.resolve();

  constructor(limits: SchedulerLimits, events: SchedulerEvents) {
    this.#limits = limits;
    this.#events = events;
  }

  /** Models in memory, including those being loaded; the one that expires last comes first. */
  loaded(): LoadedModel[] {
    return [...this.#residents.values()].toSorted((a, b) => b.expiresAtMs - a.expiresAtMs);
  }

  /** Holds the model for a call; loads it if necessary. @throws OllamaRefusal 503 when the load queue is full */
  async acquire(demand: ModelDemand, signal: AbortSignal): Promise<Hold> {
    const startedAt = performance.now();
    const ready = this.#usable(demand);
    if (ready !== null) return this.#hold(ready, demand, startedAt);
    // The queue holds maxQueue calls besides the one being loaded.
    if (this.#waiting > this.#limits.maxQueue) {
      throw new OllamaRefusal(503, 'server busy, please try again.  maximum pending requests exceeded');
    }
    this.#waiting += 1;
    const turn = this.#lastLoad.then(() => this.#loadInTurn(demand, signal, startedAt));
    this.#lastLoad = turn.then(
      () => undefined,
      () => undefined,
    );
    try {
      return await turn;
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Unloads a model now, or when its calls have ended (`keep_alive: 0`). */
  unload(name: string): void {
    const resident = this.#residents.get(name);
    if (resident === undefined) return;
    resident.keepAliveMs = 0;
    resident.evicting = true;
    if (resident.users === 0) this.#remove(resident);
  }

  /** Stops every timer. Do not use the scheduler afterwards. */
  close(): void {
    for (const resident of this.#residents.values()) clearTimeout(resident.timer ?? undefined);
    this.#residents.clear();
  }

  #usable(demand: ModelDemand): Resident | null {
    const resident = this.#residents.get(demand.name);
    return resident !== undefined && resident.reloadKey === demand.reloadKey && resident.freeSlots >= 0
      ? resident
      : null;
  }

  async #loadInTurn(demand: ModelDemand, signal: AbortSignal, startedAt: number): Promise<Hold> {
    signal.throwIfAborted();
    for (;;) {
      const ready = this.#usable(demand);
      if (ready !== null) return this.#hold(ready, demand, startedAt);
      const toUnload = this.#residents.get(demand.name) ?? this.#leastUsed();
      if (toUnload === null) break;
      this.unload(toUnload.name);
      if (this.#residents.has(toUnload.name)) await abortable(signal, (wake) => this.#onIdle(wake));
    }
    const resident: Resident = {
      name: demand.name,
      numCtx: demand.numCtx,
      reloadKey: demand.reloadKey,
      sizeBytes: demand.sizeBytes + demand.numCtx * this.#limits.parallel * BYTES_PER_CONTEXT_TOKEN,
      cpu: demand.cpu,
      keepAliveMs: demand.keepAliveMs ?? this.#limits.defaultKeepAliveMs,
      expiresAtMs: 0,
      users: 0,
      // Negative while it loads: calls must not use it yet.
      freeSlots: -1,
      slotQueue: [],
      evicting: false,
      timer: null,
    };
    resident.expiresAtMs = Date.now() + resident.keepAliveMs;
    this.#residents.set(demand.name, resident);
    try {
      await sleep(demand.loadMs, signal);
    } catch (error) {
      this.#residents.delete(demand.name);
      throw error;
    }
    resident.freeSlots = this.#limits.parallel;
    this.#events.onLoad(demand.name);
    return this.#hold(resident, demand, startedAt);
  }

  /** The model to unload if another one needs memory: idle ones first, then the one that expires first. Null if there is room. */
  #leastUsed(): Resident | null {
    if (this.#residents.size < this.#limits.maxLoadedModels) return null;
    const order = [...this.#residents.values()].toSorted(
      (a, b) => Math.sign(a.users) - Math.sign(b.users) || a.expiresAtMs - b.expiresAtMs,
    );
    return order[0] ?? null;
  }

  #hold(resident: Resident, demand: ModelDemand, startedAt: number): Hold {
    resident.users += 1;
    clearTimeout(resident.timer ?? undefined);
    resident.timer = null;
    if (demand.keepAliveMs !== undefined) resident.keepAliveMs = demand.keepAliveMs;
    if (demand.cpu) resident.cpu = true;
    resident.expiresAtMs = Date.now() + resident.keepAliveMs;
    let over = false;
    return {
      model: resident,
      loadedAfterMs: performance.now() - startedAt,
      takeSlot: (signal) => this.#takeSlot(resident, signal),
      release: () => {
        if (over) return;
        over = true;
        this.#release(resident);
      },
    };
  }

  async #takeSlot(resident: Resident, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (resident.freeSlots > 0) resident.freeSlots -= 1;
    else {
      await abortable(signal, (wake) => {
        resident.slotQueue.push(wake);
        return () => {
          const at = resident.slotQueue.indexOf(wake);
          if (at >= 0) resident.slotQueue.splice(at, 1);
        };
      });
    }
    let given = false;
    return () => {
      if (given) return;
      given = true;
      // The next waiting call gets the slot.
      const next = resident.slotQueue.shift();
      if (next === undefined) resident.freeSlots += 1;
      else next();
    };
  }

  #release(resident: Resident): void {
    resident.users -= 1;
    if (resident.users > 0) return;
    if (resident.evicting || resident.keepAliveMs <= 0) {
      this.#remove(resident);
      return;
    }
    resident.expiresAtMs = Date.now() + resident.keepAliveMs;
    // Timers are limited to 2^31 ms; a longer time needs no timer in a simulator.
    if (resident.keepAliveMs < 2 ** 31 && resident.keepAliveMs < FOREVER_MS) {
      resident.timer = setTimeout(() => this.#remove(resident), resident.keepAliveMs);
      resident.timer.unref();
    }
  }

  #remove(resident: Resident): void {
    if (this.#residents.get(resident.name) !== resident || resident.freeSlots < 0) return;
    clearTimeout(resident.timer ?? undefined);
    this.#residents.delete(resident.name);
    this.#events.onUnload(resident.name);
    for (const wake of this.#idle) wake();
    this.#idle.clear();
  }

  #onIdle(wake: Waiter): () => void {
    this.#idle.add(wake);
    return () => this.#idle.delete(wake);
  }
}
