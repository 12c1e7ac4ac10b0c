/**
 * Reads a model's answer: the JSON in it, what is wrong with it, and how the next attempt differs.
 *
 * Everything here is pure; the client in activities/ feeds it. A fault is described to the model in one short sentence, never by repeating
 * its bad answer: a loop that is fed back goes on.
 */
import { z } from 'zod';
import { errorText } from '../errors.ts';
import { defused, restored } from '../text/control-words.ts';
import { plainText } from '../text/plain-text.ts';
import { mapStrings, repairedText, unusableCharacter } from './answer-text.ts';
import type { LoopFault } from './repetition.ts';

/** Why an answer cannot be used; another attempt may succeed. */
export type OutputFault =
  | LoopFault
  | { readonly kind: 'truncated'; readonly tokens: number }
  /** It thought and answered nothing. */
  | { readonly kind: 'only_thinking'; readonly tokens: number }
  | { readonly kind: 'invalid_json'; readonly detail: string }
  | { readonly kind: 'schema_mismatch'; readonly detail: string }
  /** A character that no page has and the database refuses, such as U+0000. */
  | { readonly kind: 'bad_character'; readonly character: string };

/** Details of a fault are cut to this length: they go into logs, error messages and the next prompt. */
const DETAIL_LENGTH = 200;

