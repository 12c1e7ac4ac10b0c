/** Version of the sources that a review depends on, so that a deck is reviewed again after any of them changed. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { CodeVersion } from '../../domain/evaluation/provenance.ts';

/** Rooms and files that decide what a review says. */
const SOURCES = [
  'activities',
  'contracts',
  'domain',
  'package-lock.json',
  'platform',
  'prisma',
  'reader',
  'simulators/ollama',
  'workers',
  'workflows',
];
/** Areas of these rooms that do not: everything but decks, pages and models. A new area counts until it stands here. */
const OTHER_AREAS = new Set([
  'alerts',
  'costs',
  'deletion',
  'drop-folder',
  'evaluation',
  'evaluation-files.ts',
  'fleet',
  'gateway',
  'health',
  'metrics',
  'temporal-ui',
  'webhooks',
]);

/** The version of a checkout. */
export function codeVersionOf(root: string): CodeVersion {
  const hash = createHash('sha256');
  for (const source of SOURCES) {
    for (const file of filesBelow(root, source)) {
      hash.update(`${file}\0`);
      hash.update(readFileSync(path.join(root, file)));
      hash.update('\0');
    }
  }
  return { hash: hash.digest('hex'), commit: commitOf(root) };
}

function filesBelow(root: string, source: string): string[] {
  if (source.endsWith('.json')) return [source];
  const isOther = (file: string): boolean => file.split(path.sep).some((part) => OTHER_AREAS.has(part));
  return readdirSync(path.join(root, source), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .filter((file) => !isOther(file))
    .toSorted();
}

function commitOf(root: string): string | null {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    const isChanged = git('status', '--porcelain', '--untracked-files=no') !== '';
    return `${git('rev-parse', '--short=10', 'HEAD')}${isChanged ? '+' : ''}`;
  } catch {
    // An unpacked archive has no history; the hash names its code.
    return null;
  }
}
