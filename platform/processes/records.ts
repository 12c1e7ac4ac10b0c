/**
 * Child records: what the supervisor started, on disk, one small JSON file per child.
 *
 * If a supervisor was killed, the next one ends the children that are recorded here, if they are still the same processes, and nothing else on
 * the machine.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { endProcess } from './process-identity.ts';

const recordSchema = z.object({
  name: z.string(),
  pid: z.number().int().positive(),
  startTime: z.string(),
  command: z.array(z.string()),
  startedAt: z.string(),
  restarts: z.number().int().nonnegative(),
  stopSignal: z.enum(['SIGTERM', 'SIGINT']),
});

/** One running child, as recorded. */
export type ChildRecord = z.infer<typeof recordSchema>;

/** Writes a file so that readers see the old or the new content, never a part. */
export function writeFileAtomically(path: string, content: string, mode = 0o600): void {
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, content, { mode });
  renameSync(temporary, path);
}

/** The records of one data directory. */
export class ChildRecords {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  }

  #path(name: string): string {
    return join(this.#directory, `${name}.json`);
  }

  write(record: ChildRecord): void {
    writeFileAtomically(this.#path(record.name), `${JSON.stringify(record)}\n`);
  }

  remove(name: string): void {
    rmSync(this.#path(name), { force: true });
  }

  /** All readable records; a half-written or foreign file is left out. */
  list(): ChildRecord[] {
    const records: ChildRecord[] = [];
    for (const file of readdirSync(this.#directory)) {
      if (!file.endsWith('.json')) continue;
      try {
        const parsed = recordSchema.safeParse(JSON.parse(readFileSync(join(this.#directory, file), 'utf8')));
        if (parsed.success) records.push(parsed.data);
      } catch {
        // Not one of our records, which are written atomically.
      }
    }
    return records;
  }

  /** Ends every recorded child that is still the same process, and removes all records. */
  async endAll(graceMs: number): Promise<void> {
    await Promise.all(
      this.list().map(async (record) => {
        await endProcess(record, record.stopSignal, graceMs);
        this.remove(record.name);
      }),
    );
  }
}
