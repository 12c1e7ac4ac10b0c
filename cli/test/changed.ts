/**
 * Which deep suites a change calls for: a table from folders to suites, and where a change begins.
 */
import { execFileSync } from 'node:child_process';
import { type SuiteName, SUITES } from './suites.ts';

const ALL: readonly SuiteName[] = SUITES.map((suite) => suite.name);
/**
 * Without unit, whose deep part is longer properties of domain/, and without integration, whose deep part is the gateway, the runtime,
 * encryption, versions, scheduled reports, what the built-in reader makes of many decks, and decks that try to steer a review.
 */
const PIPELINE: readonly SuiteName[] = ['e2e', 'chaos'];
const FLEET: readonly SuiteName[] = ['unit', 'integration', 'fleet', 'chaos'];
const NONE: readonly SuiteName[] = [];

/**
 * Deep suites by path: the longest entry that a changed file's path begins with decides. A path that no entry covers needs every suite, so a
 * new folder is never left out by mistake.
 */
export const SUITES_BY_PATH: Readonly<Record<string, readonly SuiteName[]>> = {
  'activities/': ALL,
  'activities/alerts/': ['e2e', 'monitoring'],
  'activities/companies/': ['integration', 'e2e', 'pages'],
  'activities/convert/': ['integration', 'e2e'],
  'activities/costs/': ['integration', 'fleet'],
  'activities/decks/': PIPELINE,
  'activities/deletion/': PIPELINE,
  'activities/fleet/': [...FLEET, 'ssh'],
  'activities/gateway/': [...FLEET, 'ssh', 'ollama'],
  'activities/gateway/pool-startup-script.ts': [...FLEET, 'ssh'],
  'activities/health/': [...FLEET, 'ssh'],
  'activities/metrics/': ['integration', 'monitoring'],
  'activities/models/': ['integration', ...PIPELINE, 'ollama'],
  'activities/webhooks/': ['e2e'],
  'api/': ['integration', 'e2e', 'pages'],
  // What the process is made of: the pages of the fast tier need all of it.
  'api/deps.ts': ['integration', 'e2e'],
  'api/main.ts': ['integration', 'e2e'],
  // No page of the workspace shows the fleet or its health.
  'api/fleet/': ['integration', 'e2e'],
  'api/health/': ['integration', 'e2e'],
  'api/metrics/': ['integration', 'monitoring'],
  'bench/': NONE,
  'cli/': ['integration', 'e2e'],
  'cli/doctor/': ['integration', 'ssh'],
  'cli/test/': NONE,
  'clouds/': ['unit', 'integration', 'fleet', 'conformance'],
  'contracts/': ['integration', 'e2e', 'fleet', 'chaos'],
  'docs/': NONE,
  'domain/': ['unit'],
  'domain/companies/': ['unit', 'integration', 'e2e', 'pages'],
  'domain/costs/': ['unit', 'integration', 'fleet'],
  'domain/drop-folder/': ['unit', 'integration', 'e2e'],
  'domain/evaluation/': ['unit', 'integration', 'e2e'],
  'domain/evidence/': ['unit', 'integration'],
  'domain/fleet/': FLEET,
  'domain/fleet/setup/': ['unit', 'ssh', 'compose'],
  'domain/fleet/startup-script/': [...FLEET, 'ssh', 'compose'],
  'domain/health/': FLEET,
  'domain/metrics/': ['unit', 'monitoring'],
  'domain/pages/': ['unit', 'integration'],
  'drop-folder/': ['integration', 'e2e', 'chaos'],
  'images/': ['compose'],
  'monitoring/': ['monitoring'],
  'platform/': ALL,
  'platform/config.ts': ['integration', 'e2e', 'fleet', 'chaos', 'compose'],
  'platform/evaluation-files.ts': ['e2e'],
  'platform/runtime-info.ts': ['integration', 'e2e', 'chaos'],
  'prisma/': ['integration', 'e2e', 'fleet', 'chaos', 'monitoring'],
  'prisma/seed/': ['integration', 'monitoring'],
  'prisma/seed/prompts.ts': ['integration', 'e2e', 'ollama'],
  'reader/': ['unit', 'integration', 'e2e'],
  'runtime/': ['integration', 'e2e', 'chaos', 'compose'],
  'samples/': ['unit', 'integration', 'e2e'],
  'simulators/clouds/': ['unit', 'integration', 'fleet', 'conformance'],
  'simulators/machine/': ['fleet', 'ssh'],
  'simulators/ollama/': ['unit', 'integration', 'e2e', 'ollama'],
  'tests/chaos/': ['chaos'],
  'tests/compose/': ['compose'],
  'tests/conformance/': ['conformance'],
  'tests/e2e/': ['e2e'],
  'tests/fixtures/': ['unit', 'integration'],
  'tests/fleet/': ['fleet'],
  'tests/histories/': NONE,
  'tests/integration/': ['integration'],
  'tests/monitoring/': ['monitoring'],
  'tests/ollama/': ['ollama'],
  'tests/pages/': ['pages'],
  'tests/ssh/': ['ssh'],
  'testing/': ['unit', 'integration', 'e2e', 'fleet'],
  'testing/browser.ts': ['pages'],
  'testing/dockerfile.ts': ['ssh', 'compose'],
  'testing/moto/': ['conformance'],
  'testing/provider-contract/': ['unit', 'conformance'],
  'testing/python-packages.ts': ['conformance'],
  'tests/unit/': ['unit'],
  'web/': ['pages'],
  'web/vite.config.ts': ['pages', 'compose'],
  'workers/': ALL,
  'workers/control': ['integration', 'e2e', 'fleet', 'chaos'],
  'workers/gateway.ts': ['integration', 'e2e', 'fleet', 'chaos', 'ssh'],
  'workflows/': ['integration', 'e2e', 'fleet', 'chaos'],
  '.ci/': NONE,
  '.dockerignore': ['compose'],
  '.env.example': NONE,
  '.gitignore': NONE,
  '.oxfmtrc.json': NONE,
  '.oxlintrc.json': NONE,
  Dockerfile: ['compose'],
  LICENSE: NONE,
  'README.md': NONE,
  'ARCHITECTURE.md': NONE,
  'CONTRIBUTING.md': NONE,
  'docker-compose.yml': ['compose'],
  'fleet.example.json': NONE,
  'knip.json': NONE,
};

