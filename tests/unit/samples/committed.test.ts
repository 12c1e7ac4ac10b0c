/**
 * The committed samples: they are what the generator makes, their truth stands on their slides, and the scan has no text.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { committedSamples, type CommittedSample } from '../../../samples/generator/committed.ts';
import { DeckTruth } from '../../../samples/generator/truth.ts';
import { flat, readPages } from './page-text.ts';

const folder = join(import.meta.dirname, '../../../samples');
const NAMES = ['cardiosense', 'lumbalis', 'quayline', 'dermaline-scan'];
let samples: CommittedSample[] = [];

beforeAll(async () => {
  samples = await committedSamples();
}, 120_000);

function sampleOf(name: string): CommittedSample {
  const sample = samples.find((one) => one.name === name);
  if (sample === undefined) throw new Error(`the generator makes no ${name}`);
  return sample;
}

describe('committed samples', () => {
  it.each(NAMES)('%s is byte for byte what the generator makes', async (name) => {
    const sample = sampleOf(name);
    const stored = await readFile(join(folder, `${name}.pdf`));
    expect(stored.equals(sample.pdf)).toBe(true);
    expect(await readFile(join(folder, `${name}.json`), 'utf8')).toBe(sample.truthJson);
  });

  it.each(NAMES)('%s has 12 to 16 slides at 16:9 and a valid truth', async (name) => {
    const truth = DeckTruth.parse(JSON.parse(sampleOf(name).truthJson));
    const pages = await readPages(sampleOf(name).pdf);
    expect(pages.length).toBe(truth.slides);
    expect(pages.length).toBeGreaterThanOrEqual(12);
    expect(pages.length).toBeLessThanOrEqual(16);
    for (const page of pages) expect(page.width / page.height).toBeCloseTo(16 / 9, 5);
  });

  it.each(NAMES.slice(0, 3))('%s says on the named slides what its truth says', async (name) => {
    const { truth, pdf } = sampleOf(name);
    const pages = await readPages(pdf);
    for (const place of Object.values(truth.places)) {
      if (place === null) throw new Error('a committed deck states company, offering, sum and date');
      expect(pages[place.slide - 1]?.text).toContain(flat(place.text));
    }
    const slides = Object.values(truth.answered).flat();
    expect(Math.max(...slides)).toBeLessThanOrEqual(pages.length);
    const questions = Object.keys(truth.answered).length;
    expect(questions).toBeGreaterThanOrEqual(22);
    expect(questions).toBeLessThan(34);
  });

  it('the scan has pictures but not a word, and its truth stands under visionOnly', async () => {
    const { truth, pdf } = sampleOf('dermaline-scan');
    for (const page of await readPages(pdf)) {
      expect(page.text).toBe('');
      expect(page.images).toBe(1);
    }
    const expected = { company: null, offering: null, sector: null, amount: null, currency: null, date: null };
    expect(truth).toMatchObject(expected);
    expect(truth.answered).toEqual({});
    expect(truth.visionOnly).toMatchObject({
      company: 'DermaLine',
      amount: 1_800_000,
      currency: 'GBP',
      date: '2025-11',
    });
    expect(pdf.length).toBeLessThan(3 * 1024 * 1024);
  });

  it('the health deck, the German one and the one outside health are there', () => {
    expect(sampleOf('cardiosense').truth).toMatchObject({ sector: 'diagnostics_devices', language: 'en' });
    expect(sampleOf('lumbalis').truth).toMatchObject({ sector: 'digital_therapeutics', language: 'de' });
    expect(sampleOf('quayline').truth).toMatchObject({ sector: 'other', language: 'en' });
  });
});
