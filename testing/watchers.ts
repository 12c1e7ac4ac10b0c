/**
 * Drop folders and watcher processes for tests: jobs dropped as clients do it, watchers as `deckhand watch` runs them.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { WatchEvent } from '../drop-folder/events.ts';
import type { ErrorFile, ResultFile } from '../domain/drop-folder/outcome.ts';
import type { Environment } from '../platform/config.ts';
import { COMMAND } from './command.ts';

/** Those that have not ended. */
const running = new Set<WatcherProcess>();

/** A watcher process. */
export interface WatcherProcess {
  readonly pid: number;
  /** What it told so far. */
  readonly events: readonly WatchEvent[];
  /** Asks it to end and waits. Returns its exit code. */
  stop(): Promise<number | null>;
  /** Ends it with -9 and waits. */
  kill(): Promise<void>;
}

/** Runs `deckhand watch DIR --json`; a test that may fail before it ends one has {@link killWatchers} after it. */
export function startWatcher(dir: string, args: readonly string[], environment: Environment): WatcherProcess {
  const child = spawn(process.execPath, [COMMAND, 'watch', dir, '--json', ...args], {
    env: { ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('the watcher did not start');
  const events: WatchEvent[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => events.push(JSON.parse(line) as WatchEvent));
  // With all that it told: when it exits, some of that may still be in the pipe.
  const ended = once(child, 'close') as Promise<[number | null]>;
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    return (await ended)[0];
  };
  const watcher: WatcherProcess = {
    pid,
    events,
    stop: () => end('SIGTERM'),
    kill: async () => void (await end('SIGKILL')),
  };
  running.add(watcher);
  void ended.then(() => running.delete(watcher));
  return watcher;
}

/** Ends with -9 whatever watchers a failed test has left. */
export async function killWatchers(): Promise<void> {
  await Promise.all([...running].map((watcher) => watcher.kill()));
}

/** A drop folder as a client uses it. */
export class Drop {
  readonly dir: string;

  constructor(dir: string) {
    this.dir = dir;
    for (const each of ['queue', 'decks', 'results', 'bad', 'archive', 'claimed']) {
      mkdirSync(path.join(dir, each), { recursive: true });
    }
  }

  at(...names: readonly string[]): string {
    return path.join(this.dir, ...names);
  }

  /** Puts a PDF under `decks/`. Returns its path as jobs name it. */
  deck(name: string, bytes: Uint8Array): string {
    writeFileSync(this.at('decks', name), bytes);
    return `decks/${name}`;
  }

  /** Drops a job file whole. */
  job(name: string, fields: Readonly<Record<string, unknown>>): void {
    const draft = this.at('queue', `${name}.draft`);
    writeFileSync(draft, JSON.stringify({ job_id: name, ...fields }));
    renameSync(draft, this.at('queue', `${name}.json`));
  }

  names(...folder: readonly string[]): string[] {
    return readdirSync(this.at(...folder)).filter((name) => !name.startsWith('.'));
  }

  result(name: string): ResultFile {
    return JSON.parse(readFileSync(this.at('results', `${name}_results.json`), 'utf8')) as ResultFile;
  }

  error(name: string): ErrorFile {
    return JSON.parse(readFileSync(this.at('results', `${name}_error.json`), 'utf8')) as ErrorFile;
  }
}
