/**
 * Model servers: one for every running instance. The names of pulled models are stored with the OS disk.
 *
 * `reconcile` compares: it starts missing servers and ends superfluous ones, so that a restarted simulator needs no special handling.
 */
import type { SimulatedCloud } from './simulated-cloud.ts';
import { startModelProcess, type ModelProcess, type ModelTrouble } from './model-process.ts';
import type { SimInstance } from './state.ts';

export interface ModelServerListener {
  /** An address or the models of a disk changed. */
  onChange(): void;
  onError(error: unknown): void;
}

/** A model server as it was started, and as it behaves now. */
interface Served {
  readonly process: ModelProcess;
  /** Number of this start among those of its machine's model server. */
  readonly start: number;
  /** Its faults as JSON. */
  trouble: string;
}

export class ModelServers {
  readonly #cloud: SimulatedCloud;
  readonly #listener: ModelServerListener;
  readonly #processes = new Map<string, Served>();
  /** Jobs run one after the other. */
  #work: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(cloud: SimulatedCloud, listener: ModelServerListener) {
    this.#cloud = cloud;
    this.#listener = listener;
    cloud.onTransition(() => void this.reconcile());
    cloud.machines.onChange(() => void this.reconcile());
  }

  /** Resolves when the model servers match the instances as they were at the call. A dead server is started again. */
  reconcile(): Promise<void> {
    return this.#enqueue(() => this.#reconcile());
  }

  /** Stores the names of pulled models. */
  remember(): Promise<void> {
    return this.#enqueue(async () => {
      for (const id of this.#processes.keys()) await this.#rememberOne(id);
    });
  }

  /** Ends all servers. Instances stay as they are and get their servers back after a restart. */
  close(): Promise<void> {
    this.#isClosed = true;
    return this.#enqueue(async () => {
      await Promise.all([...this.#processes.keys()].map((id) => this.#end(id)));
    });
  }

  /** An error is reported and does not stop the next job. */
  #enqueue(work: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(work).catch((error: unknown) => this.#listener.onError(error));
    return this.#work;
  }

  #wanted(): SimInstance[] {
    const { machines, clock } = this.#cloud;
    return Object.values(this.#cloud.state.instances).filter(
      (i) =>
        // A replica that is drained finishes what it has begun.
        (i.phase === 'running' || (i.isReplica && i.phase === 'deleting' && i.modelUrl !== null)) &&
        i.modelFault !== 'dead' &&
        !machines.isBooting(i.id, clock.nowMs()),
    );
  }

  /** A fault that the instance was created with stays; faults of its machine come and go. */
  #troubleOf(instance: SimInstance): ModelTrouble & { readonly start: number } {
    const { machines, clock } = this.#cloud;
    const { effect, tokensPerSecond, starts } = machines.modelEffect(instance.id, clock.nowMs());
    // Without a GPU the CPU computes.
    const own = instance.gpuCount === 0 ? 'cpu_only' : instance.modelFault;
    return { effect: own === null || own === 'dead' ? effect : own, tokensPerSecond, start: starts };
  }

  #isKept(instance: SimInstance): boolean {
    const served = this.#processes.get(instance.id);
    return served?.process.isAlive() === true && served.start === this.#troubleOf(instance).start;
  }

  async #reconcile(): Promise<void> {
    if (this.#isClosed) return;
    const wanted = this.#wanted();
    const kept = new Set(wanted.filter((i) => this.#isKept(i)).map((i) => i.id));
    const superfluous = [...this.#processes.keys()].filter((id) => !kept.has(id));
    for (const id of superfluous) await this.#end(id);
    const { machines, clock } = this.#cloud;
    const ended = superfluous.filter(
      (id) => !wanted.some((i) => i.id === id) && !machines.isBooting(id, clock.nowMs()),
    );
    for (const id of ended) this.#cloud.setModelUrl(id, null);
    // Ended before others start: a disk, with its models, may be attached to the next machine already.
    await Promise.all(wanted.filter((i) => !kept.has(i.id)).map((instance) => this.#start(instance)));
    for (const instance of wanted.filter((i) => kept.has(i.id))) await this.#follow(instance);
    if (superfluous.length > 0 || wanted.length > kept.size) this.#listener.onChange();
  }

  async #start(instance: SimInstance): Promise<void> {
    const { scenario, state } = this.#cloud;
    const { start, ...trouble } = this.#troubleOf(instance);
    const process = await startModelProcess({
      models: instance.isReplica
        ? scenario.containers.models
        : (state.volumes[instance.osVolumeId ?? '']?.models ?? []),
      trouble,
      port: instance.modelUrl === null ? 0 : Number(new URL(instance.modelUrl).port),
      vllm: instance.vllm,
      settings: scenario.modelServer,
    });
    this.#processes.set(instance.id, { process, start, trouble: JSON.stringify(trouble) });
    this.#cloud.setModelUrl(instance.id, process.url);
  }

  /** Applies changed faults. */
  async #follow(instance: SimInstance): Promise<void> {
    const served = this.#processes.get(instance.id);
    const { start: _start, ...trouble } = this.#troubleOf(instance);
    const written = JSON.stringify(trouble);
    if (served === undefined || served.trouble === written) return;
    await served.process.setTrouble(trouble);
    served.trouble = written;
  }

  async #end(id: string): Promise<void> {
    try {
      await this.#rememberOne(id);
    } finally {
      await this.#processes.get(id)?.process.stop();
      this.#processes.delete(id);
    }
  }

  async #rememberOne(id: string): Promise<void> {
    const process = this.#processes.get(id)?.process;
    const { instances, volumes } = this.#cloud.state;
    const volumeId = instances[id]?.osVolumeId;
    if (process?.isAlive() !== true || typeof volumeId !== 'string') return;
    const models = await process.models();
    if (models.join() === volumes[volumeId]?.models.join()) return;
    this.#cloud.setModels(volumeId, models);
    this.#listener.onChange();
  }
}
