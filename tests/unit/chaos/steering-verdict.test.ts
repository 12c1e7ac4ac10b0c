/**
 * What is said of reviews that did not follow what was asked of them, and of replays that are none: each check can fail.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReaderCall } from '../../chaos/reader-calls.ts';
import {
  judgeHold,
  judgePriority,
  judgeRelease,
  judgeReplay,
  type ComparedAnalysis,
  type EndedReview,
  type ReplayFacts,
} from '../../chaos/steering-verdict.ts';
import { forAll } from '../../../testing/property.ts';

const ended = (changes: Partial<EndedReview> = {}): EndedReview => ({
  status: 'completed',
  pausedAt: null,
  priority: 3,
  lastCallAtMs: 9000,
  ...changes,
});

it('a review that was resumed and goes on is not reported', () => expect(judgeRelease(ended())).toEqual([]));

it('a review that was resumed and is still paused is reported', () => {
  const [said] = judgeRelease(ended({ status: 'running', pausedAt: new Date(5000) }));
  expect(said).toMatch(/^is running and still held since 1970/u);
});

it.each([
  ['is the one it was given', 1, { priority: 1, heardAtMs: 4000 }],
  ['is the one it was given, also at the very end', 1, { priority: 1, heardAtMs: 9500 }],
  ['stays when the review had nothing left to ask', 3, { priority: 1, heardAtMs: 9500 }],
  ['stays when no other was asked for', 3, null],
])('a priority: %s', (_, priority, given) => expect(judgePriority(ended({ priority }), given, 3)).toEqual([]));

it('a priority stays when nothing was ever asked of a model', () =>
  expect(judgePriority(ended({ lastCallAtMs: null }), { priority: 1, heardAtMs: 4000 }, 3)).toEqual([]));

it.each([
  ['was heard of and not followed', 3, { priority: 1, heardAtMs: 4000 }, /priority 3 although it was given 1/u],
  ['is another one', 5, { priority: 1, heardAtMs: 9500 }, /priority 5 although it was given 1/u],
  ['changed by itself', 2, null, /priority 2, which was not asked for/u],
])('a priority is told of that %s', (_, priority, given, words) => {
  expect(judgePriority(ended({ priority }), given, 3)).toEqual([expect.stringMatching(words)]);
});

describe('a review that is held', () => {
  const call = (input: string, acceptedAtMs: number): ReaderCall => ({
    task: 'describe_slide',
    input,
    acceptedAtMs,
    closedAtMs: null,
    how: 'lost',
  });
  const hold = { seenAtMs: 1000, releasedAtMs: 2000 };
  const fresh = (count: number): ReaderCall[] =>
    Array.from({ length: count }, (_, index) => call(`new ${index}`, 1000 + index));

  it('asks at most what workers had begun', () => {
    expect(judgeHold(fresh(4), hold, 4)).toEqual([]);
    expect(judgeHold(fresh(5), hold, 4)).toEqual([
      expect.stringMatching(/5 new questions while it was held; at most 4/u),
    ]);
  });

  it('may try again what it asked before, and ask on afterwards', () => {
    const calls = [call('old', 999), call('old', 1500), ...fresh(4), call('later', 2000)];
    expect(judgeHold(calls, hold, 4)).toEqual([]);
  });

  it('is not judged where its row never said so', () =>
    expect(judgeHold(fresh(50), { seenAtMs: null, releasedAtMs: 2000 }, 4)).toEqual([]));

  it('is told of for any number of new questions beyond that', () =>
    forAll([fc.nat(60), fc.nat(20)], (asked, begun) => {
      expect(judgeHold(fresh(asked), hold, begun)).toHaveLength(asked > begun ? 1 : 0);
    }));
});

describe('a replay', () => {
  const origin: ComparedAnalysis = {
    row: { id: 'origin', replayOfId: null, replayKind: null, priority: 2, overallScore: 4.5 },
    calls: [
      { contentKey: 'a', state: 'stored', cached: false },
      { contentKey: 'b', state: 'stored', cached: false },
      { contentKey: 'c', state: 'cancelled', cached: false },
    ],
  };
  const calls = [
    { contentKey: 'a', state: 'stored', cached: true },
    { contentKey: 'b', state: 'stored', cached: true },
  ];
  const row = { id: 'replay', replayOfId: 'origin', replayKind: 'full', priority: 2, overallScore: 4.5 };
  const good: ReplayFacts = { origin, replay: { row, calls }, replays: 1 };

  it('takes over what is stored', () => expect(judgeReplay(good)).toEqual([]));

  const [first] = calls;
  if (first === undefined) throw new Error('a replay has calls');
  const other = (changes: Partial<typeof row>): ReplayFacts => ({
    ...good,
    replay: { row: { ...row, ...changes }, calls },
  });
  const having = (...made: typeof calls): ReplayFacts => ({ ...good, replay: { row, calls: made } });
  it.each<[string, ReplayFacts, RegExp]>([
    ['is linked to nothing', { ...good, replay: { row: { ...row, replayOfId: null }, calls } }, /replay of nothing/u],
    ['is linked to another', other({ replayOfId: 'x' }), /of x and not of origin/u],
    ['is of another kind', other({ replayKind: 'gaps' }), /of kind gaps/u],
    ['has another priority', other({ priority: 3 }), /priority 3, its origin 2/u],
    ['comes to another score', other({ overallScore: 4 }), /score 4, its origin 4.5/u],
    ['was started twice', { ...good, replays: 2 }, /origin has 2 replays/u],
    ['asks a model', having({ ...first, cached: false }, ...calls.slice(1)), /asked the model 1 questions/u],
    ['lacks a result', having(first), /took 1 results, and not the 2 of origin/u],
    [
      'has a result of its own',
      having(first, { ...first, contentKey: 'd' }),
      /took 2 results, and not the 2 of origin/u,
    ],
    ['left a call open', having(first, { contentKey: 'b', state: 'planned', cached: true }), /took 1 results/u],
  ])('is told of when it %s', (_, facts, words) => expect(judgeReplay(facts)).toEqual([expect.stringMatching(words)]));
});
