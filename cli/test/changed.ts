/**
 * Which deep suites a change calls for: a table from folders to suites, and where a change begins.
 */
import { execFileSync } from 'node:child_process';
import { SUITES, type TestPart } from './suites.ts';

const ALL: readonly TestPart[] = SUITES.map((suite) => suite.name);
/**
 * Without unit, whose deep part is longer properties of domain/, and without integration, whose deep part is the gateway, the runtime,
 * encryption, versions, scheduled reports, what the built-in reader makes of many decks, and decks that try to steer a review.
 */
const PIPELINE: readonly TestPart[] = ['e2e', 'chaos'];
/** Properties of decisions about machines and money. */
const FLEET_PROPERTIES: readonly TestPart[] = [
  'unit/clouds',
  'unit/costs',
  'unit/fleet',
  'unit/health',
  'unit/simulators',
];
/** Of integration all but what the built-in reader makes of many decks. */
const PROCESSES: readonly TestPart[] = [
  'integration/costs',
  'integration/encryption',
  'integration/gateway',
  'integration/runtime',
  'integration/versions',
];
const FLEET: readonly TestPart[] = [
  ...FLEET_PROPERTIES,
  'integration/costs',
  'integration/gateway',
  'integration/versions',
  'fleet',
  'chaos',
];
const CLOUDS: readonly TestPart[] = [...FLEET_PROPERTIES, 'integration/gateway', 'fleet', 'conformance'];
const NONE: readonly TestPart[] = [];

/**
 * Deep tests by path, as suites or folders of suites: the longest entry that a changed file's path begins with decides. A path that no entry
 * covers needs every suite, so a new folder is never left out by mistake.
 */
