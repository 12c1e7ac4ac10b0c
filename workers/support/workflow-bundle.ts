/**
 * The workflow bundle, built once per version of its sources and kept in the user's cache, where every data directory finds it: bundling costs
 * more than everything else at a worker's start.
 */
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { bundleWorkflowCode } from '@temporalio/worker';
import { ifAbsent } from '../../platform/absent.ts';
import { sha256Hex } from '../../platform/hash.ts';
import type { FailureConversion } from '../../platform/temporal/data-converter.ts';

const SOURCE_DIRS = ['workflows', 'contracts', 'domain'] as const;
/** Names what the bundle takes from elsewhere, such as zod, with its versions. */
const LOCK_FILE = 'package-lock.json';
/** A bundle built longer ago is removed when another is built. A worker has read its own when it started. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1_000;

/** Fingerprint of everything that goes into the bundle. */
async function sourcesFingerprint(root: string, { failureConverterPath }: FailureConversion): Promise<string> {
  const parts: string[] = [
    String(createRequire(import.meta.url)('@temporalio/worker/package.json').version),
    sha256Hex(await readFile(path.join(root, LOCK_FILE))),
  ];
  if (failureConverterPath !== undefined) parts.push('failures', sha256Hex(await readFile(failureConverterPath)));
  for (const dir of SOURCE_DIRS) {
    const files = (await readdir(path.join(root, dir), { recursive: true })).filter((f) => f.endsWith('.ts')).sort();
    for (const file of files) parts.push(`${dir}/${file}`, sha256Hex(await readFile(path.join(root, dir, file))));
  }
  return sha256Hex(parts.join('\n')).slice(0, 16);
}

/**
 * Path of the bundle, built if there is none for these sources yet.
 *
 * @param root Directory of the checkout.
 * @param cacheDir the user's cache of Deckhand's, `Config.cacheDir`
 * @param failures How workflows write failures; the workers' data converter has to say the same.
 */
export async function workflowBundle(
  root: string,
  cacheDir: string,
  failures: FailureConversion,
): Promise<{ readonly codePath: string }> {
  const bundleDir = path.join(cacheDir, 'workflows');
  const codePath = path.join(bundleDir, `${await sourcesFingerprint(root, failures)}.js`);
  if ((await stat(codePath).catch(ifAbsent(null))) !== null) return { codePath };
  const { code } = await bundleWorkflowCode({
    workflowsPath: path.join(root, 'workflows', 'index.ts'),
    ...failures,
    workflowInterceptorModules: ['clear-arguments.ts', 'lost-worker.ts', 'temporal-ui/interceptors.ts'].map((file) =>
      path.join(root, 'workflows', file),
    ),
    logger: quietBundler,
  });
  await mkdir(bundleDir, { recursive: true });
  await removeOld(bundleDir);
  const half = `${codePath}.${process.pid}`;
  await writeFile(half, code);
  await rename(half, codePath);
  return { codePath };
}

async function removeOld(bundleDir: string): Promise<void> {
  for (const name of await readdir(bundleDir)) {
    const file = path.join(bundleDir, name);
    const builtAtMs = (await stat(file).catch(ifAbsent(null)))?.mtimeMs ?? Date.now();
    if (Date.now() - builtAtMs > KEPT_MS) await rm(file, { force: true });
  }
}

/** The bundler's errors are thrown as one generic message; what went wrong stands only in its log. */
const quietBundler = {
  log: (level: string, message: string) => (level === 'ERROR' ? process.stderr.write(`${message}\n`) : undefined),
  trace: () => undefined,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: (message: string) => process.stderr.write(`${message}\n`),
};
