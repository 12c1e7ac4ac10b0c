/**
 * Every deck ends, whatever its model server does: checked from the server's own log and the report alone. The servers are scripted, speak
 * Ollama's protocol and share no code with the client; their clock runs 50 times faster than the wall's, and so do Deckhand's durations.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { perFile } from '../../testing/per-file.ts';
import { assertProperty } from '../../testing/property.ts';
import { scriptedOllama, startTrials } from '../../testing/scripted-model/review.ts';
import { expectEnded, expectWhole } from './ended.ts';
import type { Behaviour, Fault } from '../../testing/scripted-ollama/server.ts';

/** A server that does so many tokens a second is slow, and is waited for. */
const SLOW_TOKENS_PER_SEC = 5;

const isSlow = ({ readPerSec, writePerSec }: Behaviour): boolean =>
  Math.min(readPerSec, writePerSec) < SLOW_TOKENS_PER_SEC;
const stopsAtTimes = ({ fault }: Behaviour): boolean => fault?.kind === 'stall' || fault?.kind === 'death';
/** Codes of gaps that a time limit made. */
const BY_TIME: readonly string[] = ['model_stalled', 'model_too_slow'];

const trials = perFile(startTrials);

const server = (fault: Fault | null, changes: Partial<Behaviour> = {}): Behaviour => ({
  readPerSec: 2000,
  writePerSec: 100,
  slots: 4,
  fault,
  ...changes,
});

const everyCall = { every: 1, afterTokens: 2 } as const;
const NEVER_USABLE: Readonly<Record<string, Fault>> = {
  'stops in the middle of every answer': { kind: 'stall', ...everyCall },
  'says nothing at all': { kind: 'stall', every: 1, afterTokens: 0 },
  'resets every connection': { kind: 'reset', ...everyCall },
  'crashes with status 500 in every call': { kind: 'error_500', every: 1, afterTokens: 0 },
  'crashes in the middle of every answer': { kind: 'error_line', ...everyCall },
  'writes garbage': { kind: 'garbage', every: 1 },
  'writes white space without end': { kind: 'white_space', every: 1 },
  'writes in a loop until the server stops it': { kind: 'loop', every: 1 },
  'is always busy': { kind: 'busy', every: 1 },
  'dies and stays away': { kind: 'death', afterCalls: 6, backAfterSec: null },
};
const USABLE: Readonly<Record<string, Fault | null>> = {
  'is sound': null,
  'stops in some answers': { kind: 'stall', every: 5, afterTokens: 3 },
  'resets some connections': { kind: 'reset', every: 4, afterTokens: 3 },
  'crashes in some calls': { kind: 'error_500', every: 4, afterTokens: 0 },
  'writes garbage at times': { kind: 'garbage', every: 4 },
  'is busy at times': { kind: 'busy', every: 4 },
  'answers empty while thinking is switched off': { kind: 'empty', every: 1 },
  'writes prose around the answer': { kind: 'prose', every: 1 },
  'dies and comes back': { kind: 'death', afterCalls: 6, backAfterSec: 600 },
};

describe.concurrent('reviews on scripted servers', () => {
  it.for(Object.entries(NEVER_USABLE))('a deck on a server that %s ends with gaps that say why', async ([, fault]) => {
    const outcome = await trials.reviewOn(scriptedOllama(server(fault)), 2);
    expectEnded(outcome);
    expect(outcome.report.status).not.toBe('completed');
  });

  it.for(Object.entries(USABLE))('a deck on a server that %s is reviewed whole', async ([, fault]) => {
    expectWhole(await trials.reviewOn(scriptedOllama(server(fault)), 2));
  });

  it('a deck on a server that writes a NUL ends', async () => {
    expectEnded(await trials.reviewOn(scriptedOllama(server({ kind: 'nul', every: 1 })), 2));
  });

  it('a deck whose server crashes on one page has gaps for that page alone, after two crashes', async () => {
    const outcome = await trials.reviewOn(scriptedOllama(server({ kind: 'crash_on_page', page: 2 })), 3);
    expectEnded(outcome);
    const crashes = outcome.sends.filter(({ picture, end }) => picture === 2 && end === 'failed');
    expect(crashes.length).toBeLessThanOrEqual(3);
    const described = outcome.report.slides.filter(({ descriptionProvenance }) => descriptionProvenance !== null);
    expect(described).toHaveLength(2);
    expect(outcome.report.gaps.length).toBeGreaterThan(0);
  });

  it('a deck on a server of five tokens a second is reviewed whole', async () => {
    expectWhole(await trials.reviewOn(scriptedOllama(server(null, { readPerSec: 5, writePerSec: 5 })), 1));
  });

  it('a server with two slots never has more than two calls inside it', async () => {
    const outcome = await trials.reviewOn(
      scriptedOllama(server(null, { slots: 2, readPerSec: 100, writePerSec: 10 })),
      15,
    );
    expectWhole(outcome);
    expect(outcome.sends.length).toBeGreaterThanOrEqual(40);
    expect(Math.max(...outcome.sends.map(({ present }) => present))).toBeLessThanOrEqual(2);
  });
});

/** Ends a test that hangs: two runs, in which each deck has its patience. */
const HANG_MS = 2 * 1000 * 1000;

const speed = fc.integer({ min: 0, max: 16 }).map((step) => 10 ** (step / 4));
const every = fc.integer({ min: 1, max: 6 });
const afterTokens = fc.integer({ min: 0, max: 30 });
const fault: fc.Arbitrary<Fault | null> = fc.oneof(
  fc.constant(null),
  fc.record({ kind: fc.constantFrom('stall', 'reset', 'error_500', 'error_line'), every, afterTokens }),
  fc.record({ kind: fc.constantFrom('garbage', 'empty', 'prose', 'nul', 'white_space', 'loop', 'busy'), every }),
  fc.record({ kind: fc.constant('crash_on_page'), page: fc.integer({ min: 1, max: 3 }) }),
  fc.record({
    kind: fc.constant('death'),
    afterCalls: fc.integer({ min: 0, max: 12 }),
    backAfterSec: fc.option(fc.integer({ min: 1, max: 1200 })),
  }),
);
const behaviour: fc.Arbitrary<Behaviour> = fc
  .record({ readPerSec: speed, writePerSec: speed, slots: fc.integer({ min: 1, max: 4 }), fault })
  // The slowest ones read side by side, and small decks: else a run takes half an hour of the wall.
  .map((one) => (isSlow(one) ? { ...one, slots: 4 } : one));

it(
  'every deck ends on any server, with no gap by time where it does five tokens a second',
  { timeout: HANG_MS },
  async () => {
    // Several servers at a time: a run is mostly waiting.
    const servers = fc.array(fc.tuple(behaviour, fc.integer({ min: 1, max: 3 })), { minLength: 6, maxLength: 6 });
    const property = fc.asyncProperty(servers, async (all) => {
      await Promise.all(
        all.map(async ([one, pages]) => {
          const outcome = await trials.reviewOn(scriptedOllama(one), isSlow(one) ? 1 : pages);
          expectEnded(outcome);
          const gaps = outcome.report.gaps.filter(({ code }) => one.fault === null || BY_TIME.includes(code));
          if (!isSlow(one) && !stopsAtTimes(one)) expect(gaps).toEqual([]);
        }),
      );
    });
    await assertProperty(property, { runs: 2, deepRuns: 2, endOnFailure: true });
  },
);
