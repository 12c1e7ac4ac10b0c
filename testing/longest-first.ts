/**
 * The order in which vitest runs files. Its own order goes by the names of the projects: a long file of the last project would run alone at the end.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { longestFirst } from '../cli/test/choose.ts';
import { readDeepMap } from '../cli/test/deep-map.ts';
import { REPOSITORY_DIR } from '../platform/config.ts';

/** Expected time of a file that is in no map and has properties with more runs in the full tier. */
const DEEP_RUNS_MS = 60_000;

/**
 * Runs the files that took long when the map of deep tests was recorded first, with those of long properties among them, and then the others in
 * vitest's order.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { tests } = readDeepMap(REPOSITORY_DIR);
    const sorted = await super.sort(files);
    const hasDeepRuns = (file: string): boolean => readFileSync(file, 'utf8').includes('deepRuns:');
    return longestFirst(
      sorted,
      ({ moduleId }) =>
        tests.get(path.relative(REPOSITORY_DIR, moduleId))?.durationMs ??
        (hasDeepRuns(moduleId) ? DEEP_RUNS_MS : undefined),
    );
  }
}
