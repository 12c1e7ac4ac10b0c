/** Which files the tier `deep` runs, for vitest.config.ts and for the map of deep tests. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { SUITES, type Suite } from './suites.ts';

/** Files that the fast tier leaves out. */
export const DEEP_FILES = '**/*.deep.test.ts';
/** Files of tests, below the folder of their suite. */
export const TEST_FILES = '**/*.test.{ts,tsx}';
/** Imported by tests whose properties are longer in the deep tier. */
const LENGTH_IMPORT = /testing\/(?:property|tier)\.ts'/u;

/** Patterns of the files of a suite that the tier `deep` runs, relative to the checkout. */
export function deepPatterns(root: string, { name, isFast }: Suite): string[] {
  if (name === 'unit') {
    return globSync(`tests/${name}/${TEST_FILES}`, { cwd: root }).filter((file) =>
      LENGTH_IMPORT.test(readFileSync(path.join(root, file), 'utf8')),
    );
  }
  return [`tests/${name}/${isFast ? DEEP_FILES : TEST_FILES}`];
}

/** A file of deep tests. */
export interface DeepFile {
  /** Relative to the checkout. */
  readonly file: string;
  readonly suite: Suite;
}

/** Every file that the tier `deep` runs, in the order of the suites. */
export const deepFiles = (root: string): DeepFile[] =>
  SUITES.flatMap((suite: Suite) =>
    globSync(deepPatterns(root, suite), { cwd: root })
      .toSorted()
      .map((file) => ({ file, suite })),
  );
