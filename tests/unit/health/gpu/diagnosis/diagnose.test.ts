/**
 * What the doctor says of machines in health and of broken ones.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mostSlots, neededVramGib } from '../../../../../domain/fleet/selection/model-fit.ts';
import { diagnoseCommand } from '../../../../../domain/health/gpu/commands.ts';
import {
  capabilityByName,
  cudaBuildFor,
  driverBranch,
} from '../../../../../domain/health/gpu/diagnosis/compatibility.ts';
import { diagnose } from '../../../../../domain/health/gpu/diagnosis/diagnose.ts';
import type { DiagnosisFacts, MachineFacts } from '../../../../../domain/health/gpu/diagnosis/facts.ts';
import type { FindingLevel, GpuDiagnosis, GpuFinding } from '../../../../../domain/health/gpu/diagnosis/finding.ts';
import { readDiagnosis } from '../../../../../domain/health/gpu/diagnosis/read-machine.ts';
import { machineFaultSchema, type MachineFaultInput } from '../../../../../simulators/machine/faults.ts';
import { answerCommand } from '../../../../../simulators/machine/shell.ts';
import { addFaults, bootMachine } from '../../../../../simulators/machine/state.ts';
import { forAll } from '../../../../../testing/property.ts';

const GIB = 1024 ** 3;

/** A simulated H100 as its shell describes it. */
function outputOf(...faults: MachineFaultInput[]): string {
  const state = bootMachine(0);
  addFaults(
    state,
    faults.map((fault) => machineFaultSchema.parse(fault)),
    0,
  );
  const gpus = { name: 'H100 SXM5 80GB', count: 1, vramGibEach: 80 };
  const answer = answerCommand({ state, gpus, capability: '9.0', parallel: 4 }, diagnoseCommand('ollama'), 0);
  return answer.kind === 'said' ? answer.output : '';
}

const machineOf = (...faults: MachineFaultInput[]): MachineFacts => readDiagnosis(outputOf(...faults));

const inMemory = (name: string, vramGib: number, sizeGib: number): DiagnosisFacts['loaded'][number] => ({
  name,
  sizeBytes: sizeGib * GIB,
  vramBytes: vramGib * GIB,
});
const GEMMA = inMemory('gemma3:12b', 18, 18);

const needs = (weightsGib: number, cacheGib: number) => ({
  weightsBytes: weightsGib * GIB,
  kvCacheBytesPerSlot: cacheGib * GIB,
});

const SOUND: DiagnosisFacts = {
  target: 'visual-0',
  atMs: 0,
  machine: machineOf(),
  machineMessage: null,
  server: {
    kind: 'ollama',
    url: 'http://127.0.0.1:11434',
    version: '0.32.7',
    support: 'supported',
    supportedVersions: '0.24 to 0.34',
    message: null,
    isReader: false,
  },
  loaded: [GEMMA],
  models: [
    { name: 'gemma3:12b', numCtx: 32_768, ...needs(7.6, 2.5), installed: true, cacheFrom: 'model' },
    { name: 'phi4:latest', numCtx: 16_384, ...needs(8.5, 3.2), installed: true, cacheFrom: 'configuration' },
  ],
  generation: {
    kind: 'answered',
    model: 'gemma3:12b',
    loadMs: 0,
    generationMs: 420,
    sizeBytes: 18 * GIB,
    vramBytes: 18 * GIB,
  },
  parallel: 4,
};

const withMachine = (...faults: MachineFaultInput[]): DiagnosisFacts => ({ ...SOUND, machine: machineOf(...faults) });
const withDriver = (change: (output: string) => string): DiagnosisFacts => ({
  ...SOUND,
  machine: readDiagnosis(change(outputOf())),
});
const replaced = (from: string | RegExp, to: string): DiagnosisFacts => withDriver((o) => o.replace(from, to));
const given = (facts: Partial<DiagnosisFacts>): DiagnosisFacts => ({ ...SOUND, ...facts });
const generated = (vramBytes: number, sizeBytes = GIB): DiagnosisFacts =>
  given({ generation: { kind: 'answered', model: 'm', loadMs: 9, generationMs: 9, sizeBytes, vramBytes } });
