/**
 * Prometheus' own tool: it checks scrapes, rules and configurations without a server. Build it alone with `node tests/monitoring/promtool.ts`.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { goBinary } from '../../testing/go-binary.ts';

const run = promisify(execFile);

/** Progress goes to the terminal: a build takes minutes. */
export const tell = (line: string): void => void process.stderr.write(`${line}\n`);

/** Path of promtool, built first if it is not in the cache. @throws DeckhandError `dependency_missing` */
export const promtoolBinary = (onProgress: (line: string) => void): Promise<string> =>
  goBinary(
    {
      name: 'promtool',
      title: 'promtool',
      package: 'github.com/prometheus/prometheus/cmd/promtool',
      // The last release with long-term support.
      version: 'v0.305.2',
      purpose: 'checking metrics and alert rules',
      takes: 'four to six minutes',
    },
    onProgress,
  );

/** What it said, and whether it was content. */
export interface Verdict {
  readonly ok: boolean;
  readonly output: string;
}

/** Runs promtool. */
export async function promtool(args: readonly string[], { input = '' } = {}): Promise<Verdict> {
  const binary = await promtoolBinary(tell);
  const running = run(binary, [...args]);
  running.child.stdin?.end(input);
  try {
    const { stdout, stderr } = await running;
    return { ok: true, output: stdout + stderr };
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    return { ok: false, output: stdout + stderr };
  }
}

if (import.meta.main) process.stdout.write(`${await promtoolBinary(tell)}\n`);