/** A deep suite and the first changed file that calls for it. */
export interface CalledSuite {
  readonly suite: SuiteName;
  readonly because: string;
}

/** The deep suites that these changed files call for, in the order of the suites. */
export function deepSuitesFor(changedFiles: readonly string[]): readonly CalledSuite[] {
  return SUITES.flatMap(({ name: suite }) => {
    const because = changedFiles.find((file) => suitesOf(file).includes(suite));
    return because === undefined ? [] : [{ suite, because }];
  });
}

function suitesOf(file: string): readonly SuiteName[] {
  const entries = Object.entries(SUITES_BY_PATH).filter(([prefix]) => file.startsWith(prefix));
  const longest = entries.toSorted(([a], [b]) => b.length - a.length)[0];
  return longest?.[1] ?? ALL;
}

/** Where a change begins. */
export interface ChangeBase {
  /** Commit; undefined where the history does not reach back far enough, so everything counts as changed. */
  readonly commit: string | undefined;
  readonly why: string;
}

/** Without a base: commits of this time before the newest one count as the change. */
const RECENT_HOURS = 24;

/**
 * Finds where the change in this checkout begins: the commit that was named, the branch point from origin's main branch, or the last commit
 * that is a day older than the newest.
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
 * Files that differ between the base and the working tree. A file that is gone, or in which nothing but the places of imports changed, calls for
 * nothing by itself: what it imports, or what imported it, changed as well.
 */
export function changedFiles(root: string, base: ChangeBase): readonly string[] {
  const untracked = linesOf(gitText(root, ['ls-files', '--others', '--exclude-standard']));
  if (base.commit === undefined) return [...linesOf(gitText(root, ['ls-files'])), ...untracked];
  const diff = ['diff', '--no-renames', '--diff-filter=d', '--no-color', '--no-ext-diff'];
  const tracked = linesOf(gitText(root, [...diff, '--name-only', base.commit]));
  const moved = filesWithMovedImports(gitText(root, [...diff, '--unified=0', base.commit]));
  return [...tracked.filter((file) => !moved.has(file)), ...untracked];
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

const IMPORT_LINE = /^[+-]import .* from '[^']+';$/u;

/** Files of a diff without context in which every changed line is an import of one line. */
export function filesWithMovedImports(diff: string): ReadonlySet<string> {
  const files = diff.split(/^diff --git /mu).slice(1);
  return new Set(
    files.flatMap((text) => {
      const file = /^\+\+\+ b\/(.+)$/mu.exec(text)?.[1];
      const lines = text.split('\n');
      const changed = lines.filter((line) => /^[+-]/u.test(line) && !/^(?:\+\+\+|---) /u.test(line));
      return file !== undefined && changed.length > 0 && changed.every((line) => IMPORT_LINE.test(line)) ? [file] : [];
    }),
  );
}

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
