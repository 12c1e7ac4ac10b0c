/** Which file of the checkout imports which at run time. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { importsOf } from './source-text.ts';

/** The graph. */
export interface ImportGraph {
  /** A file and everything that it loads, directly or not. */
  loadedBy(file: string): ReadonlySet<string>;
  /** Files that import a file directly. */
  importersOf(file: string): readonly string[];
}

/** The graph of given imports: file → the files that it imports. */
export function importGraph(imports: ReadonlyMap<string, readonly string[]>): ImportGraph {
  const importers = new Map<string, string[]>();
  for (const [file, targets] of imports) {
    for (const target of targets) importers.set(target, [...(importers.get(target) ?? []), file]);
  }
  const loadedBy = (file: string, known = new Set<string>()): Set<string> => {
    if (known.has(file) || !imports.has(file)) return known;
    known.add(file);
    for (const target of imports.get(file) ?? []) loadedBy(target, known);
    return known;
  };
  return { loadedBy: (file) => loadedBy(file), importersOf: (file) => importers.get(file) ?? [] };
}

/** Reads the imports of source files. @param files relative to the checkout */
export const readImportGraph = (root: string, files: readonly string[]): ImportGraph =>
  importGraph(new Map(files.map((file) => [file, importsOf(file, readFileSync(path.join(root, file), 'utf8'))])));
