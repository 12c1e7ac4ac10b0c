/**
 * Builds a real Ollama server (v0.24.0) from the Go module proxy into the per-user cache, once.
 *
 * The newest release whose inference engine is still inside the Go module is 0.24.0, so `go build` alone makes a working server for the
 * CPU. The module zip lacks every directory called `vendor`; the three header libraries that lived there come from Debian
 * (nlohmann-json, stb) and from another Go module (miniaudio). A lock makes a second build wait for the first, and the finished binary
 * is renamed into place, so a binary that exists is whole. Run it alone with `node tests/ollama/build.ts`.
 */
import { execFile, spawn } from 'node:child_process';
import { access, cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { DeckhandError } from '../../domain/errors.ts';
import { loadConfig } from '../../platform/config.ts';

const run = promisify(execFile);

/** The release that is built; the oldest one the client supports. */
export const REAL_OLLAMA_VERSION = '0.24.0';
const OLLAMA_MODULE = `github.com/ollama/ollama@v${REAL_OLLAMA_VERSION}`;
const MINIAUDIO_MODULE = 'github.com/gen2brain/malgo@v0.11.24';
const DEBIAN_HEADERS = [
  { file: '/usr/include/nlohmann/json.hpp', pkg: 'nlohmann-json3-dev' },
  { file: '/usr/include/stb/stb_image.h', pkg: 'libstb-dev' },
] as const;

type Progress = (line: string) => void;

export interface BuildOptions {
  /** Where finished binaries are kept; by default the user's cache of Deckhand. */
  readonly cacheDir?: string;
  /** Receives one line per step. */
  readonly onProgress?: Progress;
}

const exists = async (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Where the binary is, or will be. */
export function realOllamaPath(options: BuildOptions = {}): string {
  return join(options.cacheDir ?? loadConfig().cacheDir, `ollama-v${REAL_OLLAMA_VERSION}`, 'ollama');
}

/**
 * Returns the path of the server binary, building it first if it is not in the cache (3 to 6 minutes on two cores).
 * @throws DeckhandError `dependency_missing` that names the missing tool or package.
 */
export async function ensureRealOllama(options: BuildOptions = {}): Promise<string> {
  const binary = realOllamaPath(options);
  if (await exists(binary)) return binary;
  const progress = options.onProgress ?? (() => undefined);
  const dir = dirname(binary);
  await mkdir(dir, { recursive: true });
  await using _lock = await takeLock(join(dir, 'build.lock'), progress);
  if (await exists(binary)) return binary;
  await requireTools(progress);
  await build(dir, binary, progress);
  return binary;
}

/** Waits until no living process holds the lock file, then takes it. */
async function takeLock(path: string, progress: Progress): Promise<AsyncDisposable> {
  for (let round = 0; ; round += 1) {
    try {
      await writeFile(path, String(process.pid), { flag: 'wx' });
      return { [Symbol.asyncDispose]: () => rm(path, { force: true }) };
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
    }
    const owner = Number(await readFile(path, 'utf8').catch(() => ''));
    // An empty file is a lock being written; only a pid that is gone makes it stale.
    if (owner > 0 && !isAlive(owner)) await rm(path, { force: true });
    else {
      if (round % 20 === 0) progress(`another process (${owner}) is building Ollama; waiting`);
      await sleep(500);
    }
  }
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

async function requireTools(progress: Progress): Promise<void> {
  for (const [tool, args, how] of [
    ['go', ['version'], 'install Go 1.26 or newer from https://go.dev/dl'],
    ['gcc', ['--version'], 'apt-get install gcc g++'],
    ['g++', ['--version'], 'apt-get install g++'],
  ] as const) {
    await run(tool, [...args]).catch((cause: unknown) => {
      throw new DeckhandError('dependency_missing', `building a real Ollama needs ${tool}`, { hint: how, cause });
    });
  }
  const missing: string[] = [];
  for (const header of DEBIAN_HEADERS) if (!(await exists(header.file))) missing.push(header.pkg);
  if (missing.length === 0) return;
  const args = ['install', '-y', '--no-install-recommends', ...missing];
  const refuse = (cause?: unknown): never => {
    throw new DeckhandError(
      'dependency_missing',
      `building a real Ollama needs the header packages ${missing.join(', ')}`,
      { hint: `run as root: apt-get ${args.join(' ')}`, cause },
    );
  };
  if (process.getuid?.() !== 0) refuse();
  progress(`apt-get ${args.join(' ')}`);
  const install = () => run('apt-get', args);
  // Package lists may be absent or stale on a fresh machine: refresh them once.
  await install().catch(() => run('apt-get', ['update']).then(install).catch(refuse));
}

async function moduleDir(module: string): Promise<string> {
  const { stdout } = await run('go', ['mod', 'download', '-json', module], { maxBuffer: 1 << 22 });
  const parsed = JSON.parse(stdout) as { Dir?: string; Error?: string };
  if (parsed.Dir === undefined) {
    throw new DeckhandError('dependency_missing', `cannot download ${module}: ${parsed.Error ?? 'no reason given'}`);
  }
  return parsed.Dir;
}

async function build(dir: string, binary: string, progress: Progress): Promise<void> {
  progress(`downloading ${OLLAMA_MODULE} (28 MB)`);
  const source = await moduleDir(OLLAMA_MODULE);
  const miniaudio = await moduleDir(MINIAUDIO_MODULE);
  const work = await mkdtemp(join(dir, 'build-'));
  try {
    const tree = join(work, 'src');
    await cp(source, tree, { recursive: true });
    // The module cache is read-only, and so is its copy.
    await run('chmod', ['-R', 'u+w', tree]);
    const vendor = join(tree, 'llama/llama.cpp/vendor/miniaudio');
    await mkdir(vendor, { recursive: true });
    await cp(join(miniaudio, 'miniaudio.h'), join(vendor, 'miniaudio.h'));
    progress(`building Ollama ${REAL_OLLAMA_VERSION} for the CPU (3 to 6 minutes on two cores, once)`);
    const output = join(work, 'ollama');
    const flags = `-s -w -X=github.com/ollama/ollama/version.Version=${REAL_OLLAMA_VERSION}`;
    await goBuild(tree, ['-trimpath', '-ldflags', flags, '-o', output, '.'], progress);
    await rename(output, binary);
    progress(`built ${binary}`);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Runs `go build -v`, reporting how many packages are compiled; keeps the last lines of its output for the error. */
async function goBuild(cwd: string, args: string[], progress: Progress): Promise<void> {
  // `env` adds to the inherited environment without reading it here.
  const child = spawn('env', ['CGO_ENABLED=1', 'go', 'build', '-v', ...args], {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('close', resolve);
    child.once('error', reject);
  });
  const tail: string[] = [];
  let packages = 0;
  const startedMs = Date.now();
  const ticker = setInterval(() => {
    progress(`  ${Math.round((Date.now() - startedMs) / 1000)} s, ${packages} packages compiled`);
  }, 15_000);
  try {
    for await (const line of createInterface({ input: child.stderr })) {
      packages += 1;
      tail.push(line);
      if (tail.length > 30) tail.shift();
    }
    const code = await ended;
    if (code !== 0) {
      const message = `go build of ${OLLAMA_MODULE} ended with ${code}:\n${tail.join('\n')}`;
      throw new DeckhandError('dependency_missing', message);
    }
  } finally {
    clearInterval(ticker);
  }
}

if (import.meta.main) {
  const write = (line: string): void => void process.stderr.write(`${line}\n`);
  process.stdout.write(`${await ensureRealOllama({ onProgress: write })}\n`);
}
