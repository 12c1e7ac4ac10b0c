/** The set-up of a GPU machine of one's own: what is planned for a GPU, and the script as text and, where it only looks, as a program. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DeckhandError } from '../../../domain/errors.ts';
import { memoryGib, OWN_GPUS, ownGpu } from '../../../domain/fleet/setup/gpus.ts';
import { guardText, ownMachineScript } from '../../../domain/fleet/setup/own-machine.ts';
import { planSetup, type SetupPlan, type SetupRequest } from '../../../domain/fleet/setup/setup.ts';
import { mostSlots, neededVramGib } from '../../../domain/fleet/selection/model-fit.ts';
import { TIERS } from '../../../domain/fleet/selection/tiers.ts';
import { MODEL_SERVER_PORT, OLLAMA_RELEASE } from '../../../domain/fleet/startup-script/ollama.ts';
import { GPU_CLASSES } from '../../../domain/models/model-tasks.ts';
import { modelsToSetUp } from '../../../domain/models/catalog/lookup.ts';
import { DEFAULT_LANGUAGE_PROFILE, PRESETS } from '../../../domain/models/catalog/presets.ts';
import { MODEL_CONFIGURATIONS } from '../../../prisma/seed/model-configurations.ts';
import { forAll } from '../../../testing/property.ts';
import { folderPerFile } from '../../../testing/per-file.ts';
import { listen } from '../../../testing/server.ts';
import { refusalOf } from '../../../testing/refusal.ts';

const BOTH = modelsToSetUp(PRESETS, 'ollama', GPU_CLASSES);
const VISUAL = modelsToSetUp(PRESETS, 'ollama', ['gpu-visual']);
const dir = folderPerFile();

const planFor = (gpu: string | null, changes: Partial<SetupRequest> = {}): SetupPlan =>
  planSetup({ engine: 'ollama', gpu: gpu === null ? null : ownGpu(gpu), models: BOTH, parallel: 4, ...changes });

describe('models to set up', () => {
  it.each(['ollama', DEFAULT_LANGUAGE_PROFILE])(
    'are those of the profile %s, each once and with a digest',
    (profile) => {
      const models = modelsToSetUp(PRESETS, profile, GPU_CLASSES);
      const seeded = MODEL_CONFIGURATIONS.filter((one) => one.profile === profile).map((one) => one.modelName);
      expect(models.map((model) => model.modelName).toSorted()).toEqual([...new Set(seeded)].toSorted());
      for (const { digest } of models) expect(digest).toMatch(/^[0-9a-f]{64}$/u);
    },
  );

  it('of slides alone is the one model that sees pictures', () => {
    expect(VISUAL.map(({ modelName, seesPictures }) => [modelName, seesPictures])).toEqual([['gemma3:12b', true]]);
  });
});

describe('a GPU by name', () => {
  it.each([
    ['l4', 'l4'],
    ['NVIDIA L4', 'l4'],
    ['A10G', 'a10'],
    ['A100', 'a100-80'],
    ['a100-40gb', 'a100-40'],
    ['Tesla T4', 't4'],
    ['NVIDIA GeForce RTX 4090', 'rtx-4090'],
    ['RTX 6000 Ada', 'rtx-6000-ada'],
    ['L40S', 'l40s'],
  ])('%s is %s', (text, slug) => expect(ownGpu(text).slug).toBe(slug));

  it('every tier can be set up by its name', () => {
    for (const { slug } of TIERS) expect(ownGpu(slug).slug).toBe(slug);
  });

  it('one that is not known is refused with the known ones', () => {
    const error = refusalOf(() => ownGpu('l400s'));
    expect(error.code).toBe('usage');
    expect(error.hint).toContain('Did you mean l40s?');
    expect(refusalOf(() => ownGpu('X900')).hint).toContain('Known: ');
  });

  it('one of AMD is known by name and refused with the reason', () => {
    for (const text of ['MI300X', 'AMD Instinct MI325X'])
      expect(refusalOf(() => ownGpu(text)).message).toContain("work with NVIDIA's driver only");
  });
});

describe('the plan for a GPU', () => {
  it('makes as many parallel calls as Deckhand where they fit', () => {
    expect(planFor('h100')).toMatchObject({ parallel: 4, notes: [] });
  });

  it('makes fewer where no more fit, and says how to tell Deckhand', () => {
    const { parallel, notes } = planFor('a100-40');
    expect(parallel).toBe(3);
    expect(notes).toEqual([expect.stringContaining('DECKHAND_MODEL_CONCURRENCY=3')]);
  });

  it('refuses both models on an L4, by the memory that its driver reports, and takes it for slides', () => {
    const error = refusalOf(() => planFor('l4'));
    expect(error).toMatchObject({ code: 'model_fits_no_offer' });
    expect(error.userMessage).toContain('24.0 GiB');
    expect(error.userMessage).toContain('22.5 GiB');
    expect(error.hint).toContain('--class visual');
    expect(planFor('l4', { models: VISUAL }).parallel).toBe(4);
  });

  it('refuses a single model on a GPU that is too small, without the advice to leave one out', () => {
    const models = modelsToSetUp(PRESETS, 'ollama', ['gpu-visual']).map((model) => ({ ...model, weightsGib: 20 }));
    const error = refusalOf(() => planFor('l4', { models }));
    expect(error).toMatchObject({ code: 'model_fits_no_offer' });
    expect(error.hint).not.toContain('--class');
  });

  it('refuses a K80 by its compute capability', () => {
    expect(refusalOf(() => planFor('k80')).message).toContain('compute capability 3.7');
  });

  it('the command refuses vLLM by name, and says how one is used', () => {
    const error = refusalOf(() => planFor('h100', { engine: 'vllm' }));
    expect(error.code).toBe('usage');
    expect(error.message).toContain('vLLM');
  });

  it('refuses a model without a digest', () => {
    const models = BOTH.map((model) => ({ ...model, digest: '' }));
    const refusal = refusalOf(() => planFor('h100', { models }));
    expect(refusal.code).toBe('model_not_configured');
    expect(refusal.userMessage).toContain(`${BOTH[0]?.modelName ?? ''}: its digest is not known`);
  });

  it('refuses a name that a shell would read', () => {
    const models = BOTH.map((model) => ({ ...model, modelName: 'a$(b)' }));
    expect(refusalOf(() => planFor('h100', { models })).message).toBe('a$(b) cannot stand in a script');
  });

  it('never plans more calls than fit or are asked for, and refuses only where not even one fits', () =>
    forAll(
      [fc.constantFrom(...OWN_GPUS), fc.integer({ min: 1, max: 64 }), fc.constantFrom(BOTH, VISUAL)],
      {},
      (gpu, parallel, models) => {
        const room = mostSlots(models, memoryGib(gpu));
        try {
          const plan = planSetup({ engine: 'ollama', gpu, models, parallel });
          expect(plan.parallel).toBe(Math.min(parallel, room));
          expect(neededVramGib(models, plan.parallel)).toBeLessThanOrEqual(memoryGib(gpu));
          expect(plan.notes.length).toBe(plan.parallel < parallel ? 1 : 0);
        } catch (error) {
          expect(error).toBeInstanceOf(DeckhandError);
          expect(room === 0 || gpu.slug === 'k80').toBe(true);
        }
      },
    ));
});

describe('the set-up script', () => {
  const script = ownMachineScript(planFor('h100'));

  it('is sound shell, and the same for the same plan', () => {
    const run = spawnSync('bash', ['-n'], { encoding: 'utf8', input: script });
    expect(run).toMatchObject({ status: 0, stderr: '' });
    expect(ownMachineScript(planFor('h100'))).toBe(script);
  });

  it('has the pinned release, both digests, loopback only and the parallel calls of the plan', () => {
    expect(script).toContain(OLLAMA_RELEASE.sha256);
    for (const { modelName, digest } of BOTH) expect(script).toContain(`[${modelName}]=${digest}\n`);
    expect(script).toContain('Environment=OLLAMA_HOST=127.0.0.1:11434\n');
    expect(script).toContain('Environment=OLLAMA_NUM_PARALLEL=4\n');
    expect(script).not.toContain('0.0.0.0');
  });

  it('leaves SSH and firewall of the machine alone, and never shuts it down', () => {
    expect(script).not.toMatch(/sshd|authorized_keys|\bnft\b|\bufw\b|poweroff|dead-man/u);
  });

  it('looks before it writes anything', () => {
    const checks = ['\ncheck_machine\n', '\ncheck_tools\n', '\ncheck_port\n', '\ncheck_gpu\n'];
    const places = [...checks, 'mkdir -p', 'fetch_ollama()'].map((text) => script.indexOf(text));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it('says what fewer calls mean in its head', () => {
    expect(ownMachineScript(planFor('a100-40')).split('set -E')[0]).toContain('DECKHAND_MODEL_CONCURRENCY=3');
  });
});

/** A folder for PATH in which these tools are found, and programs of the shell by name. */
function binWith(tools: readonly string[], programs: Readonly<Record<string, string>>): string {
  const bin = mkdtempSync(path.join(dir, 'bin-'));
  for (const tool of tools) {
    const found = spawnSync('bash', ['-c', `command -v ${tool}`], { encoding: 'utf8' }).stdout.trim();
    symlinkSync(found, path.join(bin, tool));
  }
  for (const [name, text] of Object.entries(programs)) {
    const file = path.join(bin, name);
    writeFileSync(file, `#!/bin/sh\n${text}\n`);
    chmodSync(file, 0o755);
  }
  return bin;
}

