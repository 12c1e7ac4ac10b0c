/**
 * The house rules on who may import whom: checked over every import of every source file.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../../..');
/** From the ground up: a room imports itself and rooms before it. */
const ROOMS = [
  'domain',
  'contracts',
  'platform',
  'prisma',
  'reader',
  'clouds',
  'activities',
  'workflows',
  'workers',
  'api',
  'simulators',
  'drop-folder',
  'runtime',
  'bench',
  'cli',
];

/** Sources of a room; a room that is still to be built has none. */
function sources(room: string): string[] {
  if (!existsSync(path.join(root, room))) return [];
  return readdirSync(path.join(root, room), { recursive: true, encoding: 'utf8' })
    .filter((f) => f.endsWith('.ts'))
    .map((f) => path.join(room, f));
}

interface Import {
  file: string;
  target: string;
  typeOnly: boolean;
}

function importsOf(file: string): Import[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  const found = text.matchAll(
    /^\s*(?:import|export)\s+(type\s)?[^'"`;]*?\bfrom\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)|^import\s+['"]([^'"]+)['"]/gmu,
  );
  return [...found].map((m) => {
    const spec = m[2] ?? m[3] ?? m[4] ?? '';
    const target = spec.startsWith('.') ? path.relative(root, path.resolve(root, path.dirname(file), spec)) : spec;
    return { file, target, typeOnly: m[1] !== undefined };
  });
}

const importsIn = (room: string): Import[] => sources(room).flatMap(importsOf);
const roomOf = (target: string): string | undefined =>
  ROOMS.find((r) => target.startsWith(`${r}/`)) ?? (target.startsWith('generated/') ? 'generated' : undefined);
const show = (list: Import[]): string[] => list.map((i) => `${i.file} imports ${i.target}`);

describe('rooms of the house', () => {
  it('finds imports to check', () => {
    expect(importsIn('domain').length).toBeGreaterThan(10);
    expect(importsIn('workflows').some((i) => i.target.startsWith('domain/'))).toBe(true);
  });

  it('domain/ imports itself and pure libraries only: checks, exact decimals, time zones, XML', () => {
    const libraries = ['zod', 'decimal.js', 'luxon', 'fast-xml-parser'];
    const wrong = importsIn('domain').filter((i) => !libraries.includes(i.target) && roomOf(i.target) !== 'domain');
    expect(show(wrong)).toEqual([]);
  });

  it('no import runs upward', () => {
    const upward = ROOMS.flatMap(importsIn).filter((i) => {
      const above = ROOMS.slice(ROOMS.indexOf(roomOf(i.file) ?? '') + 1);
      return above.includes(roomOf(i.target) ?? '');
    });
    expect(show(upward)).toEqual([]);
  });

  it('workflows/ import domain/, contracts/, themselves and types of activities only', () => {
    const wrong = importsIn('workflows').filter((i) => {
      const room = roomOf(i.target);
      if (
        room === 'domain' ||
        room === 'contracts' ||
        room === 'workflows' ||
        i.target.startsWith('@temporalio/workflow') ||
        i.target.startsWith('@temporalio/common')
      )
        return false;
      return !(room === 'activities' && i.typeOnly);
    });
    expect(show(wrong)).toEqual([]);
  });

  it('only activities/ and api/ query the database; platform/, workers/ and prisma/ open, pass and migrate it', () => {
    const wrong = ['workflows', 'clouds', 'simulators', 'cli', 'domain']
      .flatMap(importsIn)
      .filter(
        (i) => roomOf(i.target) === 'generated' || i.target === '@prisma/client' || i.target === 'platform/db.ts',
      );
    expect(show(wrong)).toEqual([]);
  });

  it('only activities/ know Ollama, and the benchmark that compares with it', () => {
    const wrong = ROOMS.filter((r) => r !== 'activities' && r !== 'bench')
      .flatMap(importsIn)
      .filter((i) => i.target === 'ollama' || i.target.startsWith('activities/models/client'));
    expect(
      show(wrong.filter((i) => !i.file.startsWith('cli/commands/doctor') && !i.file.startsWith('workers/'))),
    ).toEqual([]);
  });

  it('process.env is read in the configuration alone', () => {
    const readers = ROOMS.flatMap(sources).filter((f) =>
      /\bprocess\.env\b/u.test(readFileSync(path.join(root, f), 'utf8')),
    );
    expect(readers).toEqual(['platform/config.ts']);
  });
});
