/**
 * The boot hook: a model server for every running instance, ended with it. Whatever was pulled is remembered with the OS disk.
 *
 * Works by comparison: `reconcile` starts what is missing and ends what is too much, one call after the other, so that a restarted
 * simulator needs nothing special.
 */
import type { SimulatedCloud } from './simulated-cloud.ts';
import { startModelProcess, type ModelProcess } from './model-process.ts';
import type { SimInstance } from './state.ts';

export interface ModelServerListener {
  /** An address or the models of a disk changed. */
  onChange(): void;
  onError(error: unknown): void;
}

export class ModelServers {
  readonly #cloud: SimulatedCloud;
  readonly #told: ModelServerListener;
  readonly #processes = new Map<string, ModelProcess>();
  /** Work goes on one piece after the other. */
  #work: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(cloud: SimulatedCloud, listener: ModelServerListener) {
    this.#cloud = cloud;
    this.#told = listener;
    cloud.onTransition(() => void this.reconcile());
  }

  /** Resolves when the model servers fit the instances as they were when it was called. One that died is started again. */
  reconcile(): Promise<void> {
    return this.#enqueue(() => this.#reconcile());
  }

  /** Looks at what has been pulled. */
  remember(): Promise<void> {
    return this.#enqueue(async () => {
      for (const id of this.#processes.keys()) await this.#rememberOne(id);
    });
  }

  /** Ends all of them; instances stay as they are and find their servers again after a restart. */
  close(): Promise<void> {
    this.#isClosed = true;
    return this.#enqueue(async () => {
      await Promise.all([...this.#processes.keys()].map((id) => this.#end(id)));
    });
  }

  /** What goes wrong is told and does not keep the next piece of work from being done. */
  #enqueue(work: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(work).catch((error: unknown) => this.#told.onError(error));
    return this.#work;
  }

  #wanted(): SimInstance[] {
    return Object.values(this.#cloud.state.instances).filter((i) => i.phase === 'running' && i.modelFault !== 'dead');
  }

  async #reconcile(): Promise<void> {
    if (this.#isClosed) return;
    const wanted = this.#wanted();
    const kept = new Set(wanted.filter((i) => this.#processes.get(i.id)?.isAlive() === true).map((i) => i.id));
    const superfluous = [...this.#processes.keys()].filter((id) => !kept.has(id));
    for (const id of superfluous) await this.#end(id);
    const ended = superfluous.filter((id) => !wanted.some((i) => i.id === id));
    for (const id of ended) this.#cloud.setModelUrl(id, null);
    // Ended before others start: a disk may have gone on to the next machine, with what is on it.
    await Promise.all(wanted.filter((i) => !kept.has(i.id)).map((instance) => this.#start(instance)));
    if (superfluous.length > 0 || wanted.length > kept.size) this.#told.onChange();
  }

  async #start(instance: SimInstance): Promise<void> {
    const { scenario, state } = this.#cloud;
    // A machine without a GPU computes on its CPU.
    const fault = instance.gpuCount === 0 ? 'cpu_only' : instance.modelFault;
    const process = await startModelProcess({
      models: state.volumes[instance.osVolumeId ?? '']?.models ?? [],
      fault: fault === 'dead' ? null : fault,
      port: instance.modelUrl === null ? 0 : Number(new URL(instance.modelUrl).port),
      settings: scenario.modelServer,
    });
    this.#processes.set(instance.id, process);
    this.#cloud.setModelUrl(instance.id, process.url);
  }

  async #end(id: string): Promise<void> {
    try {
      await this.#rememberOne(id);
    } finally {
      await this.#processes.get(id)?.stop();
      this.#processes.delete(id);
    }
  }

  async #rememberOne(id: string): Promise<void> {
    const process = this.#processes.get(id);
    const { instances, volumes } = this.#cloud.state;
    const volumeId = instances[id]?.osVolumeId;
    if (process?.isAlive() !== true || typeof volumeId !== 'string') return;
    const models = await process.models();
    if (models.join() === volumes[volumeId]?.models.join()) return;
    this.#cloud.setModels(volumeId, models);
    this.#told.onChange();
  }
}
