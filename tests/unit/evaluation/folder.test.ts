import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { judgeFields, NOTHING_FOUND } from '../../../domain/evaluation/judge.ts';
import { labelOfSample, readDeckFolder } from '../../../cli/evaluation/folder.ts';
import { DeckTruth } from '../../../domain/evaluation/deck-truth.ts';
import { topicTraitsOf } from '../../../samples/generator/traits.ts';
import { generateDeck } from '../../../samples/generator/generate.ts';
import { judgeTopics } from '../../../domain/evaluation/judge-topics.ts';
import { factFigures } from '../../../domain/evaluation/topic-figures.ts';
import { PROFILE_TOPICS } from '../../../domain/profile/topics.ts';
import { perfectReview } from './topic-fixture.ts';
import { folderPerTest } from '../../../testing/per-file.ts';

const SAMPLES = path.resolve(import.meta.dirname, '../../../samples');
let folder: string;
const write = (name: string, content: string): void => writeFileSync(path.join(folder, name), content);
beforeEach(() => {
  folder = folderPerTest();
});

describe('a folder of decks', () => {
  it('has its labels in labels.json or truth.json, or where it is said', async () => {
    write('b.PDF', 'two');
    write('a.pdf', 'one');
    write('truth.json', '{"a": {"company": ["Truth"]}}');
    const { decks, labels } = await readDeckFolder(folder, undefined);
    expect(decks.map(({ file }) => file)).toEqual(['a.pdf', 'b.PDF']);
    expect(labels.get('a')?.company).toEqual(['Truth']);
    write('labels.json', '{"b": {"company": null}}');
    expect([...(await readDeckFolder(folder, undefined)).labels.keys()]).toEqual(['b']);
    write('other.json', '{}');
    expect((await readDeckFolder(folder, path.join(folder, 'other.json'))).labels.size).toBe(0);
  });

  it('without PDFs, without labels or that is none is refused with what to do', async () => {
    const refusal = (code: string, words: RegExp) => ({ code, userMessage: expect.stringMatching(words) as string });
    const reading = (labels?: string) => expect(readDeckFolder(folder, labels)).rejects;
    await reading().toMatchObject(refusal('usage', /no PDF files/u));
    mkdirSync(path.join(folder, 'inner'));
    write('a.pdf', 'one');
    const without = refusal('not_found', /neither labels\.json nor truth\.json/u);
    await reading().toMatchObject({ ...without, hint: expect.stringMatching(/--labels/u) as string });
    await reading(path.join(folder, 'x.json')).toMatchObject(refusal('not_found', /x\.json/u));
    await reading(folder).toMatchObject({ code: 'not_found' });
    const nowhere = readDeckFolder(path.join(folder, 'nowhere'), undefined);
    await expect(nowhere).rejects.toMatchObject(refusal('not_found', /no folder/u));
  });

  it('of samples has the label of each deck beside it', async () => {
    const { decks, labels } = await readDeckFolder(SAMPLES, undefined);
    expect([...labels.keys()].toSorted()).toEqual(decks.map(({ file }) => file.replace('.pdf', '')));
    expect(labels.get('quayline')).toMatchObject({ company: ['Quayline'], name_in_text: true, sector: 'other' });
    expect(labels.get('dermaline-scan')).toMatchObject({ name_in_text: false, ask: { currency: 'GBP' } });
    expect(Object.keys(labels.get('cardiosense')?.questions ?? {})).toHaveLength(34);
  });
});

it('the example of the label format names topics with places, and judges what it says as right', async () => {
  const { labels, warnings } = await readDeckFolder(SAMPLES, path.join(SAMPLES, 'labels.example.json'));
  expect(warnings).toEqual([]);
  expect([...labels.keys()]).toEqual(['cardiosense', 'quayline']);
  for (const { topics = {} } of labels.values()) {
    const judged = judgeTopics(topics, perfectReview(topics)) ?? [];
    expect(judged.map(({ topic }) => topic)).toEqual(PROFILE_TOPICS);
    expect(judged.filter(({ outcome }) => outcome !== 'right')).toEqual([]);
    const { attribution, found } = factFigures(judged.flatMap(({ facts }) => facts));
    expect(attribution.box).toMatchObject({ right: found.of, of: found.of });
    expect(judgeTopics(topics, null)?.every(({ outcome }) => outcome === 'missed')).toBe(true);
  }
});

it('the label of a generated deck judges its own truth as right', async () => {
  for (const seed of [1, 2, 3]) {
    const truth = DeckTruth.parse((await generateDeck({ seed })).truth);
    const { company, offering, amount, currency, date, sector } = truth;
    const ask = amount === null ? null : { amount, currency, raw: null };
    const outcomes = judgeFields(labelOfSample(truth), { company, offering, ask, date, sector });
    expect(
      outcomes.map(({ outcome }) => outcome).filter((outcome) => outcome !== 'right' && outcome !== 'rightly_none'),
    ).toEqual([]);
    const missed = judgeFields(labelOfSample(truth), NOTHING_FOUND);
    expect(missed.filter(({ outcome }) => outcome === 'right')).toEqual([]);
  }
});

it('the label of a generated deck has the topics that its slides state', async () => {
  const { truth } = await generateDeck({ seed: 5, traits: topicTraitsOf(5) });
  const { topics = {} } = labelOfSample(DeckTruth.parse(truth));
  expect(Object.values(topics).flat().length).toBeGreaterThan(3);
  const outcomes = (review: Parameters<typeof judgeTopics>[1]) =>
    judgeTopics(topics, review)?.map(({ outcome }) => outcome);
  expect(new Set(outcomes(perfectReview(topics)))).toEqual(new Set(['right']));
  expect(outcomes(null)).not.toContain('right');
});

it('each month of a labelled quarter is right', () => {
  const truth = { ...DeckTruth.parse({ ...EMPTY, date: '2026-04', datePrecision: 'quarter' }) };
  const label = labelOfSample(truth);
  const outcomeOf = (date: string): string | undefined =>
    judgeFields(label, { ...NOTHING_FOUND, date }).find(({ field }) => field === 'date')?.outcome;
  expect(['2026-03', '2026-07'].map(outcomeOf)).toEqual(['wrong', 'wrong']);
  expect(['2026-04', '2026-05', '2026-06'].map(outcomeOf)).toEqual(['right', 'right', 'right']);
});

const NONE = { company: null, offering: null, amount: null, date: null };
const EMPTY = { ...NONE, sector: null, currency: null, answered: {}, places: NONE, language: 'en', slides: 3 };
