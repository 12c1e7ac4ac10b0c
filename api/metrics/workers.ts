/** The metrics of Temporal's SDK, as the worker processes of this machine serve them, each sample with the name of its process. */
import type { Sample } from '../../domain/metrics/definitions.ts';
import { readFamilies, type MetricFamily } from '../../domain/metrics/exposition.ts';
import { listWorkerMetrics, type WorkerMetrics } from '../../platform/worker-metrics.ts';
import { sample } from './groups/group.ts';

/** A worker that is busy answers late; a scrape does not wait for it. */
const ANSWER_LIMIT_MS = 1500;
/** More than any worker shows; whoever answers with more is no worker. */
const MOST_BYTES = 8 * 1024 * 1024;

/** What the workers show, and which of them answered. */
export interface WorkerScrape {
  readonly families: readonly MetricFamily[];
  readonly samples: readonly Sample[];
}

/** Asks all of them at once. Never rejects: one that does not answer is shown as down. */
export async function scrapeWorkers(home: string): Promise<WorkerScrape> {
  const workers = listWorkerMetrics(home);
  const answers = await Promise.all(
    workers.map(async (worker) => ({ process: processName(worker, workers), text: await ask(worker) })),
  );
  return {
    families: answers.flatMap(({ process, text }) =>
      text === null ? [] : readFamilies(text, { name: 'process', value: process }),
    ),
    samples: answers.map(({ process, text }) => sample('deckhand_worker_up', { process }, text === null ? 0 : 1)),
  };
}

/** `gateway`, and `gateway-2` for a second one beside it: a worker that is started again is the same in a graph. */
function processName(worker: WorkerMetrics, all: readonly WorkerMetrics[]): string {
  const place = all.filter(({ name }) => name === worker.name).indexOf(worker);
  return place === 0 ? worker.name : `${worker.name}-${place + 1}`;
}

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
