/**
 * Texts of a provider, as they enter: whatever a provider says may go to a terminal, a log or a row, so nothing in it may steer one.
 */
import { plainText } from '../../domain/text/plain-text.ts';

/** Longer texts are cut; no id, name, key or message is longer. */
const LONGEST_TEXT = 10_000;

/** Fields that keep their line breaks: texts of ours that a provider stores, and that are never shown. */
const STORED_TEXTS: ReadonlySet<string> = new Set(['script']);

/** A text on one line, without control, escape and format characters. */
export const cleanText = (text: string): string => plainText(text, LONGEST_TEXT);

/** The document in a text, each of its strings cleaned; undefined when it is not JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text, (key: string, value: unknown) =>
      typeof value === 'string' && !STORED_TEXTS.has(key) ? cleanText(value) : value,
    );
  } catch {
    return undefined;
  }
}

/** What a text that should be JSON is, for a message: `HTML page, 1,234 bytes`. */
export function describeNoJson(text: string): string {
  const start = text.trimStart();
  const bytes = `${Buffer.byteLength(text).toLocaleString('en')} bytes`;
  if (start === '') return 'empty';
  if (start.startsWith('<')) return `HTML page, ${bytes}`;
  return `${/^[[{"]/u.test(start) ? 'incomplete JSON' : 'text'}, ${bytes}`;
}
