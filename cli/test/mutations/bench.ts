/**
 * `deckhand bench mutations`: whether the deep tests that a change calls for (cli/test/choose.ts) find its faults. Each fault is put into a copy of the
 * newest commit, and the tests that it calls for run in their order until one fails, which then has to pass without the fault.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { calledTests } from '../choose.ts';
import { type DeepFile, deepFiles } from '../deep-files.ts';
import { readDeepMap } from '../deep-map.ts';
import { importGraph, readImports, sourceFiles } from '../import-graph.ts';
import { TIER_VARIABLE } from '../suites.ts';
import { loadConfig, REPOSITORY_DIR } from '../../../platform/config.ts';
import type { Figures } from '../../../bench/figures.ts';
import { median } from '../../../bench/pipeline/decks.ts';
import { type Mutation, MUTATIONS } from './mutations.ts';

/** Share of the time of all deep tests after which a fault counts as not found. */
const LARGEST_SHARE = 0.5;
/** A test that takes so much longer than when it was recorded hangs, which is found as well. */
const LONGEST_MS = 900_000;
/** Folders that the bundle of the workspace is made of. */
const BUNDLED = /^(?:web|domain)\//u;

type Verdict = 'finds it' | 'does not find it' | 'fails without it as well';

/** Runs the benchmark. */
export async function benchMutations(figures: Figures, tell: (line: string) => void): Promise<void> {
  const copy = new Copy();
  try {
    const map = readDeepMap(copy.root);
    const deep = deepFiles(copy.root);
    const graph = importGraph(readImports(copy.root, sourceFiles(copy.root)));
    const files = new Map(deep.map((each) => [each.file, each]));
    const recordedMs = (test: string): number => map.tests.get(test)?.durationMs ?? 0;
    const allMs = [...files.keys()].reduce((sum, test) => sum + recordedMs(test), 0);
    tell(`all deep tests took ${minutes(allMs)} when they were recorded`);
    const shares: number[] = [];
    let killed = 0;
    for (const mutation of MUTATIONS) {
      const called = calledTests([mutation.file], [...files.keys()], map, graph);
      let spentMs = 0;
      let killer: string | undefined;
      for (const { test } of called) {
        const file = files.get(test);
        if (file === undefined || spentMs + recordedMs(test) > LARGEST_SHARE * allMs) break;
        spentMs += recordedMs(test);
        const verdict = await copy.judge(mutation, file);
        if (verdict === 'finds it') {
          killer = test;
          break;
        }
        tell(`  ${mutation.file}: ${test} ${verdict}`);
      }
      if (killer !== undefined) killed += 1;
      shares.push(killer === undefined ? 1 : spentMs / allMs);
      const outcome = killer === undefined ? 'NOT found' : `found by ${killer}`;
      tell(`${mutation.file}: ${outcome}, ${minutes(spentMs)} of recorded time, ${called.length} tests called`);
    }
    figures.add(`faults of ${MUTATIONS.length} that the called deep tests find`, killed, '', '>= 19');
    figures.add('share of the deep time until a fault is found, median', median(shares), 'ratio', '<= 0.5');
  } finally {
    copy.remove();
  }
}

const minutes = (ms: number): string => `${(ms / 60_000).toFixed(1)} min`;

/** A copy of the newest commit, with the packages of the checkout. */
class Copy {
  readonly root = mkdtempSync(path.join(tmpdir(), 'deckhand-mutations-'));
  readonly #sound = new Set<string>();

  constructor() {
    execFileSync('git', ['clone', '--quiet', '--shared', REPOSITORY_DIR, this.root]);
    // Render processes may read the link and the folder at its end, but no link between them.
    symlinkSync(realpathSync(path.join(REPOSITORY_DIR, 'node_modules')), path.join(this.root, 'node_modules'));
    cpSync(path.join(REPOSITORY_DIR, 'generated'), path.join(this.root, 'generated'), { recursive: true });
  }

  /** A test finds a fault by failing with it and passing without. @throws Error where the piece to replace does not stand in the file once */
  async judge({ file, find, replace }: Mutation, test: DeepFile): Promise<Verdict> {
    const target = path.join(this.root, file);
    const text = readFileSync(target, 'utf8');
    if (text.split(find).length !== 2) throw new Error(`${file} does not contain once: ${find}`);
    writeFileSync(
      target,
      text.replace(find, () => replace),
    );
    let passed: boolean;
    try {
      await this.#bundle(file);
      passed = await this.#passes(test);
    } finally {
      writeFileSync(target, text);
      await this.#bundle(file);
    }
    if (passed) return 'does not find it';
    if (!this.#sound.has(test.file) && !(await this.#passes(test))) return 'fails without it as well';
    this.#sound.add(test.file);
    return 'finds it';
  }

  /** Bundles the workspace anew where a file of it changed. */
  async #bundle(file: string): Promise<void> {
    if (!BUNDLED.test(file)) return;
    const code = await this.#node(['node_modules/vite/bin/vite.js', 'build', 'web', '--logLevel', 'error']);
    if (code !== 0) throw new Error('the workspace cannot be bundled');
  }

  async #passes({ file, suite }: DeepFile): Promise<boolean> {
    const run = ['run', '--project', suite.name, file, '--bail', '1', '--reporter', 'dot'];
    return (await this.#node(['node_modules/vitest/vitest.mjs', ...run])) === 0;
  }

  /** Runs a script in the copy. Returns its exit code; null when it was ended. */
  async #node(args: readonly string[]): Promise<number | null> {
    const env = { ...loadConfig().environment, [TIER_VARIABLE]: 'deep' };
    const child = spawn(process.execPath, args, { cwd: this.root, env, stdio: 'ignore', timeout: LONGEST_MS });
    const [code] = (await once(child, 'exit')) as [number | null];
    return code;
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