const failed = (message: string): DiagnosisFacts => given({ generation: { kind: 'failed', model: 'm', message } });
const loaded = (...models: DiagnosisFacts['loaded']): DiagnosisFacts => given({ loaded: models });
const installed = (is: boolean | null): DiagnosisFacts['models'] =>
  SOUND.models.map((model) => ({ ...model, installed: is }));
const ofDriver = (version: string, capability = '9.0'): DiagnosisFacts =>
  withDriver((o) => o.replaceAll('580.95.05', version).replace('0, 9.0', `0, ${capability}`));
const NO_DRIVER: [RegExp, string] = [
  /@@deckhand gpu\n[\s\S]*?@@deckhand gpu-exit\n0/u,
  '@@deckhand gpu\nsh: nvidia-smi: not found\n@@deckhand gpu-exit\n127',
];
/** A machine with another value of a setting, which is also the name of what is found. */
const setting = (name: string, value: string): [DiagnosisFacts, string] => {
  const machine = machineOf();
  return [given({ machine: { ...machine, settings: { ...machine.settings, [name]: value } } }), name];
};
const of = ({ findings }: GpuDiagnosis, name: string): [FindingLevel | undefined, string] => {
  const finding = findings.find((one) => one.name === name);
  return [finding?.level, `${finding?.found ?? ''} → ${finding?.fix ?? ''}`];
};

it('a machine in health has nothing to fix', () => {
  const report = diagnose(SOUND);
  expect(report.findings.filter((f) => f.level !== 'ok')).toEqual([]);
  expect(report).toMatchObject({ level: 'ok', target: 'visual-0' });
  expect(report.findings.map((f) => f.name)).toEqual([
    'driver',
    'kernel module',
    'unified memory',
    'GPU 0',
    'GPU 0 errors',
    'GPU 0 memory',
    'GPU 0 temperature',
    'GPU 0 power',
    'GPU 0 persistence',
    'memory in use',
    'Ollama',
    'computes on',
    'models in memory',
    'generation',
    'OLLAMA_NUM_PARALLEL',
    'OLLAMA_MAX_LOADED_MODELS',
    'OLLAMA_KEEP_ALIVE',
    'OLLAMA_FLASH_ATTENTION',
    'disk of the models',
    'gemma3:12b',
    'phi4:latest',
    'together',
  ]);
  expect(of(report, 'phi4:latest')[1]).toContain('(estimate)');
});