export const TESTS_BY_PATH: Readonly<Record<string, readonly TestPart[]>> = {
  'activities/': ALL,
  'activities/alerts/': ['e2e', 'monitoring'],
  'activities/companies/': ['integration', 'e2e', 'pages'],
  'activities/convert/': ['integration', 'e2e'],
  'activities/costs/': ['integration/costs', 'fleet'],
  'activities/decks/': PIPELINE,
  'activities/deletion/': PIPELINE,
  'activities/fleet/': [...FLEET, 'ssh'],
  'activities/gateway/': [...FLEET, 'ssh', 'ollama'],
  'activities/gateway/pool-startup-script.ts': [...FLEET, 'ssh'],
  'activities/health/': [...FLEET, 'ssh'],
  'activities/metrics/': ['monitoring'],
  'activities/models/': ['integration', ...PIPELINE, 'ollama'],
  'activities/models/host/': ['integration/gateway', ...PIPELINE, 'ollama'],
  'activities/webhooks/': ['e2e'],
  'api/': [...PROCESSES, 'e2e', 'pages'],
  'api/compat/': ['integration/gateway', 'e2e'],
  'api/rollouts/': ['fleet'],
  // What the process is made of: the pages of the fast tier need all of it.
  'api/deps.ts': ['integration/encryption', 'integration/runtime', 'e2e'],
  'api/main.ts': ['integration/encryption', 'integration/runtime', 'e2e'],
  // No page of the workspace shows the fleet or its health, and no deck needs these routes.
  'api/fleet/': ['integration/gateway', 'fleet'],
  'api/health/': ['integration/gateway', 'fleet'],
  'api/metrics/': ['monitoring'],
  'bench/': NONE,
  'cli/': ['integration/runtime', 'e2e'],
  'cli/doctor/': ['integration/runtime', 'ssh'],
  'cli/fleet/': ['fleet'],
  'cli/test/': NONE,
  'clouds/': CLOUDS,
  'contracts/': [...PROCESSES, 'e2e', 'fleet', 'chaos'],
  'docs/': NONE,
  'domain/': ['unit'],
  'domain/companies/': ['unit', 'integration', 'e2e', 'pages'],
  'domain/decks/': ['unit/api', 'unit/decks', 'unit/web'],
  'domain/costs/': ['unit/costs', 'unit/fleet', 'integration/costs', 'fleet'],
  'domain/drop-folder/': ['unit', 'integration', 'e2e'],
  'domain/evaluation/': ['unit', 'integration', 'e2e'],
  'domain/evidence/': ['unit', 'integration'],
  'domain/fleet/': FLEET,
  'domain/fleet/setup/': ['unit/fleet', 'ssh', 'compose'],
  'domain/fleet/startup-script/': [...FLEET, 'ssh', 'compose'],
  'domain/health/': FLEET,
  'domain/metrics/': ['unit/metrics', 'monitoring'],
  'domain/rollouts/': ['unit/rollouts'],
  'domain/pages/': ['unit', 'integration'],
  'domain/text/': ['unit/cli', 'unit/costs', 'unit/decks', 'unit/fleet'],
  'drop-folder/': ['integration', 'e2e', 'chaos'],
  'images/': ['compose'],
  'monitoring/': ['monitoring'],
  'platform/': ALL,
  'platform/config.ts': [...PROCESSES, 'e2e', 'fleet', 'chaos', 'compose'],
  'platform/evaluation-files.ts': ['e2e'],
  'platform/runtime-info.ts': [...PROCESSES, 'e2e', 'chaos'],
  'prisma/': [...PROCESSES, 'e2e', 'fleet', 'chaos', 'monitoring'],
  'prisma/seed/': ['integration', 'monitoring'],
  'prisma/seed/alert-rules.ts': ['monitoring'],
  'prisma/seed/model-configurations.ts': [...PROCESSES, 'monitoring'],
  'prisma/seed/prompts.ts': ['integration', 'e2e', 'ollama'],
  'reader/': ['unit', 'integration', 'e2e'],
  'runtime/': [...PROCESSES, 'e2e', 'chaos', 'compose'],
  'samples/': ['unit', 'integration', 'e2e'],
  'simulators/clouds/': CLOUDS,
  'simulators/machine/': ['fleet', 'ssh'],
  'simulators/ollama/': ['unit', 'integration', 'e2e', 'ollama'],
  'tests/README.md': NONE,
  'tests/SCENARIOS.md': NONE,
  // Every tier tries them, whatever its length.
  'tests/kept-failures.json': NONE,
  'tests/fixtures/': ['unit', 'integration'],
  'tests/histories/': NONE,
  'testing/': ['unit', 'integration', 'e2e', 'fleet'],
  'testing/aws-client.ts': ['unit/clouds', 'unit/simulators'],
  'testing/browser.ts': ['pages'],
  'testing/budget/': ['unit/costs', 'fleet'],
  'testing/costs/': ['unit/costs', 'integration/costs'],
  'testing/dockerfile.ts': ['ssh', 'compose'],
  'testing/fleet/': ['unit/fleet', 'fleet'],
  'testing/fleet-rig.ts': ['fleet'],
  'testing/instance-settings.ts': ['unit/fleet'],
  'testing/libcloud-recordings.ts': ['conformance'],
  'testing/keyed-server.ts': ['fleet'],
  'testing/moto/': ['conformance'],
  'testing/provider-contract/': ['unit/clouds', 'conformance'],
  // Every property of the fast tier needs them.
  'testing/property.ts': ['unit/support'],
  'testing/tier.ts': ['unit/support'],
  'testing/python-packages.ts': ['conformance'],
  'testing/simulator-process.ts': ['integration/gateway', 'fleet'],
  'testing/simulated-provider.ts': ['unit/fleet', 'integration/gateway', 'fleet'],
  'web/': ['pages'],
  'web/vite.config.ts': ['pages', 'compose'],
  // The fast tier runs by it.
  'vitest.config.ts': NONE,
  'workers/': ALL,
  'workers/control': [...PROCESSES, 'e2e', 'fleet', 'chaos'],
  'workers/gateway': ['integration/gateway', 'integration/versions', 'e2e', 'fleet', 'chaos', 'ssh'],
  'workflows/': [...PROCESSES, 'e2e', 'fleet', 'chaos'],
  'workflows/fleet/': ['integration/gateway', 'integration/versions', 'fleet', 'chaos'],
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

/** Deep tests and the first changed file that calls for them. */
export interface CalledPart {
  readonly part: TestPart;
  readonly because: string;
}

/** The deep tests that these changed files call for, in the order of the suites; no folder of a suite that is called for as a whole. */
export function deepTestsFor(changed: readonly string[]): readonly CalledPart[] {
  const called = new Map<TestPart, string>();
  for (const because of changed) for (const part of testsOf(because)) if (!called.has(part)) called.set(part, because);
  return SUITES.flatMap(({ name }) => {
    const whole = called.get(name);
    if (whole !== undefined) return [{ part: name, because: whole }];
    const parts = [...called].filter(([part]) => part.startsWith(`${name}/`));
    return parts.map(([part, because]) => ({ part, because })).toSorted((a, b) => (a.part < b.part ? -1 : 1));
  });
}

/** The two suites with a folder per area; other folders hold what the tests of a suite share. */
const FOLDER_OF_TEST = /^tests\/(?<suite>unit|integration)\/(?<folder>[^/]+)\//u;

function testsOf(file: string): readonly TestPart[] {
  const { suite, folder } = FOLDER_OF_TEST.exec(file)?.groups ?? {};
  if (suite !== undefined) return [`${suite}/${folder}` as TestPart];
  const ownSuite = ALL.find((name) => file.startsWith(`tests/${name}/`));
  if (ownSuite !== undefined) return [ownSuite];
  const entries = Object.entries(TESTS_BY_PATH).filter(([prefix]) => file.startsWith(prefix));
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
