/** What the tests of a file share, started before them and ended after them, and folders that end with a file or a test. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, onTestFinished, type RunnerTask } from 'vitest';

/** Something that runs, by what ends it. */
type Running = ({ stop(): Promise<unknown> } | { close(): Promise<unknown> }) & {
  /** The ends of its logs, printed when a test of the file has failed: they are gone afterwards. */
  logEnds?(): string;
};

/**
 * Starts something before the tests of this file and ends it after them, in the reverse order. What is returned is empty until then: use it
 * in hooks and tests only. It has the own members of what was started, which are read and written there.
 * @param timeoutMs that of the hook; the suite's own by default
 */
export function perFile<T extends Running>(start: () => T | Promise<T>, timeoutMs?: number): T {
  const shared = {} as T;
  let running: Running | undefined;
  beforeAll(async () => {
    const started = await start();
    running = started;
    for (const key of Object.keys(started)) {
      const get = (): unknown => Reflect.get(started, key);
      const set = (value: unknown): boolean => Reflect.set(started, key, value);
      Object.defineProperty(shared, key, { get, set, enumerable: true, configurable: true });
    }
  }, timeoutMs);
  // oxlint-disable-next-line eslint/no-empty-pattern -- vitest takes the names of fixtures from it
  afterAll(async ({}, file) => {
    if (running === undefined) return;
    if (running.logEnds !== undefined && hasFailed(file)) process.stderr.write(running.logEnds());
    await ('stop' in running ? running.stop() : running.close());
  });
  return shared;
}

const hasFailed = (task: RunnerTask): boolean =>
  task.result?.state === 'fail' || ('tasks' in task && task.tasks.some(hasFailed));

const newFolder = (): string => mkdtempSync(path.join(tmpdir(), 'deckhand-test-'));
const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true });

/** A new folder, removed after the tests of this file. Call it at the top of the file or in a `describe`. */
export function folderPerFile(): string {
  const folder = newFolder();
  afterAll(() => remove(folder));
  return folder;
}

/** A new folder, removed after the test that runs. Call it in a test or in `beforeEach`. */
export function folderPerTest(): string {
  const folder = newFolder();
  onTestFinished(() => remove(folder));
  return folder;
}