describe('a broken one', () => {
  const broken: [string, DiagnosisFacts, string, FindingLevel][] = [
    ['XID 79', withMachine({ kind: 'xid', xid: 79 }), 'GPU 0', 'fail'],
    ['XID 119', withMachine({ kind: 'xid', xid: 119 }), 'GPU 0 errors', 'fail'],
    ['XID 94', withMachine({ kind: 'xid', xid: 94 }), 'GPU 0 errors', 'warn'],
    ['XID 63', withMachine({ kind: 'xid', xid: 63 }), 'GPU 0 errors', 'ok'],
    ['no GPU', withMachine({ kind: 'no_gpu' }), 'GPU', 'fail'],
    ['worn memory', withMachine({ kind: 'row_remap', state: 'failed' }), 'GPU 0 memory', 'fail'],
    ['a remap that waits', withMachine({ kind: 'row_remap' }), 'GPU 0 memory', 'warn'],
    ['memory errors', withMachine({ kind: 'ecc', uncorrected: 2 }), 'GPU 0 memory', 'fail'],
    ['heat', withMachine({ kind: 'overheating', marginC: 1 }), 'GPU 0 temperature', 'fail'],
    ['a full disk', withMachine({ kind: 'disk_full' }), 'disk of the models', 'fail'],
    ['no driver', replaced(...NO_DRIVER), 'driver', 'fail'],
    ['a driver too old', ofDriver('515.105.01'), 'driver', 'fail'],
    ['an old driver', ofDriver('535.54.03'), 'driver', 'warn'],
    ['an old GPU with a driver too old for it', ofDriver('565.57.01', '6.1'), 'driver', 'fail'],
    ['a GPU too old', replaced('0, 9.0', '0, 3.7'), 'GPU 0', 'fail'],
    ['a module that is not the driver’s', replaced('x86_64  580.95.05', 'x86_64  580.65.06'), 'kernel module', 'fail'],
    ['no unified memory', replaced(/nvidia_uvm 4096.*\n/u, ''), 'unified memory', 'warn'],
    ['persistence off', replaced('persistence_mode>Enabled', 'persistence_mode>Disabled'), 'GPU 0 persistence', 'warn'],
    ['slices', replaced('<current_mig>Disabled', '<current_mig>Enabled'), 'GPU 0 slices', 'warn'],
    ['a low power limit', replaced('<current_power_limit>700', '<current_power_limit>300'), 'GPU 0 power', 'warn'],
    ['the CPU in the log', replaced('library=CUDA', 'library=cpu'), 'computes on', 'fail'],
    ['crashes', replaced('NRestarts=0', 'NRestarts=7'), 'crashes', 'warn'],
    ['the CPU in a generation', generated(0), 'generation', 'fail'],
    ['a model half on the GPU', generated(GIB, 2 * GIB), 'generation', 'warn'],
    ['a wedged runner', failed('did not answer within 20000 ms'), 'generation', 'fail'],
    ['no server', given({ server: { ...SOUND.server, message: 'ECONNREFUSED' } }), 'Ollama', 'fail'],
    ['an old server', given({ server: { ...SOUND.server, version: '0.12.0', support: 'older' } }), 'Ollama', 'fail'],
    ['too few slots', ...setting('OLLAMA_NUM_PARALLEL', '1'), 'warn'],
    ['slots not set', ...setting('OLLAMA_NUM_PARALLEL', ''), 'warn'],
    ['models that push each other out', ...setting('OLLAMA_MAX_LOADED_MODELS', '1'), 'warn'],
    ['flash attention off', ...setting('OLLAMA_FLASH_ATTENTION', 'false'), 'warn'],
    ['a hidden GPU', ...setting('CUDA_VISIBLE_DEVICES', '-1'), 'fail'],
    ['a library without GPU', ...setting('OLLAMA_LLM_LIBRARY', 'cpu_avx2'), 'fail'],
    ['memory that something else takes', loaded(), 'memory in use', 'warn'],
    ['a model that was loaded onto the CPU', loaded(GEMMA, inMemory('phi4:latest', 0, 10)), 'models in memory', 'fail'],
    [
      'a model that was loaded onto the GPU in part',
      loaded(inMemory('gemma3:12b', 16, 18)),
      'models in memory',
      'warn',
    ],
    [
      'a machine that runs no command',
      given({ machine: null, machineMessage: 'the connection was closed' }),
      'machine',
      'fail',
    ],
    [
      'a GPU that was there before the last start of the server',
      withDriver((o) =>
        o.replace(
          /(.*library=CUDA.*)/u,
          'msg="server config" env="map[OLLAMA_NUM_PARALLEL:4]"\n$1\nmsg="server config" env="map[OLLAMA_NUM_PARALLEL:4]"\nmsg="inference compute" id=cpu library=cpu compute="" name=cpu',
        ),
      ),
      'computes on',
      'fail',
    ],
    ['models too large together', replaced('<total>81920 MiB', '<total>40960 MiB'), 'together', 'warn'],
    ['a model too large', replaced('<total>81920 MiB', '<total>16384 MiB'), 'gemma3:12b', 'fail'],
    ['a model that is missing', given({ models: installed(false) }), 'gemma3:12b', 'warn'],
  ];

  it.each(broken)('%s', (_what, facts, name, level) => {
    const report = diagnose(facts);
    expect(of(report, name)[0]).toBe(level);
    expect(report.level).toBe(level);
  });

  it('every finding in words, with what to do', async () => {
    const inWords = ({ level, name, found, fix }: GpuFinding): string =>
      `  ${level} ${name}: ${found}${fix === null ? '' : ` → ${fix}`}`;
    const sentences = [
      'in health',
      ...diagnose(SOUND).findings.map(inWords),
      ...broken.flatMap(([what, facts, name]) => [
        what,
        ...diagnose(facts)
          .findings.filter((one) => one.level !== 'ok' || one.name === name)
          .map(inWords),
      ]),
    ];
    await expect(sentences.join('\n')).toMatchFileSnapshot('snapshots/findings.txt');
  });

  it('a server reached by URL: what cannot be looked at is skipped by name, and the rest is judged', () => {
    const report = diagnose({ ...SOUND, machine: null });
    expect(report.level).toBe('ok');
    const expected = ['driver', 'computes on', 'settings', 'disk of the models', 'gemma3:12b', 'phi4:latest'];
    expect(report.findings.filter((f) => f.level === 'skipped').map((f) => f.name)).toEqual(expected);
  });

  it('the models of a model server that does not answer are not called missing', () => {
    const server = { ...SOUND.server, message: 'ECONNREFUSED' };
    const report = diagnose({ ...SOUND, models: installed(null), server });
    expect(of(report, 'gemma3:12b')[0]).toBe('ok');
    expect(report.findings.filter(({ level }) => level !== 'ok').map(({ name }) => name)).toEqual(['Ollama']);
  });

  it('a model that is missing is said where the graphics memory is not known, too', () => {
    const report = diagnose({ ...SOUND, models: installed(false), machine: null });
    expect(of(report, 'gemma3:12b')).toEqual(['warn', expect.stringContaining('not installed → `ollama pull')]);
  });

  it('words of a machine reach no terminal as more than words', () => {
    const server = { ...SOUND.server, version: `0.32.7\u001B]0;title\u0007\n✓ all is well` };
    const report = diagnose({ ...SOUND, server });
    expect(report.findings.map(({ found }) => found).join('')).not.toMatch(/\p{Cc}/u);
    expect(of(report, 'Ollama')[1]).toContain('0.32.7 ]0;title ✓ all is well at http');
  });

  it('a model on the CPU that is not ours is listed and not judged', () => {
    const report = diagnose(loaded(GEMMA, inMemory('embedder:small', 0, 1)));
    const expected = ['ok', expect.stringContaining('embedder:small 1.0 GiB on the CPU')];
    expect(of(report, 'models in memory')).toEqual(expected);
  });

  it('a server that is started by hand, beside a service that does not run: the service’s settings are not taken for its own', () => {
    const output = outputOf().replace(/ActiveState=active\nEnvironment=.*\n/u, 'ActiveState=inactive\nEnvironment=\n');
    const report = diagnose({ ...SOUND, machine: readDiagnosis(output) });
    expect(report.findings.filter(({ area }) => area === 'settings')).toEqual([
      expect.objectContaining({ level: 'skipped', found: 'the settings of its service cannot be read from here' }),
    ]);
    expect(of(report, 'computes on')[0]).toBe('skipped');
  });

  it('a vLLM is looked after by its own unit, and nothing of Ollama is said of it', () => {
    const server = { ...SOUND.server, kind: 'openai', version: 'vLLM 0.32.0' } as const;
    const generation = { kind: 'failed', model: 'm', message: 'no answer' } as const;
    const report = diagnose(given({ server, generation }));
    const words = report.findings.map(({ name, found, fix }) => `${name}: ${found} ${fix ?? ''}`).join('\n');
    expect(words).not.toMatch(/ollama/iu);
    expect(of(report, 'generation')[1]).toBe(
      'm: no answer → Restart the model server (`systemctl restart vllm`). Look into its log: `journalctl -u vllm`.',
    );
    const elsewhere = diagnose({ ...SOUND, machine: null, server, generation });
    expect(of(elsewhere, 'generation')[1]).toBe('m: no answer → Restart the model server. Look into its log.');
  });

  it('the built-in reader needs no GPU', () => {
    const { machine } = replaced(...NO_DRIVER);
    const report = diagnose(given({ server: { ...SOUND.server, isReader: true }, machine }));
    expect(report.level).toBe('ok');
  });
});

