/**
 * Decks on servers with faults end: checked from the server's own log and the report alone. The servers are scripted, speak
 * Ollama's protocol and share no code with the client; their clock runs 50 times faster than the wall's, and so do Deckhand's durations.
 */
import { describe, expect, it } from 'vitest';
import { perFile } from '../../testing/per-file.ts';
import { type Outcome, sendsOfEach, startTrials } from '../../testing/scripted-ollama/review.ts';
import type { Behaviour, Fault } from '../../testing/scripted-ollama/server.ts';

/** Most sends of a call that a live server answered, failed or had cut; and of those that were lost on the way. */
const MOST_SENDS = 3;
const MOST_LOST = 5;

const trials = perFile(startTrials);

const server = (fault: Fault | null, changes: Partial<Behaviour> = {}): Behaviour => ({
  readPerSec: 2000,
  writePerSec: 100,
  slots: 4,
  fault,
  ...changes,
});

/** What holds of every deck. */
function expectEnded({ report, endedAfterSec, sends }: Outcome): void {
  expect(endedAfterSec, `not ended; sends: ${JSON.stringify(sendsOfEach(sends))}`).not.toBeNull();
  expect(report.status).toMatch(/^(?:completed|failed)/u);
  for (const { answered = 0, failed = 0, cut = 0, reset = 0, lost = 0 } of sendsOfEach(sends)) {
    expect(answered + failed + cut).toBeLessThanOrEqual(MOST_SENDS);
    expect(reset + lost).toBeLessThanOrEqual(MOST_LOST);
  }
  for (const { code, message } of report.gaps) {
    expect(code).not.toBe('internal');
    expect(message).toMatch(/\p{L}{3,}/u);
  }
  // What is missing is named.
  if (report.status !== 'completed') expect([...report.gaps, report.failure]).not.toEqual([null]);
}

const expectWhole = (outcome: Outcome): void => {
  expectEnded(outcome);
  expect(outcome.report.gaps).toEqual([]);
  expect(outcome.report.status).toBe('completed');
};

const everyCall = { every: 1, afterTokens: 2 } as const;
const NEVER_USABLE: Readonly<Record<string, Fault>> = {
  'resets every connection': { kind: 'reset', ...everyCall },
  'crashes with status 500 in every call': { kind: 'error_500', every: 1, afterTokens: 0 },
  'crashes in the middle of every answer': { kind: 'error_line', ...everyCall },
  'writes garbage': { kind: 'garbage', every: 1 },
  'writes white space without end': { kind: 'white_space', every: 1 },
  'writes in a loop until the server stops it': { kind: 'loop', every: 1 },
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
};

describe.concurrent('a deck on a server that', () => {
  it.for(Object.entries(NEVER_USABLE))('%s ends with gaps that say why', async ([, fault]) => {
    const outcome = await trials.reviewOn(server(fault), 2);
    expectEnded(outcome);
    expect(outcome.report.status).not.toBe('completed');
  });

  it.for(Object.entries(USABLE))('%s is reviewed whole', async ([, fault]) => {
    expectWhole(await trials.reviewOn(server(fault), 2));
  });

  it('writes a NUL ends', async () => {
    expectEnded(await trials.reviewOn(server({ kind: 'nul', every: 1 }), 2));
  });

  it('crashes on one page has gaps for that page alone', async () => {
    const outcome = await trials.reviewOn(server({ kind: 'crash_on_page', page: 2 }), 3);
    expectEnded(outcome);
    const described = outcome.report.slides.filter(({ descriptionProvenance }) => descriptionProvenance !== null);
    expect(described).toHaveLength(2);
    expect(outcome.report.gaps.length).toBeGreaterThan(0);
  });

  it('reads and writes five tokens a second is reviewed whole', async () => {
    expectWhole(await trials.reviewOn(server(null, { readPerSec: 5, writePerSec: 5 }), 1));
  });
});
