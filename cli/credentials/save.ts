/**
 * Writes the credentials file: whole or not at all, readable by its owner only.
 */
import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { parse, stringify } from 'ini';
import type { DataCrunchCredentials } from '../../clouds/datacrunch/http/transport.ts';
import { DeckhandError } from '../../domain/errors.ts';

/**
 * Puts the credentials into the section `default`, where other tools look for them too; other sections stay.
 *
 * @returns whether there was a file before
 * @throws DeckhandError `usage` when the file cannot be written
 */
export function saveCredentials(file: string, { clientId, clientSecret }: DataCrunchCredentials): boolean {
  const directory = dirname(file);
  const draft = `${file}.${randomUUID()}`;
  const existed = existsSync(file);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    // A directory with our name is closed to others; any other directory is left as it is.
    if (basename(directory) === '.datacrunch') chmodSync(directory, 0o700);
    const sections = existed ? otherSections(readFileSync(file, 'utf8')) : {};
    const values = { client_id: clientId, client_secret: clientSecret };
    writeFileSync(draft, stringify({ default: values, ...sections }), { mode: 0o600, flag: 'wx' });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw new DeckhandError('usage', `${file} cannot be written: ${String(error)}`, {
      hint: 'Set DATACRUNCH_CREDENTIALS_FILE to a place that you may write to.',
      cause: error,
    });
  }
  return existed;
}

/** Sections that are not ours; loose keys at the top would win over the section and go. */
const otherSections = (text: string): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(parse(text)).filter(
      ([name, value]) => typeof value === 'object' && name.toLowerCase() !== 'default',
    ),
  );
