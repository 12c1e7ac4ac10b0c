/**
 * Loaded into every Node process and thread of a recorded test (`NODE_OPTIONS=--import preload.ts?folder=…`): notes which functions of the checkout, and of the
 * workflow bundle, ran. It uses the same coverage of V8 that `NODE_V8_COVERAGE` writes at a normal exit, but writes while the process runs: vitest
 * ends its workers, and tests kill processes, by signals.
 */
import { appendFileSync } from 'node:fs';
import { Session, type Profiler } from 'node:inspector';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { threadId } from 'node:worker_threads';

const STEP_MS = 3_000;
const ROOT = path.resolve(import.meta.dirname, '../../..');
// Where the notes go; it is part of the address because some processes have no configuration.
const folder = new URL(import.meta.url).searchParams.get('folder');

/** Calls what was noted since the last call, and writes it. Tests call it at their end. */
declare global {
  var deckhandTakeCoverage: (() => void) | undefined;
}

if (folder !== null) {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: false, detailed: false });
  const file = path.join(folder, `${process.pid}-${threadId}.txt`);
  const written = new Set<string>();

  const take = (): void => {
    session.post('Profiler.takePreciseCoverage', (error, taken) => {
      if (error !== null) return;
      const lines = taken.result.flatMap(linesOf).filter((line) => !written.has(line));
      for (const line of lines) written.add(line);
      if (lines.length > 0) appendFileSync(file, `${lines.join('\n')}\n`);
    });
  };
  globalThis.deckhandTakeCoverage = take;
  process.once('exit', take);
  setInterval(take, STEP_MS).unref();
}

/** One line per function that ran: where it begins, and its script. */
function linesOf({ url, functions }: Profiler.ScriptCoverage): string[] {
  const script = url.startsWith('file:') ? fileURLToPath(url) : url;
  const isOurs = script.startsWith(`${ROOT}/`) && !script.includes('/node_modules/');
  if (!isOurs && !/\/workflows\/[0-9a-f]{16}\.js$/u.test(script)) return [];
  return functions.flatMap(({ ranges: [range] }) =>
    range === undefined || range.count === 0 ? [] : [`${range.startOffset} ${script}`],
  );
}
