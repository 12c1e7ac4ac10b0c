/**
 * Builds a real Ollama server (v0.24.0) from the Go module proxy into the per-user cache, once.
 *
 * The newest release whose inference engine is still inside the Go module is 0.24.0, so `go build` alone makes a working server for the
 * CPU. Without flags the compiler writes code for the oldest processor, which reads a prompt 30 times slower; it gets the vector
 * instructions of this processor. The module zip lacks every directory called `vendor`; the three header libraries that lived there come from Debian
 * (nlohmann-json, stb) and from another Go module (miniaudio). Run it alone with `node tests/ollama/build.ts`.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DeckhandError } from '../../domain/errors.ts';
import { cachedFile, isCached, type Progress, runAlone } from '../../testing/cached-file.ts';
import { go, requireGo } from '../../testing/go-binary.ts';
import { processorVectors, requireCompilers } from '../../testing/native-build.ts';

const run = promisify(execFile);

/** The release that is built; the oldest one the client supports. */
const REAL_OLLAMA_VERSION = '0.24.0';
const OLLAMA_MODULE = `github.com/ollama/ollama@v${REAL_OLLAMA_VERSION}`;
const MINIAUDIO_MODULE = 'github.com/gen2brain/malgo@v0.11.24';
const DEBIAN_HEADERS = [
  { file: '/usr/include/nlohmann/json.hpp', pkg: 'nlohmann-json3-dev' },
  { file: '/usr/include/stb/stb_image.h', pkg: 'libstb-dev' },
] as const;

/** Vector instructions, as the kernel names them and as the compiler does. Ollama's own build makes a library for each such set. */
const VECTOR_FLAGS = { avx2: '-mavx2', fma: '-mfma', f16c: '-mf16c' } as const;
const vectors = processorVectors(['avx2', 'fma', 'f16c'] as const);
const PURPOSE = 'building a real Ollama';

const TOOL = {
  name: 'ollama',
  title: 'Ollama for the CPU',
  // A cache that moves to another processor has a binary for each.
  version: [`v${REAL_OLLAMA_VERSION}`, ...vectors].join('-'),
  takes: '3 to 6 minutes on two cores',
} as const;

/** Whether the server binary is in the cache. */
export const isOllamaBuilt = (): boolean => isCached(TOOL);

/**
 * Path of the server binary, built first if it is not in the cache (3 to 6 minutes on two cores).
 * @throws DeckhandError `dependency_missing` that names the missing tool or package.
 */
export const ensureRealOllama = (progress: Progress = () => undefined): Promise<string> =>
  cachedFile(TOOL, progress, async (work) => {
    await requireTools(progress);
    await build(work, progress);
  });

async function requireTools(progress: Progress): Promise<void> {
  await requireGo(PURPOSE);
  await requireCompilers(PURPOSE);
  const missing = DEBIAN_HEADERS.filter(({ file }) => !existsSync(file)).map(({ pkg }) => pkg);
  if (missing.length === 0) return;
  const args = ['install', '-y', '--no-install-recommends', ...missing];
  const refuse = (cause?: unknown): never => {
    throw new DeckhandError('dependency_missing', `${PURPOSE} needs the header packages ${missing.join(', ')}`, {
      hint: `run as root: apt-get ${args.join(' ')}`,
      cause,
    });
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

async function build(work: string, progress: Progress): Promise<void> {
  progress(`downloading ${OLLAMA_MODULE} (28 MB)`);
  const source = await moduleDir(OLLAMA_MODULE);
  const miniaudio = await moduleDir(MINIAUDIO_MODULE);
  const tree = join(work, 'src');
  await cp(source, tree, { recursive: true });
  // The module cache is read-only, and so is its copy.
  await run('chmod', ['-R', 'u+w', tree]);
  const vendor = join(tree, 'llama/llama.cpp/vendor/miniaudio');
  await mkdir(vendor, { recursive: true });
  await cp(join(miniaudio, 'miniaudio.h'), join(vendor, 'miniaudio.h'));
  const flags = `-s -w -X=github.com/ollama/ollama/version.Version=${REAL_OLLAMA_VERSION}`;
  const args = ['build', '-v', '-trimpath', '-ldflags', flags, '-o', join(work, TOOL.name), '.'];
  const optimise = ['-O3', ...vectors.map((name) => VECTOR_FLAGS[name])].join(' ');
  await go(tree, args, progress, { CGO_ENABLED: '1', CGO_CFLAGS: optimise, CGO_CXXFLAGS: optimise });
}

if (import.meta.main) await runAlone(TOOL, ensureRealOllama);
