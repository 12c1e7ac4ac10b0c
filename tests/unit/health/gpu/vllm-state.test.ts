/** How far a machine's vLLM has come, as its shell says it. */
import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { readVllmState, VLLM_STATE_COMMAND } from '../../../../domain/health/gpu/vllm-state.ts';

it.each([
  [
    'SubState=running\nWeightsKib=2048\nLog=downloading Qwen/Qwen3-VL-8B-Instruct at 0123',
    { runs: true, downloads: true, weightsBytes: 2_097_152, said: 'downloading Qwen/Qwen3-VL-8B-Instruct at 0123' },
  ],
  [
    'SubState=running\nWeightsKib=17000000\nLog=INFO Loading safetensors checkpoint shards: 50%',
    { runs: true, downloads: false, said: 'INFO Loading safetensors checkpoint shards: 50%' },
  ],
  ['SubState=auto-restart\nWeightsKib=4\nLog=401 Client Error', { runs: false, said: '401 Client Error' }],
  ['SubState=dead\nWeightsKib=\nLog=-- No entries --', { runs: false, downloads: false, weightsBytes: 0, said: '' }],
  ['', { runs: false, downloads: false, weightsBytes: 0, said: '' }],
])('the output %j is understood', (output, state) => expect(readVllmState(output)).toMatchObject(state));

it('a machine without the unit, the weights and a journal answers all the same', () => {
  const output = execFileSync('sh', ['-c', VLLM_STATE_COMMAND], { encoding: 'utf8', env: { PATH: '/usr/bin:/bin' } });
  expect(readVllmState(output)).toMatchObject({ runs: false, weightsBytes: 0 });
});
