/** A static host is attached, let go and attached again; nothing is ever asked of a provider for it. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type {
  Command,
  InstanceRequest,
  InstanceState,
  LifeEvent,
  Reduction,
} from '../../../../domain/fleet/instance-life/types.ts';
import { initialState } from '../../../../domain/fleet/instance-life/reducer.ts';
import { reduceStatic } from '../../../../domain/fleet/instance-life/static.ts';
import { instanceSettingsForTests } from '../../../../testing/instance-settings.ts';
import { forAll } from '../../../../testing/property.ts';

const URL = 'http://127.0.0.1:11434';
const facts = { models: [], loadMs: 0, generationMs: 0 };

/** Runs a life, event by event. */
function life() {
  let state: InstanceState = initialState('static-0', instanceSettingsForTests(), 0);
  let atMs = 0;
  const sent: Command[] = [];
  const take = (event: (state: InstanceState) => object): Reduction => {
    const step = reduceStatic(URL, state, { atMs: (atMs += 1), ...event(state) } as LifeEvent);
    state = step.state;
    sent.push(...step.commands);
    return step;
  };
  const openId = (kind: Command['kind']): number => state.open.find((c) => c.kind === kind)?.id ?? -1;
  return {
    take,
    sent,
    ask: (request: InstanceRequest) => take(() => ({ kind: 'requested', request, reason: 'asked' })),
    passCheck: () => take(() => ({ kind: 'proved', commandId: openId('serve'), facts })),
    drain: () => {
      take(() => ({ kind: 'drained', commandId: openId('drain'), callsCut: 0 }));
      take(() => ({ kind: 'serve_ended', commandId: openId('serve'), reason: 'drained' }));
    },
    openId,
    get state() {
      return state;
    },
  };
}

/** One that passed its readiness check. */
function serving(): ReturnType<typeof life> {
  const host = life();
  host.take(() => ({ kind: 'born' }));
  host.passCheck();
  return host;
}

it('attaches at birth and is ready once it passed its readiness check', () => {
  const host = life();
  host.take(() => ({ kind: 'born' }));
  expect(host.state.phase).toBe('booting');
  expect(host.sent.at(-1)).toMatchObject({ kind: 'serve', machine: { simulatedModelUrl: URL } });
  host.passCheck();
  expect(host.state.phase).toBe('ready');
});

it('is cordoned by a drain and attached again when it is lifted', () => {
  const host = serving();
  host.ask('cordon');
  expect(host.state.phase).toBe('cordoned');
  expect(host.sent.at(-1)?.kind).toBe('drain');
  host.drain();
  expect(host.state.open).toEqual([]);
  host.ask('uncordon');
  expect(host.state.phase).toBe('booting');
  host.passCheck();
  expect(host.state.phase).toBe('ready');
});

it('lifted while it drains, it is attached again once the drain is over', () => {
  const host = serving();
  host.ask('cordon');
  host.ask('uncordon');
  expect(host.sent.filter((c) => c.kind === 'serve')).toHaveLength(1);
  host.drain();
  expect(host.sent.filter((c) => c.kind === 'serve')).toHaveLength(2);
});

it('is attached again a while after an attachment that ended by itself', () => {
  const host = serving();
  host.take(() => ({ kind: 'serve_ended', commandId: host.openId('serve'), reason: 'given up' }));
  expect(host.state).toMatchObject({ phase: 'booting', reason: 'given up' });
  host.take(() => ({ kind: 'waited', commandId: host.openId('wait') }));
  expect(host.openId('serve')).not.toBe(-1);
});

