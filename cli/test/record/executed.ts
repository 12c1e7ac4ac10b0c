/** Which files of the checkout the processes of a recorded test used, from what record/preload.ts noted. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { ImportGraph } from '../import-graph.ts';
import { isUsedByLoading } from '../source-text.ts';

/**
 * Programs that no coverage reaches, by the file that starts them: the render process has no environment, and pages run in a browser. What starts
 * them uses everything that they load.
 */
const UNSEEN: Readonly<Record<string, string>> = {
  'activities/convert/render/render-process.ts': 'activities/convert/render/child.ts',
  'tests/pages/support/workspace.ts': 'web/main.tsx',
};

/** How the bundler writes the function that gives an export to other modules. */
const EXPORT_GETTER = '() => (/* binding */';
/** Head of a module in the workflow bundle. */
const BUNDLED_MODULE = /^\/\*\*\*\/ "\.\/(?<file>[^"]+)"/gmu;

/**
 * Reads the notes of one test: each file that it used, with the number of its functions that ran.
 *
 * @param folder that of its processes
 */
export function executedFiles(root: string, folder: string, graph: ImportGraph): ReadonlyMap<string, number> {
  const functions = new Map<string, number>();
  const count = (file: string, ran: number): void => void functions.set(file, Math.max(functions.get(file) ?? 0, ran));
  for (const [script, starts] of notedStarts(folder)) {
    if (script.startsWith(`${root}/`)) {
      const file = path.relative(root, script);
      const isSource = existsSync(script) && /\.tsx?$/u.test(file) && !file.startsWith('generated/');
      // The file itself begins at 0.
      if (isSource) count(file, starts.filter((start) => start > 0).length);
    } else {
      for (const [file, ran] of bundledFiles(script, starts)) count(file, ran);
    }
  }
  for (const [file, ran] of functions) {
    if (ran === 0 && !isUsedByLoading(file, readFileSync(path.join(root, file), 'utf8'))) functions.delete(file);
  }
  for (const [starter, program] of Object.entries(UNSEEN)) {
    if (functions.has(starter)) for (const file of graph.loadedBy(program)) count(file, 0);
  }
  return functions;
}

/** Where the functions begin that ran, by script. */
function notedStarts(folder: string): Map<string, readonly number[]> {
  const noted = new Map<string, Set<number>>();
  for (const name of readdirSync(folder)) {
    for (const line of readFileSync(path.join(folder, name), 'utf8').split('\n')) {
      const { start, script } = /^(?<start>\d+) (?<script>.+)$/u.exec(line)?.groups ?? {};
      if (script === undefined) continue;
      noted.set(script, (noted.get(script) ?? new Set()).add(Number(start)));
    }
  }
  return new Map([...noted].map(([script, starts]) => [script, [...starts]]));
}

/** Files of the checkout in a workflow bundle that were loaded, with the number of their functions that ran. */
function bundledFiles(bundle: string, starts: readonly number[]): Map<string, number> {
  if (!existsSync(bundle)) return new Map();
  const text = readFileSync(bundle, 'utf8');
  const modules = [...text.matchAll(BUNDLED_MODULE)].map(({ index, groups }) => ({
    start: index,
    /** Where the body of the module begins; functions of the file begin behind it. */
    body: text.indexOf('{', text.indexOf('*/', text.indexOf('/*!', index))),
    file: groups?.['file'] ?? '',
  }));
  const files = new Map<string, number>();
  for (const start of starts) {
    const module = modules.findLast((each) => each.start <= start);
    if (module === undefined || !module.file.endsWith('.ts') || module.file.startsWith('node_modules/')) continue;
    const isOwnFunction = start > module.body && !text.startsWith(EXPORT_GETTER, start);
    files.set(module.file, (files.get(module.file) ?? 0) + (isOwnFunction ? 1 : 0));
  }
  return files;
}
