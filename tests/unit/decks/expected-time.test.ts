/** The expected time of a deck before it begins. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  aboutText,
  expectDeck,
  expectedCalls,
  fittedSpeed,
  longDeckText,
  roundedSeconds,
  secondsInLine,
  type CallCosts,
  type DeckSize,
} from '../../../domain/decks/expected-time.ts';
import { forAll } from '../../../testing/property.ts';

const DECK: DeckSize = { pages: 17, missingPages: 17, questions: 34, taskType: null, windowTokens: 16_000 };
const UNKNOWN: CallCosts = { speedOf: () => null, secondsOf: () => null };
const withSpeed = (readTokensPerSec: number, writeTokensPerSec: number): CallCosts => ({
  ...UNKNOWN,
  speedOf: () => ({ readTokensPerSec, writeTokensPerSec }),
});
const both = (slots: number) => ({ 'gpu-visual': 0, 'gpu-text': 0, both: slots });

it('counts the calls of a review with the tokens that each has to read', () => {
  const calls = new Map(expectedCalls(DECK).map((each) => [each.task, each]));
  expect(calls.get('describe_slide')?.calls).toBe(17);
  expect(calls.get('answer_question')).toMatchObject({ calls: 34, promptTokens: 5090 });
  expect(calls.get('score_answer')).toMatchObject({ calls: 34, promptTokens: 770 });
  expect(calls.has('condense_slide')).toBe(false);
  expect(calls.has('specialised_clinical')).toBe(false);
  expect(expectDeck(DECK, UNKNOWN, both(4)).calls).toBe(17 * 2 + 4 + 1 + 1 + 34 + 34);
});

it('known slides are not read again, and a task that is started alone makes its own calls only', () => {
  const known = expectedCalls({ ...DECK, missingPages: 0 }).map(({ task }) => task);
  expect(known).not.toContain('describe_slide');
  const alone = expectedCalls({ ...DECK, taskType: 'startup_name_extraction' }).map(({ task }) => task);
  expect(alone).toEqual(['describe_slide', 'extract_company_name']);
});

it('a deck whose text does not fit into the window has the prompts that do', () => {
  const [answers] = expectedCalls({ ...DECK, pages: 300 }).filter(({ task }) => task === 'answer_question');
  expect(answers?.promptTokens).toBe(16_500);
});

it('takes what the measured speed says, else what calls took lately, else what they usually take', () => {
  const usual = expectDeck(DECK, UNKNOWN, both(1)).seconds;
  expect(usual).toBe(17 * (15 + 8) + 6 + 4 + 5 + 4 + 25 + 6 + 34 * 12 + 34 * 6);
  const lately = { ...UNKNOWN, secondsOf: () => 100 };
  expect(expectDeck(DECK, lately, both(1)).seconds).toBe(108 * 100);
  const { seconds, promptTokens, outputTokens } = expectDeck(DECK, withSpeed(18, 5), both(1));
  expect(seconds).toBeCloseTo(promptTokens / 18 + outputTokens / 5, 3);
});

it('more slots and faster models never take longer, and no deck takes less than its longest calls', () =>
  forAll([fc.integer({ min: 1, max: 64 }), fc.integer({ min: 1, max: 5000 })], { runs: 300 }, (slots, speed) => {
    const costs = withSpeed(speed, speed);
    const { seconds, slotSeconds } = expectDeck(DECK, costs, both(slots));
    expect(expectDeck(DECK, costs, both(slots + 1)).seconds).toBeLessThanOrEqual(seconds);
    expect(expectDeck(DECK, withSpeed(2 * speed, speed), both(slots)).seconds).toBeLessThanOrEqual(seconds);
    expect(seconds * slots).toBeGreaterThanOrEqual((slotSeconds['gpu-visual'] + slotSeconds['gpu-text']) * 0.999);
  }));

it('a deck in line waits for the work of those before it', () => {
  const expected = expectDeck(DECK, UNKNOWN, both(1));
  const line = [0.5, 1, 1].map((left) => ({ expected, left }));
  const { seconds } = expected;
  expect(secondsInLine(line, both(1))).toEqual([0.5 * seconds, 1.5 * seconds, 2.5 * seconds]);
  const [, second = 0] = secondsInLine(line, { 'gpu-visual': 1, 'gpu-text': 1, both: 0 });
  expect(second).toBeLessThan(1.5 * seconds);
});

it('a deck of more than an hour says why, and what else there is', () => {
  const slow = { seconds: 20_000, ownSeconds: 12_000, promptTokens: 190_431, readTokensPerSec: 18.3 };
  expect(longDeckText(slow)).toBe(
    'It takes about 3 h 20 min. The model reads 18 tokens a second; the prompts of this deck have 190,000. You can let it go on, or cancel it and take a smaller model or another server (--models), or a template with fewer questions (--template).',
  );
  expect(longDeckText({ ...slow, readTokensPerSec: null })).toContain('The prompts of this deck have 190,000 tokens.');
  expect(longDeckText({ ...slow, ownSeconds: 3600 })).toBeNull();
});

it.each([
  [3, 10, 'about 10 s'],
  [254, 250, 'about 4 min 10 s'],
  [1234, 1260, 'about 21 min'],
  [9001, 9000, 'about 2 h 30 min'],
])('%d seconds are shown as %d', (seconds, rounded, text) => {
  expect(roundedSeconds(seconds)).toBe(rounded);
  expect(aboutText(seconds)).toBe(text);
});

it('the speed of a model is found from answered calls, and not from calls that are alike', async () => {
  const answered = fc.record({
    promptTokens: fc.integer({ min: 100, max: 8000 }),
    outputTokens: fc.integer({ min: 10, max: 900 }),
  });
  const speeds = fc.record({ read: fc.integer({ min: 5, max: 5000 }), write: fc.integer({ min: 1, max: 200 }) });
  await forAll(
    [fc.array(answered, { minLength: 5, maxLength: 40 }), speeds],
    { runs: 300 },
    (calls, { read, write }) => {
      const fitted = fittedSpeed(
        calls.map((call) => ({ ...call, seconds: call.promptTokens / read + call.outputTokens / write })),
      );
      if (fitted === null) return;
      expect(fitted.readTokensPerSec / read).toBeCloseTo(1, 3);
      expect(fitted.writeTokensPerSec / write).toBeCloseTo(1, 3);
    },
  );
  const alike = Array.from({ length: 20 }, () => ({ promptTokens: 4000, outputTokens: 100, seconds: 10 }));
  expect(fittedSpeed(alike)).toBeNull();
  expect(fittedSpeed(alike.slice(0, 2))).toBeNull();
});
