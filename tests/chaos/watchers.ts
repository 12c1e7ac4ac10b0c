/**
 * The drop folder of chaos runs and the watchers side by side on it, of which one can be killed and is followed by another.
 */
import type { Environment } from '../../platform/config.ts';
import { Drop, startWatcher, type WatcherProcess } from '../../testing/watchers.ts';

const WATCHERS = 2;
/** What a dead watcher had claimed is taken over after this. */
const ARGS = ['--lease-seconds', '2', '--poll-seconds', '0.5', '--settle-seconds', '0'];

export class Watchers {
  readonly drop: Drop;
  readonly #environment: Environment;
  readonly #processes: WatcherProcess[];

  constructor(directory: string, environment: Environment) {
    this.drop = new Drop(directory);
    this.#environment = environment;
    this.#processes = Array.from({ length: WATCHERS }, () => this.#start());
  }

  /** Kills one with -9 and starts another in its place. */
  async killOne(): Promise<void> {
    const oldest = this.#processes.shift();
    this.#processes.push(this.#start());
    await oldest?.kill();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#processes.map((watcher) => watcher.stop()));
  }

  #start(): WatcherProcess {
    return startWatcher(this.drop.dir, ARGS, this.#environment);
  }
}
