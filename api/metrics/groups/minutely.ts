/** A group that reads a longer time, or machine by machine: once a minute at most, however often Prometheus asks. */
import type { Sample } from '../../../domain/metrics/definitions.ts';
import type { GroupDeps, MetricGroup } from './group.ts';

const FRESH_MS = 60_000;

/** One for each process that is asked. What could not be read is missing for as long: what is too much is not tried with every scrape. */
export class MinutelyGroup implements MetricGroup {
  readonly name: string;
  readonly #read: (deps: GroupDeps) => Promise<readonly Sample[]>;
  #last: { readonly atMs: number; readonly samples: Promise<readonly Sample[]> } | undefined;

  constructor(name: string, read: (deps: GroupDeps) => Promise<readonly Sample[]>) {
    this.name = name;
    this.#read = read;
  }

  read(deps: GroupDeps): Promise<readonly Sample[]> {
    const atMs = performance.now();
    if (this.#last === undefined || atMs - this.#last.atMs >= FRESH_MS)
      this.#last = { atMs, samples: this.#read(deps) };
    return this.#last.samples;
  }
}
