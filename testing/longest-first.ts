/**
 * The order in which vitest runs files. Its own order goes by the names of the projects, so that a long file of the last project would run alone at the end.
 */
import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { readDeepMap } from '../cli/test/deep-map.ts';
import { REPOSITORY_DIR } from '../platform/config.ts';

/** Shorter files stay in vitest's order, in which those of one project share processes. */
const LONG_MS = 60_000;

/** Runs the files that took long when the map of deep tests was recorded first, the longest before all, and then the others in vitest's order. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { tests } = readDeepMap(REPOSITORY_DIR);
    const longMs = ({ moduleId }: TestSpecification): number => {
      const durationMs = tests.get(path.relative(REPOSITORY_DIR, moduleId))?.durationMs ?? 0;
      return durationMs >= LONG_MS ? durationMs : 0;
    };
    return (await super.sort(files)).toSorted((a, b) => longMs(b) - longMs(a));
  }
}