describe('what the report rests on', () => {
  it('every finding that is no “ok” of a machine says what to do, whatever the machine prints', async () => {
    const whole = outputOf({ kind: 'xid', xid: 94 });
    await forAll([fc.nat(whole.length), fc.nat(300), fc.string({ maxLength: 20 })], (at, length, put) => {
      const report = diagnose({
        ...SOUND,
        machine: readDiagnosis(whole.slice(0, at) + put + whole.slice(at + length)),
      });
      for (const { level, fix, found, name } of report.findings) {
        expect(found, name).not.toBe('');
        if (level === 'warn' || level === 'fail') expect(fix, name).toBeTruthy();
      }
    });
  });

  it('room is said for as many calls as fit, and for not one more', async () => {
    const gib = fc.integer({ min: 1, max: 3000 }).map((tenths) => tenths / 10);
    const need = fc.record({ modelName: fc.constant('m'), weightsGib: gib, kvCacheGibPerSlot: gib });
    await forAll([fc.array(need, { minLength: 1, maxLength: 3 }), gib], (models, vramGib) => {
      const slots = mostSlots(models, vramGib);
      expect(slots).toBeGreaterThanOrEqual(0);
      if (slots > 0) expect(neededVramGib(models, slots)).toBeLessThanOrEqual(vramGib + 1e-6);
      expect(neededVramGib(models, slots + 1)).toBeGreaterThan(vramGib - 1e-6);
    });
  });

  it.each([
    ['NVIDIA H100 80GB HBM3', 9],
    ['NVIDIA H200', 9],
    ['NVIDIA A100-SXM4-80GB', 8],
    ['NVIDIA L40S', 8.9],
    ['NVIDIA L4', 8.9],
    ['Tesla T4', 7.5],
    ['NVIDIA RTX A6000', 8.6],
    ['NVIDIA A10G', 8.6],
    ['NVIDIA RTX 6000 Ada Generation', 8.9],
    ['NVIDIA GeForce RTX 4090', 8.9],
    ['NVIDIA GeForce RTX 3080', 8.6],
    ['NVIDIA GeForce RTX 5090', 12],
    ['NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition', 12],
    ['NVIDIA B200', 10],
    ['Tesla V100-SXM2-16GB', 7],
    ['GeForce GTX 1070 Ti', 6.1],
    ['Tesla P40', 6.1],
    ['Tesla K80', 3.7],
    ['Voodoo 2', null],
  ])('the compute capability of a %s is %s', (name, capability) => expect(capabilityByName(name)).toBe(capability));

  it('Ollama takes the newest build that driver and GPU run', () => {
    expect(cudaBuildFor(driverBranch('590.44.01') ?? 0, 12)?.library).toBe('cuda_v13');
    expect(cudaBuildFor(580, 7)?.library).toBe('cuda_v12');
    expect(cudaBuildFor(555, 8.9)?.library).toBe('cuda_v12');
    expect(cudaBuildFor(470, 8)).toBeNull();
    expect(driverBranch('N/A')).toBeNull();
  });

  it('settings are read from the unit, and from the log where the server said them last', () => {
    const log = [
      'time=2026-01-01 level=INFO source=routes.go:1 msg="server config" env="map[CUDA_VISIBLE_DEVICES: OLLAMA_KEEP_ALIVE:5m0s OLLAMA_NUM_PARALLEL:1 OLLAMA_ORIGINS:[http://a http://b] OLLAMA_FLASH_ATTENTION:false]"',
      'time=2026-01-01 level=INFO source=types.go:130 msg="inference compute" id=GPU-d6 library=cuda variant=v12 compute=7.5 driver=12.1 name="NVIDIA GeForce RTX 2080 Ti" total="11.0 GiB"',
    ].join('\n');
    const output = `@@deckhand service\nActiveState=active\nEnvironment=OLLAMA_NUM_PARALLEL=4 "OLLAMA_HOST=127.0.0.1:11434"\nNRestarts=2\n@@deckhand model-log\n${log}\n@@deckhand end`;
    const facts = readDiagnosis(output);
    expect(facts.settings).toMatchObject({
      OLLAMA_NUM_PARALLEL: '1',
      OLLAMA_HOST: '127.0.0.1:11434',
      OLLAMA_FLASH_ATTENTION: 'false',
      CUDA_VISIBLE_DEVICES: '',
    });
    expect(facts.restarts).toBe(2);
    expect(facts.devices).toEqual([{ library: 'cuda', compute: '7.5', description: 'NVIDIA GeForce RTX 2080 Ti' }]);
  });

  it('a real driver’s report goes in as it is', () => {
    const xml = readFileSync(
      path.resolve(import.meta.dirname, '../../../../fixtures/nvidia-smi/a100-mig-535.xml'),
      'utf8',
    );
    const report = diagnose({
      ...SOUND,
      machine: readDiagnosis(`@@deckhand gpu\n${xml}\n@@deckhand gpu-exit\n0\n@@deckhand end`),
    });
    expect(of(report, 'GPU 0')[1]).toContain('compute capability 8.0');
    expect(of(report, 'GPU 0 slices')[0]).toBe('warn');
    expect(of(report, 'driver')[0]).toBe('warn');
  });
});
