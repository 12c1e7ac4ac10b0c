import { describe, expect, it } from 'vitest';
import { unbuiltSuites } from '../../../cli/test/changed-run.ts';
import { readSelection, SUITES } from '../../../cli/test/suites.ts';

const names = (words: readonly string[]): readonly string[] => readSelection(words).suites.map((suite) => suite.name);

describe('words behind `deckhand test`', () => {
  it('without words the fast tier runs with the checks, and without the suites that are deep only', () => {
    expect(readSelection([])).toMatchObject({ tier: 'fast', withChecks: true });
    expect(names([])).toEqual(['unit', 'web', 'integration', 'e2e', 'fleet', 'pages']);
  });

  it('`full` runs every suite with the checks', () => {
    expect(readSelection(['full'])).toMatchObject({ tier: 'full', withChecks: true });
    expect(names(['full'])).toEqual(SUITES.map((suite) => suite.name));
  });

  it('names alone run those suites in full, without the checks', () => {
    expect(readSelection(['e2e', 'ssh'])).toMatchObject({ tier: 'full', withChecks: false });
    expect(names(['e2e', 'ssh'])).toEqual(['e2e', 'ssh']);
  });

  it('a tier before names runs that part of those suites', () => {
    expect(readSelection(['deep', 'integration'])).toMatchObject({ tier: 'deep', withChecks: false });
    expect(readSelection(['fast', 'fleet'])).toMatchObject({ tier: 'fast', withChecks: false });
  });

  it('a folder of a suite narrows the run to it and to the suites beside it', () => {
    expect(readSelection(['deep', 'unit/fleet', 'chaos'])).toMatchObject({
      tier: 'deep',
      suites: [{ name: 'unit' }, { name: 'chaos' }],
      folders: ['tests/unit/fleet/', 'tests/chaos/'],
    });
    expect(readSelection(['unit']).folders).toEqual([]);
  });

  it('an unknown name is a usage error that lists what there is', () =>
    expect(() => readSelection(['unti'])).toThrow(
      expect.objectContaining({ code: 'usage', hint: expect.stringContaining('unit') as string }),
    ));
});

describe('a suite whose program takes minutes to build', () => {
  const suite = { ...SUITES[0], name: 'slow', buildScript: 'build.ts', buildMinutes: 14 };
  const files = [{ file: 'tests/slow/a.test.ts', suite }];

  it('the suite is left out by name when less than that time is left, unless the program is there', () => {
    const unbuilt = (leftMinutes: number, isThere: boolean): string[] =>
      unbuiltSuites(files, leftMinutes * 60_000, { isBuilt: () => isThere }).map(({ name }) => name);
    expect(unbuilt(13, false)).toEqual(['slow']);
    expect(unbuilt(15, false)).toEqual([]);
    expect(unbuilt(1, true)).toEqual([]);
  });
});
