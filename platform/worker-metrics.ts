/**
 * Metrics of worker processes: each process serves them on loopback and writes the address to a file in the data directory, so that the API
 * shows all of them in one scrape. A file whose process has ended is removed.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { identify, isSameProcessAlive } from './processes/process-identity.ts';
import { writeFileAtomically } from './processes/records.ts';

const registrationSchema = z.object({
  /** Such as `control`; unique together with the pid. */
  name: z.string(),
  pid: z.int().positive(),
  startTime: z.string(),
  /** Processes of other machines and containers cannot be reached on loopback, and their pids mean nothing here. */
  host: z.string(),
  url: z.url(),
});

/** A worker process that serves metrics. */
export type WorkerMetrics = z.infer<typeof registrationSchema>;

const directoryOf = (home: string): string => join(home, 'run', 'metrics');
const fileOf = (home: string, { name, pid }: Pick<WorkerMetrics, 'name' | 'pid'>): string =>
  join(directoryOf(home), `${name}-${pid}.json`);

/** Records the address of the metrics of this process. Returns a function that removes the record. @throws Error if the data directory cannot be written */
export function announceWorkerMetrics(home: string, name: string, url: string): () => void {
  const self = identify(process.pid);
  if (self === undefined) throw new Error('this process cannot be identified');
  mkdirSync(directoryOf(home), { recursive: true, mode: 0o700 });
  const file = fileOf(home, { name, pid: self.pid });
  writeFileAtomically(file, `${JSON.stringify({ ...self, name, host: hostname(), url } satisfies WorkerMetrics)}\n`);
  return () => rmSync(file, { force: true });
}

/** Running worker processes of this machine that serve metrics. */
export function listWorkerMetrics(home: string): WorkerMetrics[] {
  return filesIn(directoryOf(home)).flatMap((path) => {
    const found = read(path);
    if (found === null || found.host !== hostname()) return [];
    if (isSameProcessAlive(found)) return [found];
    rmSync(path, { force: true });
    return [];
  });
}

function filesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
      .filter((file) => file.endsWith('.json'))
      .toSorted()
      .map((file) => join(directory, file));
  } catch {
    // No worker has announced anything yet.
    return [];
  }
}

function read(path: string): WorkerMetrics | null {
  try {
    return registrationSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // Gone meanwhile, or of another version.
    return null;
  }
}
