/**
 * Bodies of answers: JSON, bare text, HTML from the edge, or nothing.
 */
import { isRecord, type Refusal } from '../../http/refused.ts';
import { readJson } from '../../http/text.ts';
import { quoted } from '../../errors.ts';

/**
 * Reads the body of a refusal. `message` may be a list of sentences; other bodies are quoted if they are short text.
 *
 * @param clean takes secrets out of its words before they are cut
 */
export function readRefusal(text: string, clean: (words: string) => string = (words) => words): Refusal {
  const json = readJson(text);
  if (isRecord(json)) {
    const code = typeof json['code'] === 'string' ? json['code'] : null;
    const said = json['message'];
    const message = Array.isArray(said) ? said.map(String).join('; ') : typeof said === 'string' ? said : '';
    return { code, message: quoted(clean(message)) };
  }
  if (typeof json === 'string') return { code: null, message: quoted(clean(json)) };
  if (text.trimStart().startsWith('<')) return { code: null, message: 'an HTML page instead of an answer' };
  return { code: null, message: quoted(clean(text)) };
}

const ID = /^[\w.-]{1,128}$/u;

/**
 * The id in the answer to a create: bare text, a JSON string, `{id}`, or a list of one of these.
 * @returns null when there is none
 */
export function readId(text: string): string | null {
  const json = readJson(text);
  // A bare id of digits only reads as a JSON number, and a long one would lose its last digits.
  return idIn(json === undefined || typeof json === 'number' ? text.trim() : json);
}

function idIn(value: unknown): string | null {
  if (typeof value === 'string') return ID.test(value.trim()) ? value.trim() : null;
  if (Array.isArray(value)) return value.length === 1 ? idIn(value[0]) : null;
  return isRecord(value) ? idIn(value['id']) : null;
}
