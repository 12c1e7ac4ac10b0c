/** The metrics of worker processes of this machine, as they serve them: what they count, and those of Temporal's SDK. */
import { sample } from '../../activities/metrics/source.ts';
import type { Sample } from '../../domain/metrics/catalogue.ts';
import { listWorkerMetrics, type WorkerMetrics } from '../../platform/worker-metrics.ts';
import type { ProcessText } from './exposition.ts';

/** A worker that is busy answers late; a scrape does not wait for it. */
const ANSWER_LIMIT_MS = 1500;
/** More than any worker shows. */
const MOST_BYTES = 8 * 1024 * 1024;

/** What the workers show, and which of them answered. */
export interface WorkerScrape {
  readonly processes: readonly ProcessText[];
  readonly samples: readonly Sample[];
}

/** Asks workers for their metrics; one for each API process. */
export class WorkerScraper {
  /** Names of the processes of the last scrape, by their start: counters of one process stay under one name. */
  #names: ReadonlyMap<string, string> = new Map();

  /** Asks all of them at once. Never rejects: one that does not answer is shown as down. */
  async scrape(home: string): Promise<WorkerScrape> {
    const answers = await Promise.all(
      this.#named(listWorkerMetrics(home)).map(async ({ worker, process }) => ({ process, text: await ask(worker) })),
    );
    return {
      processes: answers.flatMap(({ process, text }) => (text === null ? [] : [{ process, text }])),
      samples: answers.map(({ process, text }) => sample('deckhand_worker_up', { process }, text === null ? 0 : 1)),
    };
  }

  /** `gateway`, and `gateway-2` for a second one beside it. A worker that is started again takes the name that became free. */
  #named(workers: readonly WorkerMetrics[]): { readonly worker: WorkerMetrics; readonly process: string }[] {
    const names = new Map<string, string>();
    for (const worker of workers) {
      const before = this.#names.get(keyOf(worker));
      if (before !== undefined) names.set(keyOf(worker), before);
    }
    for (const worker of workers.filter((each) => !names.has(keyOf(each)))) {
      const taken = new Set(names.values());
      let process = worker.name;
      for (let place = 2; taken.has(process); place += 1) process = `${worker.name}-${place}`;
      names.set(keyOf(worker), process);
    }
    this.#names = names;
    return workers.map((worker) => ({ worker, process: names.get(keyOf(worker)) ?? worker.name }));
  }
}

const keyOf = ({ name, pid, startTime }: WorkerMetrics): string => `${name}/${pid}/${startTime}`;

async function ask({ url }: WorkerMetrics): Promise<string | null> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS), redirect: 'error' });
    if (!response.ok) return null;
    const text = await response.text();
    return text.length > MOST_BYTES ? null : text;
  } catch {
    return null;
  }
}
