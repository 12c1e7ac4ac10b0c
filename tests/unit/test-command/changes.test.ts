import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { changedFiles, findBase } from '../../../cli/test/changes.ts';
import { folderPerTest } from '../../../testing/per-file.ts';

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
  const commit = (file: string, dateSec?: number, text = `${file}\n`): void => {
    writeFileSync(path.join(repository, file), text);
    git(['add', file], dateSec);
    git(['commit', '-m', file], dateSec);
  };
  beforeEach(() => {
    repository = folderPerTest();
    git(['init', '-b', 'main']);
  });

  it('Without a remote a change begins at the last commit that is half a day older than the newest', () => {
    commit('old', 1_800_130_000);
    commit('hours-ago', 1_800_140_000);
    commit('new', 1_800_180_000);
    expect(changedFiles(repository, findBase(repository, undefined))).toEqual(['hours-ago', 'new']);
  });

  it('A file that is gone does not count', () => {
    commit('first');
    commit('second');
    rmSync(path.join(repository, 'first'));
    expect(changedFiles(repository, findBase(repository, 'HEAD'))).toEqual([]);
  });

  it('A source file counts when what it does changed, not when its imports, comments or formatting did', () => {
    const source = (from: string, sum: string): string => `import { x } from '${from}';\nexport const y = ${sum};\n`;
    commit('a.ts', undefined, source('./old.ts', 'x + 1'));
    commit('b.ts', undefined, source('./old.ts', 'x + 1'));
    writeFileSync(path.join(repository, 'a.ts'), `// Moved.\n${source('./new.ts', 'x   +   1')}`);
    writeFileSync(path.join(repository, 'b.ts'), source('./old.ts', 'x + 2'));
    expect(changedFiles(repository, findBase(repository, 'HEAD'))).toEqual(['b.ts']);
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
