/**
 * The calls on one machine: full width, in order, neither kind starves, and what happens when they are cut.
 */
import { expect, it } from 'vitest';
import { openModelServer } from '../../../activities/models/client/open.ts';
import { CallTally } from '../../../activities/models/host/call-tally.ts';
import { ModelHost } from '../../../activities/models/host/model-host.ts';
import { SharedServers } from '../../../activities/models/host/shared-server.ts';
import { DeckhandError } from '../../../domain/errors.ts';
import { LIMIT_SETTINGS } from '../../../domain/models/call-limits.ts';

const never = new AbortController().signal;
const SLOTS = 3;
const hostWith = (tally?: CallTally): ModelHost =>
  new ModelHost({
    name: 'gpu-1',
    server: openModelServer({ kind: 'ollama', url: 'http://127.0.0.1:1' }),
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

const URL_OF_TWO = 'http://127.0.0.1:11434';

/** Instances of two profiles on one server, whose address is written in two ways. */
function hostsOfOneServer(parallels = [SLOTS, SLOTS]) {
  // A refused call is followed by a pause of 10 ms.
  const limits = { ...LIMIT_SETTINGS, leastFirstTokenMs: 120 };
  const servers = new SharedServers(limits);
  const [first, second] = [URL_OF_TWO, 'HTTP://localhost:11434/'].map((url, index) => {
    const server = openModelServer({ kind: 'ollama', url: URL_OF_TWO });
    return new ModelHost({ name: `s-${index}`, server, parallel: parallels[index] ?? 1, shared: servers.at(url) });
  });
  if (first === undefined || second === undefined) throw new Error('there are two');
  return { servers, first, second };
}

it('instances on one server have its slots together, in order, and each counts its own calls', async () => {
  const { first, second } = hostsOfOneServer();
  const [a, b] = [controlled(first), controlled(second)];
  for (const name of ['a-0', 'a-1']) void a.start(name);
  const ofSecond = Promise.allSettled(['b-0', 'b-1', 'b-2'].map((name) => b.start(name)));
  void a.start('a-2');
  await settle();
  expect([first.inFlight, second.inFlight]).toEqual([2, 1]);
  a.end('a-0');
  await settle();
  expect([first.inFlight, second.inFlight]).toEqual([1, 2]);
  expect(second.cutCalls(new Error('the second ends'))).toBe(3);
  await ofSecond;
  await settle();
  expect([...a.started, ...b.started].toSorted()).toEqual(['a-0', 'a-1', 'a-2', 'b-0', 'b-1']);
  expect([first.inFlight, second.inFlight]).toEqual([2, 0]);
});

it('instances on one server learn its slots, speeds and refusals from each other', async () => {
  const { first, second } = hostsOfOneServer();
  first.limitSlots(1);
  expect(second.slots).toBe(1);
  const { started, start, end } = controlled(second);
  const calls = [start('one'), start('two')];
  await settle();
  expect(started).toEqual(['one']);
  first.speeds.measured('m', { alone: { readTokensPerSec: 50, writeTokensPerSec: 5 }, full: null, slots: 1 });
  expect(second.speeds.of('m')?.alone.readTokensPerSec).toBe(50);
  const busy = new DeckhandError('model_busy', 'it loads a model');
  first.learn('m', { readTokens: 1, writeTokens: 1 }, { kind: 'failed', error: busy });
  end('one');
  await settle();
  // It has the slot, and waits for the end of the pause.
  expect(started).toEqual(['one']);
  await expect.poll(() => started).toEqual(['one', 'two']);
  end('two');
  await Promise.all(calls);
});

it('readiness checks of instances on one server run one after the other and beside no call', async () => {
  const { first, second } = hostsOfOneServer();
  const running: string[] = [];
  const prove = (host: ModelHost, until: Promise<void>): Promise<void> =>
    host.prove(never, async () => {
      running.push(host.name);
      await until;
    });
  const [one, two] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const proving = [prove(first, one.promise), prove(second, two.promise)];
  const { started, start, end } = controlled(first);
  void start('call');
  await settle();
  expect(running).toEqual(['s-0']);
  one.resolve();
  await settle();
  expect([running, started]).toEqual([['s-0', 's-1'], []]);
  expect(second.inFlight).toBe(0);
  two.resolve();
  await Promise.all(proving);
  await settle();
  expect(started).toEqual(['call']);
  end('call');
});

it('the smallest of several configured numbers of calls counts, and a server is forgotten with its last instance', async () => {
  const { servers, first, second } = hostsOfOneServer([SLOTS, 1]);
  const { started, start } = controlled(first);
  for (const name of ['a', 'b', 'c', 'd']) void start(name);
  await settle();
  expect(started).toEqual(['a']);
  second.leave();
  await settle();
  expect(started).toEqual(['a', 'b', 'c']);
  const shared = servers.at(URL_OF_TWO);
  expect(servers.at('http://127.0.0.1:11435')).not.toBe(shared);
  expect(servers.at('https://127.0.0.1:11434')).not.toBe(shared);
  first.leave();
  expect(servers.at(URL_OF_TWO)).not.toBe(shared);
});
