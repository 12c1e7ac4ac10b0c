/**
 * The calls on one machine: full width, in order, neither kind starves, and what happens when they are cut.
 */
import { expect, it } from 'vitest';
import { openModelServer } from '../../../activities/models/client/open.ts';
import { CallTally } from '../../../activities/models/host/call-tally.ts';
import { ModelHost } from '../../../activities/models/host/model-host.ts';
import { DeckhandError } from '../../../domain/errors.ts';

const never = new AbortController().signal;
const SLOTS = 3;
const hostWith = (tally?: CallTally): ModelHost =>
  new ModelHost({
    name: 'gpu-1',
    server: openModelServer('http://127.0.0.1:1'),
    parallel: SLOTS,
    ...(tally && { tally }),
  });

/** Calls that end when told to. */
function controlled(host: ModelHost) {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (name: string, signal = never): Promise<string> =>
    host.call(signal, async (own) => {
      started.push(name);
      await new Promise<void>((resolve, reject) => {
        ends.set(name, resolve);
        own.addEventListener('abort', () => reject(own.reason as Error));
      });
      return name;
    });
  return { started, start, end: (name: string) => ends.get(name)?.() };
}

/** Lets everything run that can. */
const settle = async (): Promise<void> => {
  for (let i = 0; i < 20; i += 1) await Promise.resolve();
};

it('the calls of one machine run at full width with one kind alone', async () => {
  const host = hostWith();
  const { started, start } = controlled(host);
  for (let i = 0; i < 5; i += 1) void start(`visual-${i}`);
  await settle();
  expect(started).toEqual(['visual-0', 'visual-1', 'visual-2']);
  expect(host.inFlight).toBe(SLOTS);
});

it('the calls of one machine share the slots when there are both kinds: as many in all, and the one that waited is next', async () => {
  const host = hostWith();
  const { started, start, end } = controlled(host);
  for (let i = 0; i < SLOTS; i += 1) void start(`visual-${i}`);
  for (let i = 0; i < SLOTS; i += 1) void start(`text-${i}`);
  await settle();
  expect(host.inFlight).toBe(SLOTS);
  // Each worker takes a new call for one that ended; the calls of the other kind wait in front of it.
  for (let i = 0; i < SLOTS; i += 1) {
    end(`visual-${i}`);
    void start(`visual-${SLOTS + i}`);
    await settle();
  }
  expect(started.slice(SLOTS)).toEqual(['text-0', 'text-1', 'text-2']);
  expect(host.inFlight).toBe(SLOTS);
});

it('the calls of one machine that are cancelled while they wait give up their place', async () => {
  const host = hostWith();
  const { started, start, end } = controlled(host);
  for (let i = 0; i < SLOTS; i += 1) void start(`first-${i}`);
  const stop = new AbortController();
  const waiting = start('cancelled', stop.signal);
  void start('next');
  stop.abort(new Error('not wanted any more'));
  await expect(waiting).rejects.toThrow('not wanted any more');
  end('first-0');
  await settle();
  expect(started.at(-1)).toBe('next');
});

it('the calls of one machine end with the reason of a cut, running and waiting ones alike, and later ones do not begin', async () => {
  const host = hostWith();
  const { started, start } = controlled(host);
  const calls = Array.from({ length: SLOTS + 2 }, (_, i) => start(`call-${i}`));
  const ended = Promise.allSettled(calls);
  await settle();
  const reason = new DeckhandError('host_not_ready', 'drained');
  expect(host.cutCalls(reason)).toBe(SLOTS + 2);
  expect((await ended).map((r) => (r.status === 'rejected' ? r.reason : r.value))).toEqual(calls.map(() => reason));
  await expect(start('late')).rejects.toBe(reason);
  expect(started).toHaveLength(SLOTS);
  expect(host.inFlight).toBe(0);
  expect(host.cutCalls(reason)).toBe(0);
});

it('the calls of one machine are counted over every host of an attachment, failed ones not as finished', async () => {
  const earlier = new Date(0);
  const tally = new CallTally({ finished: 5, lastCallAt: earlier });
  expect(tally.lastCallAt).toBe(earlier);
  await hostWith(tally).call(never, () => Promise.resolve());
  await hostWith(tally).call(never, () => Promise.resolve());
  await expect(hostWith(tally).call(never, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(tally.finished).toBe(7);
  expect(tally.lastCallAt).not.toBe(earlier);
});

it('a trial takes a slot, is in no count, and a call waits for it as for another call', async () => {
  const tally = new CallTally();
  const host = hostWith(tally);
  const { started, start } = controlled(host);
  for (let i = 1; i < SLOTS; i += 1) void start(`call-${i}`);
  await settle();
  const before = tally.lastCallAt;
  const trial = Promise.withResolvers<string>();
  const tried = host.trial(never, () => trial.promise);
  await settle();
  expect(host.inFlight).toBe(SLOTS - 1);
  void start('waits');
  await settle();
  expect(started).not.toContain('waits');
  trial.resolve('said');
  expect(await tried).toBe('said');
  await settle();
  expect(started).toContain('waits');
  expect(tally.finished).toBe(0);
  expect(before).not.toBeNull();
});

it('a trial is not made while every slot is taken', async () => {
  const host = hostWith();
  const { start } = controlled(host);
  for (let i = 0; i < SLOTS; i += 1) void start(`call-${i}`);
  await settle();
  expect(await host.trial(never, () => expect.fail('it was made'))).toBeNull();
});

it('a trial ends with the cut of the calls, and fails like what it tried', async () => {
  const host = hostWith();
  await expect(host.trial(never, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  const tried = host.trial(
    never,
    (own) => new Promise((_, reject) => own.addEventListener('abort', () => reject(own.reason as Error))),
  );
  await settle();
  const reason = new DeckhandError('host_not_ready', 'drained');
  expect(host.cutCalls(reason)).toBe(0);
  await expect(tried).rejects.toBe(reason);
  await expect(host.trial(never, () => Promise.resolve(1))).rejects.toBe(reason);
});

it('a server that runs fewer calls than it was configured for gets no more than it runs, and never more than configured', async () => {
  const host = hostWith();
  host.limitSlots(2);
  const { started, start, end } = controlled(host);
  for (let i = 0; i < 5; i += 1) void start(`call-${i}`);
  await settle();
  expect(started).toEqual(['call-0', 'call-1']);
  host.limitSlots(99);
  await settle();
  expect(host.inFlight).toBe(SLOTS);
  end('call-0');
  await settle();
  expect(host.inFlight).toBe(SLOTS);
});