it('property: whatever is asked, it never has two attachments, asks no provider, and ends when destroyed', async () => {
  const request = fc.constantFrom<InstanceRequest>('serve', 'cordon', 'uncordon', 'suspend', 'wake');
  const happening = fc.oneof(
    request.map((r) => ({ ask: r })),
    fc.constantFrom({ answer: 'pass' }, { answer: 'drain' }, { answer: 'end' }, { answer: 'wait' }),
  );
  await forAll([fc.array(happening, { maxLength: 40 })], (happenings) => {
    const host = life();
    host.take(() => ({ kind: 'born' }));
    for (const what of happenings) {
      if ('ask' in what) host.ask(what.ask);
      else if (what.answer === 'pass') host.passCheck();
      else if (what.answer === 'drain') host.drain();
      else if (what.answer === 'end') {
        host.take(() => ({ kind: 'serve_ended', commandId: host.openId('serve'), reason: 'given up' }));
      } else host.take(() => ({ kind: 'waited', commandId: host.openId('wait') }));
      expect(host.state.open.filter((c) => c.kind === 'serve').length).toBeLessThanOrEqual(1);
    }
    host.ask('destroy');
    host.drain();
    expect(host.state.phase).toBe('gone');
    expect(new Set(host.sent.map((c) => c.kind)).difference(new Set(['serve', 'drain', 'wait'])).size).toBe(0);
  });
});

it('quarantined, it takes no calls and is watched, an operator is told once, and it serves again when it is well', () => {
  const host = serving();
  const ask = (request: 'quarantine' | 'release' | 'repair', episodeMs = 1): Reduction =>
    host.take(() => ({ kind: 'health_asked', request, failure: 'runner_wedged', reason: 'said nothing', episodeMs }));
  ask('repair');
  expect(host.state).toMatchObject({ phase: 'cordoned', illness: { failure: 'runner_wedged', remedy: 'watch' } });
  ask('repair');
  const told = host.sent.filter((command) => command.kind === 'alert');
  expect(told).toHaveLength(1);
  expect(told[0]).toMatchObject({ text: expect.stringContaining('not ours to restart') as string });
  host.drain();
  // Nothing restarts it; a moment later it is looked at again.
  host.take(() => ({ kind: 'waited', commandId: host.openId('wait') }));
  expect(host.sent.at(-1)).toMatchObject({ kind: 'serve', watchOnly: true });
  expect(host.state.phase).toBe('cordoned');
  ask('release');
  host.drain();
  expect(host.sent.at(-1)).toEqual({ kind: 'serve', id: expect.any(Number) as number, machine: host.state.machine });
  host.passCheck();
  expect(host.state.phase).toBe('ready');
  expect(host.sent.some((command) => command.kind === 'restart_model_server' || command.kind === 'reboot')).toBe(false);
});

it('one whose answers cannot be used passes its readiness check again before it gets calls, and is not quarantined', () => {
  const host = serving();
  const ask = (request: 'quarantine' | 'repair'): Reduction =>
    host.take(() => ({ kind: 'health_asked', request, failure: 'unusable_answers', reason: 'no JSON', episodeMs: 1 }));
  ask('quarantine');
  ask('repair');
  expect(host.sent.filter((command) => command.kind === 'alert')).toHaveLength(1);
  expect(host.state).toMatchObject({ phase: 'booting', reason: 'unusable_answers: no JSON' });
  host.drain();
  host.take(() => ({ kind: 'waited', commandId: host.openId('wait') }));
  expect(host.sent.at(-1)).toEqual({ kind: 'serve', id: expect.any(Number) as number, machine: host.state.machine });
  expect(host.state.phase).toBe('booting');
  host.passCheck();
  expect(host.state.phase).toBe('ready');
  expect(host.sent.some((command) => command.kind === 'serve' && command.watchOnly === true)).toBe(false);
});

it('an operator who cordons a quarantined one has it cordoned, not watched', () => {
  const host = serving();
  host.take(() => ({ kind: 'health_asked', request: 'quarantine', failure: 'slow', reason: 'slow', episodeMs: 1 }));
  host.ask('cordon');
  host.drain();
  expect(host.state).toMatchObject({ phase: 'cordoned', open: [] });
});
