/**
 * The workflow bundle, built once per version of its sources: bundling costs more than everything else at a worker's start.
 */
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { bundleWorkflowCode } from '@temporalio/worker';
import { sha256Hex } from '../../platform/hash.ts';
import type { FailureConversion } from '../../platform/temporal/data-converter.ts';

const SOURCE_DIRS = ['workflows', 'domain'] as const;

/** Fingerprint of everything that goes into the bundle. */
async function sourcesFingerprint(root: string, { failureConverterPath }: FailureConversion): Promise<string> {
  const parts: string[] = [String(createRequire(import.meta.url)('@temporalio/worker/package.json').version)];
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
 * @param cacheDir Where bundles are kept; old ones are left for workers that still run them.
 * @param failures How workflows write failures; the workers' data converter has to say the same.
 */
export async function workflowBundle(
  root: string,
  cacheDir: string,
  failures: FailureConversion,
): Promise<{ readonly codePath: string }> {
  const codePath = path.join(cacheDir, `workflows-${await sourcesFingerprint(root, failures)}.js`);
  if ((await stat(codePath).catch((error: NodeJS.ErrnoException) => missing(error))) !== null) return { codePath };
  const { code } = await bundleWorkflowCode({
    workflowsPath: path.join(root, 'workflows', 'index.ts'),
    ...failures,
    workflowInterceptorModules: ['clear-arguments.ts', 'lost-worker.ts', 'story/interceptors.ts'].map((file) =>
      path.join(root, 'workflows', file),
    ),
    logger: quietBundler,
  });
  await mkdir(cacheDir, { recursive: true });
  const half = `${codePath}.${process.pid}`;
  await writeFile(half, code);
  await rename(half, codePath);
  return { codePath };
}

function missing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
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
