/**
 * The order in which vitest runs files. Its own order goes by the names of the projects: a long file of the last project would run alone at the end.
 */
import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { longestFirst } from '../cli/test/choose.ts';
import { readDeepMap } from '../cli/test/deep-map.ts';
import { REPOSITORY_DIR } from '../platform/config.ts';

/** Runs the files that took long when the map of deep tests was recorded first, and then the others in vitest's order. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { tests } = readDeepMap(REPOSITORY_DIR);
    const sorted = await super.sort(files);
    return longestFirst(sorted, ({ moduleId }) => tests.get(path.relative(REPOSITORY_DIR, moduleId))?.durationMs);
  }
}
