/**
 * `deckhand test full --record`: runs each file of deep tests by itself, with its processes noting what they execute, and writes the map of
 * deep tests. A file that fails keeps its old entry.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type DeepFile, deepFiles } from '../deep-files.ts';
import { type NewRecord, readDeepMap, withRecords, writeDeepMap } from '../deep-map.ts';
import { importGraph, readImports, sourceFiles } from '../import-graph.ts';
import { executedFiles } from './executed.ts';

const PRELOAD = path.join(import.meta.dirname, 'preload.ts');
/** Files that are recorded at the same time, each in a vitest of its own. */
const RECORDED_AT_ONCE = 2;

/** Runs vitest with arguments and environment, and tells its exit code. */
export type RunVitest = (args: readonly string[], environment: Readonly<Record<string, string>>) => Promise<number>;

/**
 * Records files of deep tests; the map is written after each, so that a recording that is cut off keeps what it has.
 *
 * @param names suites or files to record; empty = all
 * @returns files whose tests failed
 */
export async function record(root: string, names: readonly string[], runVitest: RunVitest): Promise<readonly string[]> {
  const all = deepFiles(root);
  const wanted = all.filter(
    ({ file, suite }) => names.length === 0 || names.some((name) => name === suite.name || file.startsWith(name)),
  );
  const sources = sourceFiles(root);
  const graph = importGraph(readImports(root, sources));
  const old = readDeepMap(root);
  const deepTests = all.map(({ file }) => file);
  const records = new Map<string, NewRecord>();
  const failed: string[] = [];
  let done = 0;
  const one = async ({ file, suite }: DeepFile): Promise<void> => {
    const folder = mkdtempSync(path.join(tmpdir(), 'deckhand-record-'));
    const startedMs = performance.now();
    const code = await runVitest(['run', '--project', suite.name, file], {
      NODE_OPTIONS: `--import ${pathToFileURL(PRELOAD).href}?folder=${encodeURIComponent(folder)}`,
    });
    const durationMs = Math.round(performance.now() - startedMs);
    const functions = executedFiles(root, folder, graph);
    rmSync(folder, { recursive: true, force: true });
    done += 1;
    const outcome = `${(durationMs / 1000).toFixed(1)} s, ${functions.size} files`;
    console.error(`recorded ${done} of ${wanted.length}: ${file} (${code === 0 ? outcome : 'FAILED'})`);
    if (code !== 0) {
      failed.push(file);
      return;
    }
    records.set(file, { durationMs, functions });
    writeDeepMap(root, withRecords(old, records, sources, deepTests));
  };
  const waiting = wanted.values();
  const next = async (): Promise<void> => {
    for (const file of waiting) await one(file);
  };
  await Promise.all(Array.from({ length: RECORDED_AT_ONCE }, next));
  return failed;
}
