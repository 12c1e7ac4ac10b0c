/** Reviews as files below the data directory, so that they can be read when Deckhand does not run: their names, and their removal. */
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { ifAbsent } from './absent.ts';

const DIRECTORY = 'reports';
/** Characters of the analysis id in the name, which distinguish files of equal names. */
const ID_CHARS = 8;

const endingOf = (analysisId: string): string => `-${analysisId.slice(0, ID_CHARS)}.html`;

/** Path of the file of a review. */
export function reportFile(home: string, deckFileName: string, analysisId: string): string {
  const stem = path
    .basename(deckFileName, path.extname(deckFileName))
    .replaceAll(/[^A-Za-z0-9_-]+/gu, '-')
    .slice(0, 60);
  return path.join(home, DIRECTORY, stem + endingOf(analysisId));
}

/** Removes the files of a review, whatever the name of its deck. Does nothing if there are none. */
export async function removeReportFiles(home: string, analysisId: string): Promise<void> {
  const directory = path.join(home, DIRECTORY);
  const ending = endingOf(analysisId);
  for (const name of await readdir(directory).catch(ifAbsent([]))) {
    if (name.endsWith(ending)) await rm(path.join(directory, name), { force: true });
  }
}
