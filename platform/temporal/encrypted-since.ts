/**
 * The time from which all payloads are encrypted, in `<home>/keys/encrypted-since.json`. Older runs may have unencrypted arguments.
 *
 * The supervisor, or without one the process that runs workflows, writes the file when it first starts with encryption on, and removes it when
 * it starts with encryption off.
 */
import { chmodSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Config } from '../config.ts';
import type { Logger } from '../log.ts';
import { writeFileAtomically } from '../processes/records.ts';

const recordSchema = z.object({ encryptedSince: z.iso.datetime() });

/** Path of the file of a data directory. */
export const encryptedSincePath = (home: string): string => join(home, 'keys', 'encrypted-since.json');

/** Milliseconds since 1970; null if encryption is off. If the file cannot be written, the time of this start. */
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

/** The recorded time; undefined if there is none. */
function read(path: string): string | undefined {
  try {
    return recordSchema.parse(JSON.parse(readFileSync(path, 'utf8'))).encryptedSince;
  } catch {
    // No readable record: the present time is used, which accepts more unencrypted runs than necessary, never fewer.
    return undefined;
  }
}
