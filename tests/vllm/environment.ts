/**
 * Makes a real vLLM (0.32.0) for the CPU into the per-user cache, once: 760 MB from PyPI, 2 GB on disk. Run it alone with
 * `node tests/vllm/environment.ts`.
 *
 * The torch that PyPI has is for CUDA. It does not load without 2 GB of NVIDIA's libraries, of which a machine without a GPU
 * uses nothing. One small library stands for them all: it has their functions, and each returns the code for `no device`.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DeckhandError } from '../../domain/errors.ts';
import { cachedFile, isCached, type Progress, runAlone } from '../../testing/cached-file.ts';
import { requireCompilers, runBuild } from '../../testing/native-build.ts';

const run = promisify(execFile);

const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');
const MAKE_MODELS = join(import.meta.dirname, 'make_models.py');
const LONG_OUTPUT_BYTES = 64 * 1024 * 1024;

const ENVIRONMENT = {
  name: 'vllm',
  title: 'vLLM for the CPU',
  version: `0.32.0-${digestOf(REQUIREMENTS)}`,
  takes: '760 MB from PyPI, 2 minutes on two cores',
} as const;
const MODELS = {
  name: 'vllm-models',
  title: 'the tiny models of vLLM',
  version: digestOf(MAKE_MODELS),
  takes: 'seconds',
} as const;

/** The models that are made. `text` cannot see. */
export type TinyModel = 'text' | 'vision';

/** The parts that a server is started from. */
interface Vllm {
  /** Path of a Python that has vLLM. */
  readonly python: string;
  /** Folder with one folder per tiny model. */
  readonly models: string;
  /** Folder for what vLLM finds out about its models, which takes ten seconds of each start without it. */
  readonly cache: string;
}

/** Whether the Python with vLLM is in the cache. */
export const isVllmMade = (): boolean => isCached(ENVIRONMENT);

/**
 * A Python with vLLM, and the tiny models, made first if they are not in the cache.
 * @throws DeckhandError `dependency_missing` that names what is missing
 */
export async function ensureVllm(progress: Progress = () => undefined): Promise<Vllm> {
  const environment = await cachedFile(ENVIRONMENT, progress, (work) =>
    makeEnvironment(join(work, ENVIRONMENT.name), progress),
  );
  const python = join(environment, 'bin', 'python');
  const models = await cachedFile(MODELS, progress, async (work) => {
    await run(python, [MAKE_MODELS, join(work, MODELS.name)]);
  });
  return { python, models, cache: join(environment, 'cache') };
}

async function makeEnvironment(folder: string, progress: Progress): Promise<void> {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new DeckhandError('dependency_missing', 'vLLM for the CPU is made for Linux on x86-64 alone');
  await requireCompilers(ENVIRONMENT.title);
  await run('python3', ['-m', 'venv', folder]).catch((cause: unknown) => {
    const hint = 'apt-get install python3 python3-venv, of version 3.11 to 3.14';
    throw new DeckhandError('dependency_missing', `${ENVIRONMENT.title} needs python3 with venv`, { hint, cause });
  });
  const python = join(folder, 'bin', 'python');
  // Wheels alone: nothing of a package is run. What is not imported is not compiled.
  const pip = ['-m', 'pip', 'install', '--disable-pip-version-check', '--no-input', '--no-compile'] as const;
  const wheels = ['--no-deps', '--only-binary', ':all:', '--requirement', REQUIREMENTS] as const;
  await runBuild({ title: 'pip install', command: [python, ...pip, ...wheels], cwd: folder }, progress);
  await standInForNvidia(folder);
  await runBuild(
    { title: 'import vllm', command: [python, '-c', 'import vllm.entrypoints.openai.api_server'], cwd: folder },
    progress,
  );
}

/** Puts a library where torch looks for those of NVIDIA, under all their names. */
async function standInForNvidia(folder: string): Promise<void> {
  const packages = join(folder, 'lib', 'python3.*', 'site-packages');
  const users = globSync(['torch/lib/*.so*', 'torchvision/*.so'].map((pattern) => join(packages, pattern)));
  const [torch] = globSync(join(packages, 'torch'));
  if (torch === undefined) throw new DeckhandError('dependency_missing', `torch is not in ${folder}`);
  const undefinedSymbols = await outputOf('nm', '--dynamic', '--undefined-only', ...users);
  const found = undefinedSymbols.matchAll(/ (?<name>(?:__cuda|cu|nv|nccl)\w+)(?:@(?<version>\S+))?$/gmu);
  const names = new Set<string>();
  // A symbol that is looked for with a version has to be there with that version.
  const ofVersion = new Map<string, Set<string>>();
  for (const { groups: { name = '', version } = {} } of found) {
    names.add(name);
    if (version !== undefined) ofVersion.set(version, (ofVersion.get(version) ?? new Set()).add(name));
  }
  const libraries = new Set<string>();
  for (const [, name = ''] of (await outputOf('readelf', '--dynamic', ...users)).matchAll(
    /NEEDED.*\[(lib(?:cu|nv|nccl).*)\]/gu,
  ))
    libraries.add(name);

  const target = join(torch, '..', 'nvidia', 'cu13', 'lib');
  await mkdir(target, { recursive: true });
  const labels = [...names].map((name) => `.globl ${name}\n.type ${name},@function\n${name}:\n`);
  // 100 is cudaErrorNoDevice.
  await writeFile(
    join(target, 'code.s'),
    `.text\n${labels.join('')}mov $100,%eax\nret\n.section .note.GNU-stack,"",@progbits\n`,
  );
  const versions = [...ofVersion].map(([version, of]) => `${version} { ${[...of].join('; ')}; };\n`);
  await writeFile(join(target, 'versions.map'), versions.join(''));
  const gcc = ['-shared', '-nostdlib', '-Wl,--version-script,versions.map', 'code.s', '-o', 'nvidia.so'];
  await run('gcc', gcc, { cwd: target });
  await Promise.all([...libraries].map((name) => symlink('nvidia.so', join(target, name))));
}

async function outputOf(program: string, ...args: readonly string[]): Promise<string> {
  return (await run(program, [...args], { maxBuffer: LONG_OUTPUT_BYTES })).stdout;
}

function digestOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 8);
}

if (import.meta.main) await runAlone(ENVIRONMENT, async (progress) => (await ensureVllm(progress)).python);
