/**
 * Parts of the search for credentials that all providers share: what is found, files that only their owner may read, and words for what is missing.
 */
import { readFileSync, statSync } from 'node:fs';
import { DeckhandError } from '../domain/errors.ts';

/** Credentials and where they were found, for people. */
export interface Found<Credentials> {
  readonly credentials: Credentials;
  readonly source: string;
}

/** Source of what a simulator accepts by default. */
export const OF_SIMULATOR = "the simulator's default";

/** There are none. @param hint how to set them */
export const noCredentials = (provider: string, message: string, hint: string): DeckhandError =>
  new DeckhandError('credentials_missing', message, { userMessage: `There are no ${provider} credentials.`, hint });

/** Text of a file; null where there is none. */
export const textOf = (file: string): string | null =>
  statSync(file, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(file, 'utf8') : null;

/** @throws DeckhandError `usage` when others than its owner may read the file */
export function refuseOpenFile(file: string): void {
  const { mode } = statSync(file);
  if ((mode & 0o077) === 0) return;
  throw new DeckhandError('usage', `${file} may be read by others (mode ${(mode & 0o777).toString(8)})`, {
    hint: `chmod 600 ${file}`,
  });
}

/** Text of a file with secrets; null where there is none. @throws DeckhandError as {@link refuseOpenFile} */
export function secretTextOf(file: string): string | null {
  const text = textOf(file);
  if (text !== null) refuseOpenFile(file);
  return text;
}

/**
 * The values of two environment variables that belong together; null where neither is set.
 *
 * @throws DeckhandError `credentials_missing` when one of them is missing
 */
export function bothOf(variables: Readonly<Record<string, string | undefined>>): readonly [string, string] | null {
  const [first, second] = Object.values(variables);
  if (first !== undefined && second !== undefined) return [first, second];
  if (first === undefined && second === undefined) return null;
  const missing = Object.keys(variables)[first === undefined ? 0 : 1] ?? '';
  throw new DeckhandError('credentials_missing', `${missing} is not set although its other half is`, {
    hint: `Set ${missing} too, or neither.`,
  });
}