/** What one check says with nothing but that folder in its PATH, empty when it has nothing to object to. @param guard defines the check */
function objectionOf(check: string, guard: string, bin: string): string {
  const run = spawnSync('/bin/bash', ['-c', `set -Eeuo pipefail\n${guard}\nPATH=${bin}\n${check}\n`], {
    encoding: 'utf8',
    env: { PATH: bin },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  expect(run.status).toBe(run.stderr === '' ? 0 : 1);
  return run.stderr.trim();
}

describe('what the script sees of a machine', () => {
  const guard = guardText(planFor(null));
  const PRESENT = 'exit 0';

  it.each<[string, readonly string[]]>([
    ['apt-get', ['apt-get']],
    ['curl and zstd', ['curl', 'zstd']],
  ])('one with %s passes', (_what, tools) => {
    const bin = binWith([], Object.fromEntries(tools.map((tool) => [tool, PRESENT])));
    expect(objectionOf('check_tools', guard, bin)).toBe('');
  });

  it.each([
    ['zstd', 'curl'],
    ['curl', 'zstd'],
  ])('one without %s and apt-get is refused with what to install', (missing, present) => {
    const said = objectionOf('check_tools', guard, binWith([], { [present]: PRESENT }));
    expect(said).toContain(`neither ${missing} nor apt-get`);
    expect(said).toContain('install curl and zstd');
  });

  /** The check of the port on one of this machine. @param unit whether the unit of an earlier run is there, and whether it is active */
  function checkPort(port: number, unit: 'absent' | 'inactive' | 'active'): string {
    const bin = binWith([], { systemctl: unit === 'active' ? 'exit 0' : 'exit 3' });
    const file = path.join(bin, 'ollama.service');
    if (unit !== 'absent') writeFileSync(file, '');
    const here = guard
      .replaceAll('/etc/systemd/system/ollama.service', file)
      .replaceAll(`127.0.0.1/${MODEL_SERVER_PORT}`, `127.0.0.1/${port}`);
    return objectionOf('check_port', here, bin);
  }

  it('another program on the port is refused with how to find it, and what to do', async () => {
    const server = createServer();
    onTestFinished(() => void server.close());
    const port = await listen(server);
    for (const unit of ['absent', 'inactive'] as const) {
      const said = checkPort(port, unit);
      expect(said).toContain(`another program answers on port ${MODEL_SERVER_PORT}`);
      expect(said).toContain('ss -ltnp');
      expect(said).toContain('./deckhand doctor --gpu');
    }
    expect(checkPort(port, 'active')).toBe('');
    server.close();
    await once(server, 'close');
    expect(checkPort(port, 'absent')).toBe('');
  });
});

describe('what the script sees of a GPU', () => {
  /** A machine whose nvidia-smi answers so; null = there is none. Returns what the check said, empty when it had nothing to object to. */
  function checkOn(fields: Readonly<Record<string, string>> | null, plan: SetupPlan): string {
    const cases = Object.entries(fields ?? {}).map(([name, text]) => `--query-gpu=${name}) printf '%s\\n' ${text};;`);
    const smi = `case "$1" in --list-gpus) ;; ${cases.join(' ')} *) exit 6;; esac`;
    const bin = binWith(['awk', 'sort'], fields === null ? {} : { 'nvidia-smi': smi });
    return objectionOf('check_gpu', guardText(plan), bin);
  }
  const H100 = { compute_cap: '9.0', driver_version: '580.95.05', 'memory.total': '81559' };

  const PASCAL = { compute_cap: '6.1', driver_version: '565.57.01', 'memory.total': '49152' };
  const { compute_cap: _, ...WITHOUT_CAPABILITY } = H100;
  const SMALL = { ...H100, 'memory.total': '23034' };

  it.each<[string, Readonly<Record<string, string>> | null, string | null, string]>([
    ['a machine that can run the models passes', H100, 'h100', ''],
    ['a machine without driver gets the command that installs one', null, 'h100', 'Install driver 531 or newer'],
    ['a machine without driver gets the word about WSL2', null, 'h100', 'WSL2: on Windows'],
    ['an old driver is refused', { ...H100, driver_version: '515.105.01' }, 'h100', 'is older than 531'],
    ['an old GPU needs the newer driver also where the GPU was not named', PASCAL, null, 'is older than 570'],
    ['an old GPU with the newer driver passes', { ...PASCAL, driver_version: '570.10' }, null, ''],
    ['a GPU that is too old for Ollama is refused', { ...H100, compute_cap: '3.7' }, null, 'compute capability 3.7'],
    ['a driver that does not know compute capabilities is judged by the rest', WITHOUT_CAPABILITY, 'h100', ''],
    ['the memory of all GPUs counts', { ...H100, 'memory.total': '23034 23034' }, null, ''],
    ['too little memory is refused with what there is', SMALL, null, '23034 MiB'],
    ['too little memory is refused with what is needed', SMALL, null, String(planFor(null).neededMib)],
  ])('%s', (_rule, fields, gpu, objection) => {
    const said = checkOn(fields, planFor(gpu));
    if (objection === '') expect(said).toBe('');
    else expect(said).toContain(objection);
  });
});
