/**
 * Since when nothing of Deckhand's goes to Temporal in clear, in `<home>/keys/encrypted-since.json`: the supervisor, and where there is none
 * the process that runs workflows, writes it when it first starts with encryption on, and removes it when it starts without. Runs from before may hold arguments in clear, later ones not.
 */
import { chmodSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Config } from '../config.ts';
import type { Logger } from '../log.ts';
import { writeFileAtomically } from '../processes/records.ts';

const recordSchema = z.object({ encryptedSince: z.iso.datetime() });

/** Where the record of a data directory is. */
export const encryptedSincePath = (home: string): string => join(home, 'keys', 'encrypted-since.json');

/** Milliseconds since 1970; null where encryption is off. Where the record cannot be written, it counts from this start on. */
export function encryptedSinceMs(
  { home, encryption }: Pick<Config, 'home' | 'encryption'>,
  log: Pick<Logger, 'warn'>,
  now: Date = new Date(),
): number | null {
  const path = encryptedSincePath(home);
  try {
    if (encryption === 'off') {
      rmSync(path, { force: true });
      return null;
    }
    const recorded = read(path);
    if (recorded !== undefined) return Date.parse(recorded);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    chmodSync(dirname(path), 0o700);
    writeFileAtomically(path, `${JSON.stringify({ encryptedSince: now.toISOString() })}\n`);
  } catch (error) {
    log.warn({ err: error, path }, 'since when payloads are encrypted cannot be written down');
  }
  return encryption === 'off' ? null : now.getTime();
}

/** The recorded time; undefined where none is. */
function read(path: string): string | undefined {
  try {
    return recordSchema.parse(JSON.parse(readFileSync(path, 'utf8'))).encryptedSince;
  } catch {
    // No record yet, or none that can be read: it counts from now on, which lets too much pass and never too little.
    return undefined;
  }
}
