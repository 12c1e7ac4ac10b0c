/**
 * Slides on money as founders write them, with and without an ask. They were written without knowledge of the reader, so that most of them say
 * it in words that no test of a rule has.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { ask, deckOfMarks } from './ask.ts';

const FILE = path.resolve(import.meta.dirname, '../../fixtures/asks.json');
const slides = z
  .array(
    z.strictObject({ lang: z.enum(['en', 'de']), title: z.string(), body: z.string(), asks: z.string().nullable() }),
  )
  .parse(JSON.parse(readFileSync(FILE, 'utf8')));

const COVER = '# Halmwerk\n\nStraw panels for timber houses';
/** The amount that the reader finds on a slide between a cover and a last page; empty where it finds none. */
const found = (title: string, body: string): string =>
  ask('extract_funding', deckOfMarks([COVER, `# ${title}\n\n${body}`, '# Thank you'])).value;
const plain = (text: string): string => text.toLowerCase().replaceAll(/[\s.]/gu, '');

it.each(['en', 'de'] as const)('most asks are found and hardly any is made up (%s)', (language) => {
  const own = slides.filter(({ lang }) => lang === language);
  const [asking, others] = [own.filter(({ asks }) => asks !== null), own.filter(({ asks }) => asks === null)];
  const right = asking.filter(({ title, body, asks }) => {
    const value = plain(found(title, body));
    return value !== '' && (value.includes(plain(asks ?? '')) || plain(asks ?? '').includes(value));
  });
  const silent = others.filter(({ title, body }) => found(title, body) === '');
  expect(right.length / asking.length).toBeGreaterThanOrEqual(0.85);
  expect(silent.length / others.length).toBeGreaterThanOrEqual(0.9);
});
