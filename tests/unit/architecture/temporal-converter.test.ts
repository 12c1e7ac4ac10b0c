/**
 * Nothing reaches Temporal but through our converter: every client and worker takes it from the one place that has it. (A test that
 * forgets it cannot read what the others wrote, and fails by itself.)
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const ROOMS = ['activities', 'api', 'bench', 'cli', 'clouds', 'platform', 'prisma', 'simulators', 'workers'];
const SOURCES = ROOMS.flatMap((room) =>
  readdirSync(path.join(ROOT, room), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => path.join(room, file)),
).map((file) => ({ file, text: readFileSync(path.join(ROOT, file), 'utf8') }));

const filesWith = (pattern: RegExp): string[] =>
  SOURCES.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

it('what is given to Temporal goes through a client that was made with the converter', () => {
  // As a value; its type may be named anywhere.
  const importsClient = /^import (?!type\b)\{(?:[^}]*,)?\s*\w*Client\b[^}]*\} from '@temporalio\/client'/mu;
  expect(filesWith(importsClient)).toEqual(['platform/temporal.ts']);
});

it('what is given to Temporal goes through workers that have it: their process hands it on with its options', () => {
  const makers = SOURCES.flatMap(({ file, text }) =>
    [...text.matchAll(/\bWorker\.create\(\{([^]{0,300})/gu)].map((match) => ({ file, options: match[1] ?? '' })),
  );
  expect(makers.length).toBeGreaterThan(5);
  const without = makers.filter(({ options }) => !/^\s*\.\.\.(?:this\.#)?options,|\bdataConverter\b/u.test(options));
  expect(without).toEqual([]);
});

it('what is given to Temporal is written by workflows as by their workers: the code that bundles them is told how failures are written', () =>
  expect(filesWith(/\bbundleWorkflowCode\(/u)).toEqual(['workers/support/workflow-bundle.ts']));
