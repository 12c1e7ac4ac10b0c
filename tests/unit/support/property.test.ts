import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import { assertProperty, forAll } from '../../../testing/property.ts';
import { folderPerTest } from '../../../testing/per-file.ts';

let directory: string;
let keptFile: string;
beforeEach(() => {
  directory = folderPerTest();
  keptFile = path.join(directory, 'kept.json');
  writeFileSync(keptFile, '{}');
});

it('a failing property keeps its seed, and the next run tries that case first', () => {
  const below = fc.property(fc.integer({ min: 0, max: 1_000 }), (n) => n < 700);
  expect(() => assertProperty(below, { seed: 1, keptFile })).toThrow(/Counterexample: \[700\]/u);
  expect(Object.values(JSON.parse(readFileSync(keptFile, 'utf8')) as object).flat()).toHaveLength(1);

  const tried: number[] = [];
  const watch = fc.property(fc.integer({ min: 0, max: 1_000 }), (n) => void tried.push(n));
  assertProperty(watch, { seed: 2, keptFile });
  expect(tried[0]).toBe(700);
});

it('an asynchronous property fails with its counterexample', async () => {
  const never = fc.asyncProperty(fc.boolean(), () => Promise.resolve(false));
  await expect(assertProperty(never, { keptFile })).rejects.toThrow(/Counterexample/u);
});

it('a case that is kept twice is written once', () => {
  const never = fc.property(fc.constant(1), () => false);
  for (let run = 0; run < 3; run += 1) expect(() => assertProperty(never, { seed: 3, keptFile })).toThrow();
  expect(Object.values(JSON.parse(readFileSync(keptFile, 'utf8')) as object).flat()).toHaveLength(1);
});

it('a failure beside examples is found again', () => {
  const seen: number[] = [];
  const below = fc.property(fc.integer({ min: 0, max: 1_000 }), (n) => {
    seen.push(n);
    return n < 700;
  });
  const options = { seed: 1, keptFile, examples: [[1], [2]] as [number][] };
  expect(() => assertProperty(below, options)).toThrow(/Counterexample: \[700\]/u);
  seen.length = 0;
  expect(() => assertProperty(below, options)).toThrow(/Counterexample: \[700\]/u);
  expect(seen).toEqual([700]);
});

it('an example that fails is not kept: it runs every time', () => {
  const below = fc.property(fc.integer({ min: 0, max: 10 }), (n) => n < 700);
  expect(() => assertProperty(below, { keptFile, examples: [[900]] })).toThrow(/Counterexample/u);
  expect(readFileSync(keptFile, 'utf8')).toBe('{}');
});

it('a kept path that a changed generator does not know any more is tried from its beginning', async () => {
  const small = fc.property(fc.integer({ min: 0, max: 1_000 }), (n) => n < 700);
  expect(() => assertProperty(small, { seed: 1, keptFile })).toThrow(/Counterexample/u);
  const tried: number[] = [];
  await forAll([fc.constant(5)], { runs: 10, keptFile }, (n) => void tried.push(n));
  expect(tried).toEqual(Array.from({ length: 11 }, () => 5));
});
