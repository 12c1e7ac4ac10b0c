import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  changedFiles,
  deepTestsFor,
  filesWithMovedImports,
  findBase,
  TESTS_BY_PATH,
} from '../../../cli/test/changed.ts';
import { SUITES } from '../../../cli/test/suites.ts';
import { forAll } from '../../../testing/property.ts';
import { folderPerTest } from '../../../testing/per-file.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const testsFor = (...files: string[]): readonly string[] => deepTestsFor(files).map((called) => called.part);

describe('deep tests of a change', () => {
  it('the longest entry that a path begins with decides', () => {
    expect(testsFor('api/costs/routes.ts')).toEqual(expect.arrayContaining(['integration/costs', 'e2e', 'pages']));
    expect(testsFor('api/metrics/routes.ts')).toEqual(['monitoring']);
  });

  it('documentation needs none', () => expect(testsFor('docs/fleet.md', 'README.md')).toEqual([]));

  it('a path that the table does not cover needs every suite', async () => {
    const all = SUITES.map((suite) => suite.name);
    expect(testsFor('package-lock.json')).toEqual(all);
    await forAll([fc.stringMatching(/^[a-z]{1,8}$/u)], (folder) => {
      fc.pre(!Object.keys(TESTS_BY_PATH).some((prefix) => `new-${folder}/x.ts`.startsWith(prefix)));
      expect(testsFor(`new-${folder}/x.ts`)).toEqual(all);
    });
  });

  it('another changed file never takes tests away', async () => {
    const file = fc.constantFrom(...Object.keys(TESTS_BY_PATH).map((prefix) => `${prefix}x`));
    await forAll([fc.array(file), file], (files, more) => {
      const after = testsFor(...files, more);
      const kept = (part: string): boolean => after.includes(part) || after.includes(part.split('/')[0] ?? part);
      expect(testsFor(...files).filter((part) => !kept(part))).toEqual([]);
    });
  });

  it('a changed test calls for its folder, and for its suite where the suite has none', () => {
    expect(testsFor('tests/unit/fleet/names.test.ts', 'tests/integration/gateway/support.ts')).toEqual([
      'unit/fleet',
      'integration/gateway',
    ]);
    expect(testsFor('tests/ollama/models/tiny.json')).toEqual(['ollama']);
  });

  it('a suite that is called for as a whole stands for its folders', () => {
    expect(testsFor('tests/unit/fleet/names.test.ts', 'domain/errors.ts')).toEqual(['unit']);
  });

  it('a change of the fleet asks the built-in reader nothing', () => {
    const called = testsFor('domain/fleet/pool/plan.ts', 'clouds/aws/provider.ts', 'workflows/fleet/pool/keeper.ts');
    expect(called).toContain('integration/gateway');
    expect(called.filter((part) => /^integration(?:$|\/reader)/u.test(part))).toEqual([]);
  });

  it('every folder that the table names has tests', () => {
    const parts = Object.values(TESTS_BY_PATH).flat();
    expect(parts.filter((part) => !existsSync(path.join(ROOT, 'tests', part)))).toEqual([]);
  });

  it('every folder of the checkout has an entry, and every entry has its file or folder', () => {
    const entries = Object.keys(TESTS_BY_PATH);
    const folders = readdirSync(ROOT, { withFileTypes: true })
      .filter(
        (entry) => entry.isDirectory() && !/^(?:\.git|\.deckhand|node_modules|generated|coverage)$/u.test(entry.name),
      )
      .map((entry) => `${entry.name}/`);
    expect(folders.filter((folder) => !entries.some((entry) => entry.startsWith(folder)))).toEqual([]);
    expect(entries.filter((entry) => !existsSync(path.join(ROOT, entry)))).toEqual([]);
  });
});

describe('where a change begins', () => {
  let repository: string;
  const git = (args: readonly string[], dateSec = 1_800_000_000): void => {
    const date = `${dateSec} +0000`;
    const identity = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
    const names = ['-c', 'user.name=t', '-c', 'user.email=t@localhost', '-c', 'commit.gpgsign=false'];
    execFileSync('git', [...names, ...args], {
      cwd: repository,
      stdio: 'ignore',
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', ...identity },
    });
  };
  const commit = (file: string, dateSec?: number): void => {
    writeFileSync(path.join(repository, file), `${file}\n`);
    git(['add', file], dateSec);
    git(['commit', '-m', file], dateSec);
  };
  beforeEach(() => {
    repository = folderPerTest();
    git(['init', '-b', 'main']);
  });

  it('without a remote it is the last commit that is half a day older than the newest', () => {
    commit('old', 1_800_130_000);
    commit('hours-ago', 1_800_140_000);
    commit('new', 1_800_180_000);
    expect(changedFiles(repository, findBase(repository, undefined))).toEqual(['hours-ago', 'new']);
  });

  it('a file in which only imports moved, or that is gone, does not count', () => {
    const hunk = (file: string, ...lines: string[]): string =>
      [`diff --git a/${file} b/${file}`, `--- a/${file}`, `+++ b/${file}`, '@@ -1 +1 @@', ...lines, ''].join('\n');
    const moved = hunk('a.ts', "-import { x } from './old.ts';", "+import { x } from './new.ts';");
    const changed = hunk('b.ts', "-import { x } from './old.ts';", '+const x = 1;');
    expect([...filesWithMovedImports(moved + changed)]).toEqual(['a.ts']);
    commit('first');
    commit('second');
    rmSync(path.join(repository, 'first'));
    expect(changedFiles(repository, findBase(repository, 'HEAD'))).toEqual([]);
  });

  it('a history shorter than half a day counts every file as changed', () => {
    commit('first');
    const base = findBase(repository, undefined);
    expect(base.commit).toBeUndefined();
    expect(changedFiles(repository, base)).toEqual(['first']);
  });

  it('a named commit is the base, and files that are not committed yet count', () => {
    commit('first');
    commit('second');
    writeFileSync(path.join(repository, 'third'), '');
    expect(changedFiles(repository, findBase(repository, 'HEAD~1'))).toEqual(['second', 'third']);
    expect(() => findBase(repository, 'no-such-commit')).toThrow();
  });
});
