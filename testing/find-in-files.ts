/** Looks for words in the raw bytes of files, however they may have been written there. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A word as bytes: UTF-8, UTF-16 both ways, hex, and base64 at each of its three alignments. */
function writings(word: string): Readonly<Record<string, Buffer>> {
  const utf8 = Buffer.from(word);
  const bigEndian = Buffer.from(word, 'utf16le').swap16();
  const base64 = [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), utf8]).toString('base64');
    // The first and last characters also hold bits of what stands beside the word.
    return text.slice(shift === 0 ? 0 : 4, text.length - 4);
  });
  return {
    'utf-8': utf8,
    'utf-16le': Buffer.from(word, 'utf16le'),
    'utf-16be': bigEndian,
    hex: Buffer.from(utf8.toString('hex')),
    ...Object.fromEntries(base64.map((text, shift) => [`base64+${shift}`, Buffer.from(text)])),
  };
}

/** SQLite moves what was written from this file to the database. */
const isWriteAheadLog = (name: string): boolean => name.endsWith('-wal');

/**
 * Names of the words that stand in a file of the directory, with the file and the writing. Write-ahead logs are read first: what leaves one
 * meanwhile is then found where it went.
 */
export function findInFiles(directory: string, words: Readonly<Record<string, string>>): string[] {
  const files = readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .toSorted((a, b) => Number(isWriteAheadLog(b.name)) - Number(isWriteAheadLog(a.name)));
  const found: string[] = [];
  for (const file of files) {
    const bytes = readFileSync(path.join(file.parentPath, file.name));
    for (const [name, word] of Object.entries(words)) {
      for (const [how, writing] of Object.entries(writings(word))) {
        if (bytes.includes(writing)) found.push(`${name} in ${file.name} as ${how}`);
      }
    }
  }
  return found;
}
