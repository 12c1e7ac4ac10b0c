import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../../..');
/** `room/…` in backticks; a part in <> stands for a name that the reader chooses. */
const PATH = /`((?:\.?[a-z][\w.-]*\/)+[\w.-]*)`/gu;

describe.each(['ARCHITECTURE.md', 'CONTRIBUTING.md'])('%s', (name) => {
  const text = readFileSync(path.join(ROOT, name), 'utf8');

  it('names files and folders that exist', () => {
    const named = [...text.matchAll(PATH)].map((match) => match[1] ?? '');
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
  });

  it('has lines of at most 150 characters outside tables', () => {
    const long = text.split('\n').filter((line) => line.length > 150 && !line.startsWith('|'));
    expect(long).toEqual([]);
  });
});
