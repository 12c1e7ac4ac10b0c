/**
 * The Dockerfile's first stage as plain shell: COPY copies from the checkout what .dockerignore lets through, RUN runs in /bin/sh.
 *
 * Reads only what our Dockerfile uses (every RUN stays inside its WORKDIR, no line continuations, no variables); anything else is an
 * error, so that no step counts as checked that was not.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, readdir } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import { REPOSITORY_DIR } from '../../platform/config.ts';

export interface Instruction {
  readonly name: string;
  readonly value: string;
}

/** Instructions of the Dockerfile by stage. */
export function stagesOf(text: string): Instruction[][] {
  const stages: Instruction[][] = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const match = /^([A-Z]+) (.+)$/.exec(line);
    if (match?.[1] === undefined || match[2] === undefined || line.endsWith('\\'))
      throw new Error(`cannot read: ${line}`);
    if (match[1] === 'FROM') stages.push([]);
    stages.at(-1)?.push({ name: match[1], value: match[2] });
  }
  return stages;
}

/** Names at the root of the checkout that .dockerignore lets through. */
export function contextNames(dockerignore: string): string[] {
  const patterns = dockerignore.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  if (patterns[0] !== '*') throw new Error('.dockerignore has to begin by leaving everything out');
  return patterns.filter((p) => p.startsWith('!')).map((p) => p.slice(1));
}

/** Runs a command with this process' Node first on PATH; resolves with exit code and everything it wrote. */
export async function runStep(
  cwd: string,
  command: readonly [string, ...string[]],
  options: { readonly limitMs: number; readonly variables?: Readonly<Record<string, string>> },
): Promise<{ code: number | null; output: string }> {
  const [file, ...args] = command;
  const variables = Object.entries(options.variables ?? {}).map(([name, value]) => `${name}=${value}`);
  const search = `${dirname(process.execPath)}${delimiter}/usr/local/bin${delimiter}/usr/bin${delimiter}/bin`;
  const child = spawn(
    'env',
    ['-u', 'DATABASE_URL', '-u', 'NODE_OPTIONS', `PATH=${search}`, ...variables, file, ...args],
    {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: options.limitMs,
      killSignal: 'SIGKILL',
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('close', resolve);
    child.once('error', reject);
  });
  return { code, output };
}

/**
 * Carries out a stage in an empty directory that stands for its WORKDIR.
 *
 * @throws Error with the output of the step that failed
 */
export async function carryOutStage(stage: readonly Instruction[], workdir: string): Promise<void> {
  const names = contextNames(readFileSync(join(REPOSITORY_DIR, '.dockerignore'), 'utf8'));
  for (const { name, value } of stage) {
    if (name === 'FROM' || name === 'WORKDIR') continue;
    if (name === 'COPY') await copy(value.split(' '), names, workdir);
    else if (name === 'RUN') {
      const { code, output } = await runStep(workdir, ['/bin/sh', '-c', value], { limitMs: 800_000 });
      if (code !== 0) throw new Error(`RUN ${value}\nended with ${code}:\n${output.slice(-4000)}`);
    } else throw new Error(`no such instruction in the first stage, as far as this test knows: ${name}`);
  }
}

async function copy(words: readonly string[], names: readonly string[], workdir: string): Promise<void> {
  const sources = words.slice(0, -1);
  if (!/^\.\/?$/.test(words.at(-1) ?? '')) throw new Error(`COPY ${words.join(' ')}: only into the WORKDIR`);
  const present = sources.includes('.') ? await readdir(REPOSITORY_DIR) : [...sources];
  for (const source of present) {
    if (!names.includes(source)) {
      if (sources.includes('.')) continue;
      throw new Error(`COPY ${source}: .dockerignore leaves it out`);
    }
    await mkdir(workdir, { recursive: true });
    await cp(join(REPOSITORY_DIR, source), join(workdir, basename(source)), { recursive: true });
  }
}

/** True if the path exists below the directory. */
export const exists = (directory: string, path: string): boolean => existsSync(join(directory, path));
