/** What the Temporal UI is told fits the server's limits and cannot be turned into markup, whatever a deck is called. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlannedCall } from '../../../activities/models/plan-calls.ts';
import { MODEL_TASKS, type ModelTask } from '../../../domain/models/model-tasks.ts';
import { DECK_STATUSES } from '../../../domain/temporal/search-attributes.ts';
import {
  boundedSummary,
  deckDetails,
  deckFacts,
  markdownText,
  MAX_DETAILS_BYTES,
  MAX_SUMMARY_BYTES,
  pagesText,
  type DeckDetails,
  callSummary,
} from '../../../domain/temporal/run-details.ts';
import { STAGES } from '../../../domain/decks/stage-graph.ts';
import { codePoint } from '../../../testing/any-text.ts';
import { forAll } from '../../../testing/property.ts';

const bytes = (text: string): number => Buffer.byteLength(JSON.stringify(text));
const anyText = fc.oneof(
  fc.string({ maxLength: 3000 }),
  fc.string({ unit: codePoint, maxLength: 600 }),
  fc.string({ unit: fc.constantFrom('|', '\n', '<', '[', ']', '(', ')', '"', '\\', 'ä', '漢', '😀'), maxLength: 600 }),
);
const count = fc
  .record({ done: fc.nat(500), failed: fc.integer({ min: -3, max: 500 }), more: fc.integer({ min: -3, max: 500 }) })
  .map(({ done, failed, more }) => ({ done, failed, total: Math.max(0, done + failed + more) }));

const run = (changes: Partial<DeckDetails> = {}): DeckDetails => ({
  status: 'running',
  stage: 'slides',
  work: [
    { name: 'pages drawn', count: { done: 30, failed: 0, total: 30 } },
    { name: 'slides read', count: { done: 12, failed: 1, total: 30 } },
    { name: 'questions answered', count: { done: 0, failed: 0, total: 0 } },
  ],
  modelCalls: 24,
  cachedCalls: 2,
  gapCount: 1,
  gaps: [{ item: 'slide 7 of 30 · gemma3:12b', reason: 'Slide 7 could not be read.' }],
  waitingFor: null,
  links: [{ name: 'Report', url: 'http://127.0.0.1:8420/api/v1/analyses/1/report?format=html' }],
  ...changes,
});

describe('a summary', () => {
  it('is one line within the limit, and whole where it fits', async () => {
    await forAll([anyText], (text) => {
      const summary = boundedSummary(text);
      expect(bytes(summary)).toBeLessThanOrEqual(MAX_SUMMARY_BYTES);
      expect(summary).not.toMatch(/\p{Cc}/u);
    });
    expect(boundedSummary('slide 7 of 30 · gemma3:12b')).toBe('slide 7 of 30 · gemma3:12b');
    expect(boundedSummary('é'.repeat(500))).toMatch(/^é+…$/u);
  });

  it('names pages as people do', () =>
    expect([[3], [9, 10, 11], [1, 4, 9], [2, 4, 6, 8, 10], []].map(pagesText).join('; ')).toBe(
      'page 3; pages 9–11; pages 1, 4, 9; 5 pages from 2; no pages',
    ));

  it('of a model call says what it is about, of how many, and which model', () => {
    const call = (task: ModelTask, about: Partial<PlannedCall> = {}): string =>
      callSummary({ callId: 'c', task, slideNumber: null, questionId: null, modelName: 'gemma3:12b', ...about }, 30);
    expect(call('describe_slide', { slideNumber: 7 })).toBe('slide 7 of 30 · gemma3:12b');
    expect(call('slide_feedback', { slideNumber: 7 })).toBe('feedback on slide 7 of 30 · gemma3:12b');
    const place = { number: 12, of: 34, slug: 'market_size' };
    expect(call('answer_question', { place })).toBe('question 12 of 34 (market_size) · gemma3:12b');
    expect(call('score_answer', { place })).toBe('score of question 12 of 34 (market_size) · gemma3:12b');
    const all = (Object.keys(MODEL_TASKS) as ModelTask[]).map((task) => call(task, { slideNumber: 1, place }));
    expect(new Set(all).size).toBe(all.length);
  });
});

describe('the details of a run', () => {
  it('show stage, progress, what is missing and where to read on', async () => {
    const text = deckDetails(run()).replaceAll('\u00A0', ' ').trimEnd();
    await expect(text).toMatchFileSnapshot('snapshots/deck-details.txt');
  });

  it('say what a run waits for, and name the latest gaps and how many more there are', async () => {
    const gaps = Array.from({ length: 25 }, (_, i) => ({ item: `slide ${i + 1}`, reason: 'no' }));
    const text = deckDetails(
      run({ status: 'waiting_for_capacity', waitingFor: 'a model host for images', gapCount: 25, gaps }),
    );
    await expect(text).toMatchFileSnapshot('snapshots/deck-details-waiting.txt');
    expect(text).toContain('- slide 25: no');
    expect(text).not.toContain('- slide 15: no');
    expect(text).toMatch(/\b15 more/u);
  });

  it('fit, and no word of a deck, a model or a provider becomes markup', async () => {
    const gap = fc.record({ item: anyText, reason: anyText });
    await forAll(
      [
        fc.constantFrom(...DECK_STATUSES),
        fc.constantFrom(...STAGES),
        fc.array(count, { minLength: 3, maxLength: 3 }),
        fc.array(gap, { maxLength: 40 }),
        fc.option(anyText),
      ],
      { runs: 60 },
      (status, stage, counts, gaps, waitingFor) => {
        const work = run().work.map(({ name }, i) => ({ name, count: counts[i] ?? { done: 0, failed: 0, total: 0 } }));
        const text = deckDetails(run({ status, stage, work, gaps, gapCount: gaps.length, waitingFor, links: [] }));
        expect(bytes(text)).toBeLessThanOrEqual(MAX_DETAILS_BYTES);
        expect(text).not.toMatch(/<|(?<!\\)\]\(|:\/\/|\w@\w|www\./u);
        // A table row has its five bars and no more.
        for (const line of text.split('\n').filter((l) => l.startsWith('|') && !l.startsWith('|-'))) {
          expect(line.match(/(?<!\\)\|/gu)).toHaveLength(5);
        }
      },
    );
  });
});

it('a text in Markdown makes no link by itself, and reads as it was written', () => {
  const text = markdownText('see https://evil.example, www.evil.example or a@evil.example & co');
  expect(text).not.toMatch(/:\/\/|\bwww\.|@evil/u);
  expect(text.replaceAll('\u2060', '')).toBe('see https://evil.example, www.evil.example or a@evil.example & co');
});

it('what does not change of a run is a table of what was asked for, with the report', () => {
  const text = deckFacts({
    label: 'a|b<c>.pdf · 30 pages',
    task: 'Review',
    language: 'en',
    models: 'reader',
    template: null,
    priority: 3,
    analysisId: 'a1',
    deckId: 'd1',
    replayOf: 'a0',
    reportUrl: 'http://127.0.0.1:8420/x',
  });
  expect(text).toContain(String.raw`| deck | a\|b‹c›.pdf · 30 pages (${'`d1`'}) |`);
  expect(text).toContain('| replay of | `a0` |');
  expect(text).toContain('[Read the report](http://127.0.0.1:8420/x)');
});
