/** Reasons why a run waits while models have its calls. */
import { defaultDataConverter, type LoadedDataConverter } from '@temporalio/common';
import { encodeToPayloads } from '@temporalio/common/lib/internal-non-workflow/codec-helpers.js';
import { expect, it } from 'vitest';
import { phaseOf, runningReason, type RunningCall } from '../../../activities/decks/waiting/running.ts';

const NOW_MS = 1_000_000;
const READING = { promptTokensOf: (name: string) => (name === 'answerQuestion' ? 5090 : null), readTokensPerSec: 18 };
const call = (phase: RunningCall['phase'], seconds = 60, name = 'answerQuestion'): RunningCall => ({
  name,
  phase,
  startedAtMs: NOW_MS - seconds * 1000,
});

it.each([
  ['a free slot of the model server', [call('waiting')]],
  ['a model that is loaded', [call('waiting'), call('loading')]],
  ['a model that reads a prompt of about 5,100 tokens, 4 min 43 s at its speed', [call('loading'), call('prompting')]],
  ['a model that reads a prompt', [call('prompting', 60, 'giveSlideFeedback')]],
  [null, [call('prompting'), call('generating')]],
  [null, [call('prompting', 1)]],
  [null, []],
])('%s', (reason, calls) => expect(runningReason(calls, NOW_MS, READING)).toBe(reason));

it('the length of a prompt is left out where it is not known, and its time where the speed is not', () => {
  expect(runningReason([call('prompting')], NOW_MS, null)).toBe('a model that reads a prompt');
  expect(runningReason([call('prompting')], NOW_MS, { ...READING, readTokensPerSec: null })).toBe(
    'a model that reads a prompt of about 5,100 tokens',
  );
});

it('reads the phase of a call from its heartbeat, and none from what is no phase', async () => {
  const loadedDataConverter: LoadedDataConverter = defaultDataConverter;
  const client = { options: { loadedDataConverter } } as unknown as Parameters<typeof phaseOf>[0];
  const heartbeat = async (details: unknown) => ({
    payloads: (await encodeToPayloads(loadedDataConverter, details)) ?? [],
  });
  expect(await phaseOf(client, await heartbeat({ phase: 'prompting', tokens: 0, attempt: 1 }))).toBe('prompting');
  for (const details of [null, 'prompting', { phase: 'sleeping' }, {}])
    expect(await phaseOf(client, await heartbeat(details))).toBeNull();
  expect(await phaseOf(client, null)).toBeNull();
});
