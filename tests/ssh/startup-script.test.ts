/**
 * The generated scripts under shellcheck: the startup script itself and those it puts on the machine, the set-up of machines of one's own, and the
 * steps of the images of model servers.
 */
import { spawnSync } from 'node:child_process';
import { DEFAULT_LANGUAGE_PROFILE, PRESETS } from '../../domain/models/catalog/presets.ts';
import { expect, it } from 'vitest';
import { startupScript, type StartupScriptOptions } from '../../domain/fleet/startup-script/startup-script.ts';
import { deadManScript } from '../../domain/fleet/startup-script/dead-man.ts';
import { SETUP_CLASSES, setupText, imageDockerfile } from '../../cli/setup/print.ts';
import { modelCacheScript } from '../../domain/fleet/startup-script/model-cache.ts';
import { modelsScript } from '../../domain/fleet/startup-script/models.ts';
import { vllmScript } from '../../domain/fleet/startup-script/vllm.ts';
import { dockerStages } from '../../testing/dockerfile.ts';

const OPTIONS: StartupScriptOptions = {
  publicKey: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILe7mmhodAhp3yK0tEEHckHHJfopLkiftHUvL+sdflJp deckhand-test',
  models: ['gemma3:12b', 'phi4'],
  parallel: 4,
  loadTimeoutMs: 1_200_000,
  deadManMs: 3_600_000,
};

const VLLM = {
  name: 'qwen3-vl:8b-instruct',
  repository: 'Qwen/Qwen3-VL-8B-Instruct',
  revision: '0123456789abcdef0123456789abcdef01234567',
  windowTokens: 32_768,
  seesPictures: true,
};

const CACHE = { source: 'nfs.fin-01.example.org:/share-1', mountPath: '/mnt/models' };

const setup = (gpu: string | undefined, work?: (typeof SETUP_CLASSES)[number], profile = 'ollama'): string =>
  setupText({ engine: 'ollama', gpu, work, format: 'script', parallel: 4, catalog: PRESETS, profile });
const STEPS = SETUP_CLASSES.flatMap((work) =>
  dockerStages(imageDockerfile(work))
    .flat()
    .filter(({ name, value }) => name === 'RUN' && value.startsWith('#!'))
    .map(({ value }, index): [string, string] => [`step ${index} of the image ${work}`, value]),
);

it.each([
  ['all', startupScript(OPTIONS)],
  ['without models', startupScript({ ...OPTIONS, models: [] })],
  ['one slot, another port', startupScript({ ...OPTIONS, sshPort: 2222, parallel: 1, deadManMs: 300_000 })],
  ['another release', startupScript({ ...OPTIONS, ollama: { version: '9.9.9', sha256: 'f'.repeat(64) } })],
  ['with a cache of models', startupScript({ ...OPTIONS, cache: CACHE })],
  ['with vLLM', startupScript({ ...OPTIONS, vllm: VLLM })],
  ['vLLM', vllmScript(VLLM, 4)],
  ['vLLM for text', vllmScript({ ...VLLM, seesPictures: false }, 1)],
  ['dead-man', deadManScript(3600)],
  ['models', modelsScript(['gemma3:12b', 'hf.co/someone/Model-GGUF:Q4_K_M'])],
  ['cache of models', modelCacheScript(CACHE, ['gemma3:12b', 'hf.co/someone/Model-GGUF:Q4_K_M'])],
  ['one model', modelsScript(['gemma3:12b'])],
  ['set-up for any GPU', setup(undefined)],
  ['set-up for one', setup('a100-40')],
  ['set-up of the default models', setup(undefined, undefined, DEFAULT_LANGUAGE_PROFILE)],
  ['set-up for slides on an old one', setup('v100', 'visual')],
  ...STEPS,
])('shellcheck has nothing to say: %s', (_name, text) => {
  const { stdout, status } = spawnSync('shellcheck', ['-'], { encoding: 'utf8', input: text });
  expect(stdout).toBe('');
  expect(status).toBe(0);
});
