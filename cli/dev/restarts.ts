/** Which processes a change of a source file concerns, and the restart of those. */
import { existsSync, watch } from 'node:fs';
import path from 'node:path';
import { SERVICES } from '../../runtime/services.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { importGraph, type ImportGraph, readImports, sourceFiles } from '../test/import-graph.ts';

/** Changes that come within this time are one. */
const SETTLE_MS = 100;
/** Files that the control worker bundles for its workflows instead of importing them. */
const BUNDLED = /^(?:workflows|contracts|domain)\//u;

/** Source files of processes: neither those of the browser nor what nobody writes by hand. */
const SERVER_FILE = /^(?!(?:node_modules|generated|tests|web|\.git)\/).+\.ts$/u;

/** Names of the processes that load a file. */
export const processesOf = (file: string, graph: ImportGraph): readonly string[] =>
  SERVICES.filter(
    ({ name, script }) => graph.loadedBy(script).has(file) || (name === 'control' && BUNDLED.test(file)),
  ).map(({ name }) => name);

/**
 * Restarts processes when one of their files changes, until the signal ends it. The runtime starts an ended process again by itself.
 */
export function restartOnChange(
  root: string,
  runtime: Pick<Runtime, 'status'>,
  tell: (line: string) => void,
  signal: AbortSignal,
): void {
  const imports = readImports(root, sourceFiles(root));
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const restart = async (): Promise<void> => {
    const files = [...changed];
    changed.clear();
    // A change may have added an import.
    const there = files.filter((file) => existsSync(path.join(root, file)));
    for (const [file, targets] of readImports(root, there)) imports.set(file, targets);
    const graph = importGraph(imports);
    const names = new Set(files.flatMap((file) => processesOf(file, graph)));
    if (names.size === 0) return;
    const { children } = await runtime.status();
    for (const { name, pid } of children) {
      if (!names.has(name) || pid === null || pid === undefined) continue;
      tell(`${files.join(', ')} changed: ${name} starts again`);
      process.kill(pid, 'SIGTERM');
    }
  };
  const watcher = watch(root, { recursive: true, signal }, (_event, file) => {
    if (file === null || !SERVER_FILE.test(file)) return;
    changed.add(file);
    clearTimeout(timer);
    timer = setTimeout(() => {
      restart().catch((error: unknown) =>
        tell(`no restart: ${error instanceof Error ? error.message : String(error)}`),
      );
    }, SETTLE_MS);
  });
  watcher.on('error', (error) => tell(`changes are not seen any more: ${error.message}`));
}
