/**
 * What the tests of the runtime share: data directories of their own, and runtimes whose supervisor runs real Postgres, real Temporal
 * and a small web server.
 */
import { randomInt } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import getPort, { portNumbers } from 'get-port';
import { Connection, type Client } from '@temporalio/client';
import pg from 'pg';
import { expect, vi } from 'vitest';
import { loadConfig } from '../../../platform/config.ts';
import type { Config } from '../../../platform/config.ts';
import { startRuntime, stopRunningRuntime } from '../../../runtime/runtime.ts';
import type { Runtime, StartRuntimeOptions } from '../../../runtime/runtime.ts';
import { temporalClient } from '../../../platform/temporal.ts';
import { identify, isSameProcessAlive } from '../../../platform/processes/process-identity.ts';
import type { ProcessIdentity } from '../../../platform/processes/process-identity.ts';

/** Script of a supervisor that runs the servers and a small web server. */
export const SUPERVISE = fileURLToPath(new URL('./programs/supervise.ts', import.meta.url));

/** A data directory for one test, and the runtimes on it. */
export class TestHome implements AsyncDisposable {
  readonly config: Config;

  constructor(environment: Record<string, string> = {}) {
    const home = mkdtempSync(join(tmpdir(), 'deckhand-runtime-'));
    this.config = loadConfig({ ...loadConfig().environment, DECKHAND_HOME: home, ...environment });
  }

  /** Gives the servers ports that no other runtime asks for: those of a killed one may otherwise be taken before it starts again. */
  async useUnusualPorts(): Promise<void> {
    // Below the range from which the kernel takes ports of outgoing connections.
    const from = randomInt(10_000, 30_000);
    const postgres = await getPort({ port: portNumbers(from, from + 99) });
    const temporal = await getPort({ port: portNumbers(from + 100, from + 199) });
    mkdirSync(join(this.config.home, 'run'), { recursive: true });
    writeFileSync(join(this.config.home, 'run', 'ports.json'), JSON.stringify({ postgres, temporal }));
  }

  /** Starts or joins the runtime. */
  start(options: Partial<StartRuntimeOptions> = {}): Promise<Runtime> {
    return startRuntime(this.config, { models: 'reader', supervisorArgs: [SUPERVISE], ...options });
  }

  /** Ends whatever runs here and removes the directory. */
  async remove(): Promise<void> {
    await stopRunningRuntime(this.config);
    rmSync(this.config.home, { recursive: true, force: true });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.remove();
  }
}

/** The process of a child, as the runtime names it now; undefined while it is down. */
export async function processOf(runtime: Runtime, name: string): Promise<ProcessIdentity | undefined> {
  const { children } = await runtime.status();
  const pid = children.find((child) => child.name === name)?.pid;
  return pid === undefined ? undefined : identify(pid);
}

/** As `processOf`, for a child that must be there. */
export async function liveProcessOf(runtime: Runtime, name: string): Promise<ProcessIdentity> {
  const identity = await processOf(runtime, name);
  if (identity === undefined) throw new Error(`${name} does not run`);
  return identity;
}

/** Every process of the runtime. */
export async function processesOf(runtime: Runtime): Promise<ProcessIdentity[]> {
  const { children } = await runtime.status();
  return Promise.all(children.map((child) => liveProcessOf(runtime, child.name)));
}

export async function waitUntilAllGone(processes: readonly ProcessIdentity[]): Promise<void> {
  await vi.waitFor(() => expect(processes.filter(isSameProcessAlive)).toEqual([]), { timeout: 15_000, interval: 50 });
}

/** Waits until a killed child runs again as another process, and is ready. */
export async function waitUntilReplaced(runtime: Runtime, name: string, old: ProcessIdentity): Promise<void> {
  await vi.waitFor(
    async () => {
      const { children } = await runtime.status();
      const child = children.find((candidate) => candidate.name === name);
      expect(child?.ready).toBe(true);
      expect(child?.pid).not.toBe(old.pid);
    },
    { timeout: 30_000, interval: 50 },
  );
}

/** Runs one statement and returns its rows. */
export async function query(runtime: Runtime, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: runtime.databaseUrl });
  await client.connect();
  try {
    const result = await client.query<Record<string, unknown>>(text);
    return result.rows;
  } finally {
    await client.end();
  }
}

/** Uses the runtime's Temporal. */
export async function withTemporal<T>(runtime: Runtime, use: (client: Client) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address: runtime.temporalAddress });
  try {
    const target = { namespace: runtime.temporalNamespace };
    return await use(temporalClient(connection, target, loadConfig({ DECKHAND_HOME: runtime.home })));
  } finally {
    await connection.close();
  }
}
