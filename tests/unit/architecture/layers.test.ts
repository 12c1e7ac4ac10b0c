/**
 * The rule on imports between rooms, checked over every import of every source file. This is its only home: no lint rule repeats it.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { PREPARATION, SERVICES } from '../../../runtime/services.ts';

const root = path.resolve(import.meta.dirname, '../../..');
/** From the ground up: a room imports itself and rooms before it. */
const ROOMS = [
  'domain',
  'samples',
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
  // In the browser; what it may import is a rule of its own.
  'web',
];

function sources(room: string): string[] {
  return readdirSync(path.join(root, room), { recursive: true, encoding: 'utf8' })
    .filter((f) => /\.tsx?$/u.test(f))
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

/** Groups of files that import each other in a circle (Tarjan's strongly connected components), each in alphabetical order. */
function circlesOf(imports: readonly Import[]): string[][] {
  const targets = new Map<string, string[]>();
  for (const { file, target } of imports) targets.set(file, [...(targets.get(file) ?? []), target]);
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const visit = (file: string): number => {
    const number = order.size;
    order.set(file, number);
    lowest.set(file, number);
    stack.push(file);
    for (const target of targets.get(file) ?? []) {
      if (!targets.has(target)) continue;
      const reached = order.has(target)
        ? stack.includes(target)
          ? (order.get(target) ?? number)
          : number
        : visit(target);
      lowest.set(file, Math.min(lowest.get(file) ?? number, reached));
    }
    if (lowest.get(file) === number) {
      const group = stack.splice(stack.indexOf(file));
      if (group.length > 1) circles.push(group.toSorted());
    }
    return lowest.get(file) ?? number;
  };
  for (const file of targets.keys()) if (!order.has(file)) visit(file);
  return circles;
}

describe('rooms of the house', () => {
  it('finds imports to check', () => {
    expect(importsIn('domain').length).toBeGreaterThan(10);
    expect(importsIn('workflows').some((i) => i.target.startsWith('domain/'))).toBe(true);
  });

  it('finds circles of two and more files', () => {
    const edge = (file: string, target: string): Import => ({ file, target, typeOnly: true });
    const list = [edge('a', 'b'), edge('b', 'c'), edge('c', 'b'), edge('c', 'd'), edge('d', 'e'), edge('e', 'd')];
    expect(circlesOf(list)).toEqual([
      ['d', 'e'],
      ['b', 'c'],
    ]);
    expect(circlesOf([edge('a', 'b'), edge('b', 'c'), edge('a', 'c')])).toEqual([]);
  });

  it('domain/ imports itself and pure libraries only: checks, exact decimals, time zones, XML, languages, IP addresses', () => {
    const libraries = ['zod', 'decimal.js', 'luxon', 'fast-xml-parser', 'eld/extrasmall', 'ipaddr.js'];
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

  it('web/ imports domain/, itself, types of the API with its typed calls, and libraries for browsers', () => {
    const calls = 'api/client/calls.ts';
    expect(show(importsOf(calls).filter(({ target, typeOnly }) => target !== 'openapi-fetch' && !typeOnly))).toEqual(
      [],
    );
    const wrong = importsIn('web').filter((i) => {
      const room = roomOf(i.target);
      const isNode = i.target.startsWith('node:') && i.file !== 'web/vite.config.ts';
      const isPackage = room === undefined && !i.target.startsWith('..') && !isNode;
      return !(
        isPackage ||
        room === 'domain' ||
        room === 'web' ||
        (room === 'api' && (i.typeOnly || i.target === calls))
      );
    });
    expect(show(wrong)).toEqual([]);
  });

  it('what the pages of web/ share imports none of them, but for the address of the list', () => {
    const page = /^web\/(?:calibration|companies|compare|decks|portfolio|review)\//u;
    const wrong = importsIn('web').filter(
      ({ file, target }) => /^web\/[a-z]+\//u.test(file) && !page.test(file) && page.test(target),
    );
    expect(show(wrong.filter(({ target }) => target !== 'web/decks/search.ts'))).toEqual([]);
  });

  it('no room of the image imports a room that the image leaves out, but for benchmarks, which run in a checkout', () => {
    const lines = readFileSync(path.join(root, '.dockerignore'), 'utf8').split('\n');
    const [inside, outside] = [true, false].map((held) => ROOMS.filter((room) => lines.includes(`!${room}`) === held));
    expect(outside).toEqual(['samples']);
    const wrong = (inside ?? [])
      .filter((room) => room !== 'bench')
      .flatMap(importsIn)
      .filter((i) => outside?.includes(roomOf(i.target) ?? ''));
    expect(show(wrong)).toEqual([]);
  });

  it('no files import each other in a circle, not even by type', () => {
    expect(circlesOf(ROOMS.flatMap(importsIn))).toEqual([]);
  });

  it('every script that the runtime starts exists, in a room at or below runtime/', () => {
    const scripts = [...SERVICES, ...PREPARATION].map(({ script }) => script);
    const allowed = ROOMS.slice(0, ROOMS.indexOf('runtime') + 1);
    expect(scripts.length).toBeGreaterThan(5);
    expect(scripts.filter((script) => !existsSync(path.join(root, script)))).toEqual([]);
    expect(scripts.filter((script) => !allowed.includes(roomOf(script) ?? ''))).toEqual([]);
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

  it('only what shows prices to people reads the price snapshot: nothing is bought or booked by it', () => {
    const readers = ROOMS.flatMap(importsIn)
      .filter((i) => i.target.startsWith('clouds/prices/') && !i.file.startsWith('clouds/prices/'))
      .map((i) => i.file)
      .filter((file) => !file.startsWith('cli/maintenance/'));
    expect(new Set(readers)).toEqual(new Set(['cli/fleet/prices.ts']));
  });

  it.each(['ollama', 'openai'])(
    'only its adapter knows the protocol of %s, what opens it, and the benchmark that compares with it; all others ask through the port',
    (kind) => {
      const adapter = `activities/models/client/${kind}/`;
      const knowing = ROOMS.filter((room) => room !== 'bench')
        .flatMap(importsIn)
        .filter(({ file, target }) => !file.startsWith(adapter) && (target === kind || target.startsWith(adapter)));
      expect(show(knowing)).toEqual([
        `activities/models/client/open.ts imports activities/models/client/${kind}/server.ts`,
      ]);
    },
  );

  it('process.env is read in the configuration alone', () => {
    const readers = ROOMS.flatMap(sources).filter((f) =>
      /\bprocess\.env\b/u.test(readFileSync(path.join(root, f), 'utf8')),
    );
    expect(readers).toEqual(['platform/config.ts']);
  });
});
