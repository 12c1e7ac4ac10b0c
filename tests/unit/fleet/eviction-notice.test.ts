/** The notice of an eviction as the metadata services of three providers give it, and how a gateway watches for it. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MachineShell } from '../../../activities/gateway/machine.ts';
import {
  NOTICE_COMMAND,
  NOTICE_PROTOCOLS,
  readNotice,
  type NoticeProtocol,
} from '../../../domain/fleet/provider/eviction-notice.ts';
import { answerCommand, type SimulatedNotice } from '../../../simulators/machine/shell.ts';
import { bootMachine } from '../../../simulators/machine/state.ts';
import { forAll } from '../../../testing/property.ts';
import { watchForNotice } from '../../../workers/gateway/notice-watch.ts';

const NOW_MS = Date.UTC(2026, 10, 26, 12);

function said(notice: SimulatedNotice | undefined): string {
  const gpus = { name: 'A10G', count: 1, vramGibEach: 24 };
  const machine = { state: bootMachine(0), gpus, capability: '8.6', parallel: 4 };
  const answer = answerCommand(notice === undefined ? machine : { ...machine, notice }, NOTICE_COMMAND, 0);
  if (answer.kind !== 'said') throw new Error(answer.kind);
  return answer.output;
}

describe.each(NOTICE_PROTOCOLS)('%s', (protocol) => {
  it('gives no notice as long as nothing is taken back', () =>
    expect(readNotice(said({ protocol, endsAtMs: null }), NOW_MS)).toEqual({ kind: 'none' }));

  it('gives notice of the time', () => {
    const endsAtMs = protocol === 'gce' ? NOW_MS + 25_000 : NOW_MS + 120_000;
    expect(readNotice(said({ protocol, endsAtMs }), NOW_MS)).toEqual({ kind: 'notice', endsAtMs });
  });
});

describe('what is no notice', () => {
  it('is a machine without a metadata service', () =>
    expect(readNotice(said(undefined), NOW_MS)).toEqual({ kind: 'no_service' }));

  it('is any text that is not one', () =>
    forAll([fc.string(), fc.constantFrom('ec2', 'gce', 'azure')], (text, part) => {
      fc.pre(text.trim() !== 'TRUE');
      const output = `\n@@deckhand service\n\n@@deckhand ${part}\n${text}\n`;
      expect(readNotice(output, NOW_MS).kind).not.toBe('notice');
    }));

  it('is an event that takes nothing away', () => {
    const events = { Events: [{ EventType: 'Freeze', EventStatus: 'Scheduled', NotBefore: '' }] };
    const output = `@@deckhand service\n\n@@deckhand azure\n${JSON.stringify(events)}\n`;
    expect(readNotice(output, NOW_MS)).toEqual({ kind: 'none' });
  });
});

it.each([
  ['that has passed', new Date(NOW_MS - 60_000).toISOString()],
  ['far ahead', new Date(NOW_MS + 86_400_000).toISOString()],
  ['that is none', 'soon'],
])('a time %s is the shortest notice', (_, time) => {
  const output = `@@deckhand service\n\n@@deckhand ec2\n${JSON.stringify({ action: 'terminate', time })}\n`;
  expect(readNotice(output, NOW_MS)).toEqual({ kind: 'notice', endsAtMs: NOW_MS + 25_000 });
});

it('the command is a script that a shell reads, and ends with 0 without a service', async () => {
  // A machine without curl: nothing is asked of the network of the test.
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', NOTICE_COMMAND], { env: { PATH: '/nowhere' } });
  expect(readNotice(stdout, NOW_MS)).toEqual({ kind: 'no_service' });
});

describe('the watch of a gateway', () => {
  const log = { debug: () => undefined };
  const shellOf = (answers: readonly (SimulatedNotice | Error)[]): { shell: MachineShell; asked: () => number } => {
    let asked = 0;
    const run: MachineShell['run'] = async () => {
      const answer = answers[Math.min(asked++, answers.length - 1)];
      if (answer instanceof Error) throw answer;
      return { exitCode: 0, output: said(answer) };
    };
    return { shell: { run }, asked: () => asked };
  };
  const quiet: SimulatedNotice = { protocol: 'ec2' as NoticeProtocol, endsAtMs: null };

  it('ends with the first notice, and survives a broken connection', async () => {
    const endsAtMs = Math.ceil(Date.now() / 1000) * 1000 + 100_000;
    const { shell, asked } = shellOf([quiet, new Error('no connection'), { ...quiet, endsAtMs }]);
    const { signal } = new AbortController();
    expect(await watchForNotice({ machine: { shell }, log, signal, intervalMs: 1 })).toEqual({ endsAtMs });
    expect(asked()).toBe(3);
  });

  it('ends without one when the attachment ends, and where there is no shell', async () => {
    const end = new AbortController();
    const { shell } = shellOf([quiet]);
    const watch = watchForNotice({ machine: { shell }, log, signal: end.signal, intervalMs: 1 });
    end.abort();
    expect(await watch).toBeNull();
    expect(await watchForNotice({ machine: { shell: null }, log, signal: new AbortController().signal })).toBeNull();
  });
});