/** Thinking of a model whose server leaves it in the text: tags, `[THINK]`, channels other than the final one. */
const THINKING_BEGINS = String.raw`<(?:think|thinking|thought|reasoning|reflection|scratchpad)>|\[THINK\]|<\|channel\|?>(?!\s*final\b)`;
const THINKING_ENDS = String.raw`</(?:think|thinking|thought|reasoning|reflection|scratchpad)>|\[/THINK\]|<channel\|>|<\|channel\|?>\s*final\b(?:\s*<\|message\|>)?`;
const NEXT_MARK = new RegExp(String.raw`(?<begins>${THINKING_BEGINS})|(?<ends>${THINKING_ENDS})|\{`, 'giu');
const THINKING_END = new RegExp(THINKING_ENDS, 'giu');
/** Text that may stand after an answer. */
const NOTHING_MORE = /^[\s`]*(?:<[^<>]{1,40}>\s*)*$/u;

/**
 * The JSON objects of an answer that may be meant, in order: all of it, or what stands in prose, in a Markdown fence, after thinking.
 *
 * Thinking is left out, closed, without its opening tag or never closed; in thinking that never ends only an object at the very end counts.
 * Text that is JSON as a whole is left alone, so a slide that says `<think>` stays quotable.
 */
export function jsonIn(raw: string): string[] {
  const text = raw.trim();
  if (isJson(text)) return [text];
  let found: string[] = [];
  const marks = new RegExp(NEXT_MARK);
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    const { begins, ends } = mark.groups ?? {};
    if (ends !== undefined) found = [];
    else if (begins === undefined) {
      const end = objectEnd(text, mark.index);
      if (end === null) continue;
      found.push(text.slice(mark.index, end));
      marks.lastIndex = end;
    } else {
      THINKING_END.lastIndex = marks.lastIndex;
      if (THINKING_END.test(text)) marks.lastIndex = THINKING_END.lastIndex;
      else return found.length > 0 ? found : lastObject(text, marks.lastIndex);
    }
  }
  return found;
}

/** The object that a text ends with. */
function lastObject(text: string, from: number): string[] {
  for (let at = text.indexOf('{', from); at >= 0;) {
    const end = objectEnd(text, at);
    if (end !== null && NOTHING_MORE.test(text.slice(end))) return [text.slice(at, end)];
    at = text.indexOf('{', end ?? at + 1);
  }
  return [];
}

/** Where the JSON object ends that begins here; null when none does. */
function objectEnd(text: string, from: number): number | null {
  // An object begins with a name, or is empty.
  if (!/^\{\s*["}]/u.test(text.slice(from, from + 100))) return null;
  let depth = 0;
  let isQuoted = false;
  for (let at = from; at < text.length; at++) {
    const sign = text[at];
    if (isQuoted) {
      if (sign === '\\') at++;
      else if (sign === '"') isQuoted = false;
    } else if (sign === '"') isQuoted = true;
    else if (sign === '{') depth++;
    else if (sign === '}' && --depth === 0) return isJson(text.slice(from, at + 1)) ? at + 1 : null;
  }
  return null;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The parsed value of an answer, or its fault. */
export type ParsedAnswer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: OutputFault };

/**
 * The parsed value of an answer, or why there is none. Of several objects the first that `parse` takes is the answer. Broken escapes in its
 * strings are repaired, and control words of the prompt are as the deck has them.
 *
 * @param prompt text that the model was given; what is in it may be repeated
 */
export function parseAnswer<T>(raw: string, parse: (json: unknown) => T, prompt = ''): ParsedAnswer<T> {
  const candidates = jsonIn(raw);
  const answers = candidates.map((json) => parseObject(json, parse, prompt));
  const [first] = answers;
  if (first === undefined) return { ok: false, fault: { kind: 'invalid_json', detail: withoutJson(raw) } };
  return answers.find(({ ok }) => ok) ?? first;
}

function parseObject<T>(text: string, parse: (json: unknown) => T, prompt: string): ParsedAnswer<T> {
  let character: string | null = null;
  const json = mapStrings(JSON.parse(text), (string) => {
    const repaired = restored(repairedText(string), prompt);
    character ??= unusableCharacter(repaired, prompt);
    return repaired;
  });
  try {
    const value = parse(json);
    return character === null ? { ok: true, value } : { ok: false, fault: { kind: 'bad_character', character } };
  } catch (error) {
    return { ok: false, fault: { kind: 'schema_mismatch', detail: shortened(schemaDetail(error)) } };
  }
}

/** Why a text holds no JSON. */
function withoutJson(raw: string): string {
  try {
    JSON.parse(raw);
    return 'no JSON object';
  } catch (error) {
    return shortened(errorText(error));
  }
}

function schemaDetail(error: unknown): string {
  if (!(error instanceof z.ZodError)) return errorText(error);
  return error.issues.map((issue) => `${issue.path.join('.') || 'answer'}: ${issue.message}`).join('; ');
}

/** On one line and without control characters: it is stored with the call. */
const shortened = (text: string): string => {
  const line = plainText(text, DETAIL_LENGTH + 1);
  return line.length <= DETAIL_LENGTH ? line : `${plainText(line, DETAIL_LENGTH - 1)}…`;
};

/** One line about a fault, for logs and errors. */
export function describeFault(fault: OutputFault): string {
  switch (fault.kind) {
    case 'whitespace':
      return `${fault.length} characters of whitespace in a row`;
    case 'repetition':
      return `"${shortened(fault.phrase)}" repeated ${fault.times} times`;
    case 'truncated':
      return `cut off at the output limit after ${fault.tokens} tokens`;
    case 'only_thinking':
      return `no answer after ${fault.tokens} tokens of thinking`;
    case 'bad_character':
      return `the character ${fault.character} in the answer`;
    case 'invalid_json':
    case 'schema_mismatch':
      return fault.detail;
  }
}

/** The sentence that the next attempt adds to the prompt. */
export function correctionFor(fault: OutputFault, schemaName: string): string {
  const again = `Answer again with one JSON object for "${schemaName}" and nothing else.`;
  switch (fault.kind) {
    case 'whitespace':
      return `Your last answer ran into blank space without end. Write compact JSON without indentation. ${again}`;
    case 'repetition':
      return `Your last answer repeated the same words without end. Say each thing once, then stop. ${again}`;
    case 'truncated':
      return `Your last answer was cut off because it was too long. Be much shorter. ${again}`;
    case 'invalid_json':
      return `Your last answer was not valid JSON. ${again}`;
    case 'schema_mismatch':
      return `Your last answer did not match the schema: ${defused(fault.detail)}. ${again}`;
    case 'only_thinking':
      return `Your last answer was empty. Do not think first. ${again}`;
    case 'bad_character':
      return `Your last answer held the character ${fault.character}, which is no text. Write letters as themselves, not as escapes. ${again}`;
  }
}

/** Sampling of one attempt: the first as asked, each further one hotter and from another seed, because a cold repeat repeats its fault. */
export function samplingFor(
  base: { readonly temperature: number; readonly seed: number },
  attempt: number,
): { readonly temperature: number; readonly seed: number } {
  const raised = base.temperature + 0.3 * (attempt - 1);
  return {
    temperature: Math.round(Math.max(base.temperature, Math.min(1, raised)) * 100) / 100,
    seed: base.seed + (attempt - 1),
  };
}
