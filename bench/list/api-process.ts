/** The product's API in a process of its own, open to this machine, on a database: for its times and its memory. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import getPort from 'get-port';
import { loadConfig, REPOSITORY_DIR } from '../../platform/config.ts';

const START_LIMIT_MS = 60_000;

/** The process. */
export interface ApiProcess {
  /** With the prefix of the routes. */
  readonly url: string;
  /** Resident memory now, MiB. */
  memoryMiB(): Promise<number>;
  stop(): Promise<void>;
}

/** Resident memory of a process, MiB. */
export async function residentMiB(pid: number | 'self'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/mu.exec(status)?.[1] ?? Number.NaN) / 1024;
}

/** Starts it, and waits until it answers. Temporal is not needed for reading. @throws Error when it does not start */
export async function startApiProcess(databaseUrl: string): Promise<ApiProcess> {
  const home = mkdtempSync(path.join(tmpdir(), 'deckhand-bench-'));
  const port = await getPort({ host: '127.0.0.1' });
  const child = spawn(process.execPath, [path.join(REPOSITORY_DIR, 'api/main.ts')], {
    env: {
      ...loadConfig().environment,
      DATABASE_URL: databaseUrl,
      DECKHAND_HOME: home,
      DECKHAND_AUTH: 'open',
      DECKHAND_API_PORT: String(port),
      DECKHAND_LOG_LEVEL: 'silent',
      TEMPORAL_ADDRESS: '127.0.0.1:1',
    },
    stdio: 'inherit',
  });
  const url = `http://127.0.0.1:${port}/api/v1`;
  await answers(url, child);
  return {
    url,
    memoryMiB: () => residentMiB(child.pid ?? 'self'),
    stop: async () => {
      child.kill();
      if (child.exitCode === null) await once(child, 'exit');
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function answers(url: string, child: ChildProcess): Promise<void> {
  const limitMs = performance.now() + START_LIMIT_MS;
  while (child.exitCode === null && performance.now() < limitMs) {
    try {
      if ((await fetch(`${url}/openapi.json`)).ok) return;
    } catch {
      // It does not listen yet.
    }
    await delay(100);
  }
  throw new Error('the API did not start');
}
