/** Finds the change in this checkout: where it begins, and the files that do something else since. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { meaningOf } from './source-text.ts';

/** Where a change begins. */
export interface ChangeBase {
  /** Commit; undefined where the history does not reach back far enough, so everything counts as changed. */
  readonly commit: string | undefined;
  readonly why: string;
}

/** Without a base: commits of this time before the newest one count as the change. */
const RECENT_HOURS = 12;

/**
 * Finds where the change in this checkout begins: the commit that was named, the branch point from origin's main branch, or the last commit
 * that is half a day older than the newest.
 *
 * @throws Error when `named` is no commit of this repository
 */
export function findBase(root: string, named: string | undefined): ChangeBase {
  const git = (...args: string[]): string => gitText(root, args);
  if (named !== undefined) return { commit: git('rev-parse', '--verify', `${named}^{commit}`), why: `since ${named}` };
  const head = git('rev-parse', 'HEAD');
  const branchPoint = tryGit(root, ['merge-base', 'HEAD', 'origin/HEAD']);
  if (branchPoint !== undefined && branchPoint !== head) return { commit: branchPoint, why: 'since origin/HEAD' };
  const headSec = Number(git('log', '-1', '--format=%ct'));
  const before = git('rev-list', '-1', `--before=${headSec - RECENT_HOURS * 3600}`, 'HEAD');
  if (before === '') return { commit: undefined, why: 'the history is too short to compare with' };
  return { commit: before, why: `commits of the last ${RECENT_HOURS} hours` };
}

/**
 * Files that differ between the base and the working tree. A file that is gone calls for nothing: what imported it changed as well. Nor does a
 * TypeScript file in which nothing but imports, comments, types or formatting changed.
 */
export function changedFiles(root: string, base: ChangeBase): readonly string[] {
  const { commit } = base;
  const untracked = linesOf(gitText(root, ['ls-files', '--others', '--exclude-standard']));
  if (commit === undefined) return [...linesOf(gitText(root, ['ls-files'])), ...untracked];
  const diff = ['diff', '--no-renames', '--no-color', '--no-ext-diff', '--name-only'];
  const added = linesOf(gitText(root, [...diff, '--diff-filter=A', commit]));
  const modified = linesOf(gitText(root, [...diff, '--diff-filter=ad', commit]));
  const changed = modified.filter((file) => !isSameInMeaning(root, commit, file));
  return [...added, ...changed, ...untracked].toSorted();
}

function isSameInMeaning(root: string, commit: string, file: string): boolean {
  if (!/\.tsx?$/u.test(file)) return false;
  const before = gitText(root, ['show', `${commit}:${file}`]);
  return meaningOf(file, before) === meaningOf(file, readFileSync(path.join(root, file), 'utf8'));
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

/** The commit that is checked out. */
export const headOf = (root: string): string => gitText(root, ['rev-parse', 'HEAD']);

function gitText(root: string, args: readonly string[]): string {
  return execFileSync('git', [...args], { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }).trim();
}

function tryGit(root: string, args: readonly string[]): string | undefined {
  try {
    return execFileSync('git', [...args], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    // There is no such ref, for example in a clone without a remote.
    return undefined;
  }
}
