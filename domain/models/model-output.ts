/**
 * Reads a model's answer: the JSON in it, what is wrong with it, and how the next attempt differs.
 *
 * Everything here is pure; the client in activities/ feeds it. A fault is described to the model in one short sentence, never by repeating
 * its bad answer: a loop that is fed back goes on.
 */
import { z } from 'zod';
import { errorText } from '../errors.ts';
import type { LoopFault } from './repetition.ts';

/** Why an answer cannot be used; another attempt may succeed. */
export type OutputFault =
  | LoopFault
  | { readonly kind: 'truncated'; readonly tokens: number }
  | { readonly kind: 'invalid_json'; readonly detail: string }
  | { readonly kind: 'schema_mismatch'; readonly detail: string };

/** Details of a fault are cut to this length: they go into logs, error messages and the next prompt. */
const DETAIL_LENGTH = 200;

/**
 * Removes what surrounds the JSON of an answer: thinking text, closed (`<think>…</think>`), without its opening tag or never closed,
 * and a Markdown fence. An answer that starts as JSON is left alone, so a slide that says `<think>` stays quotable.
 */
export function stripToJson(raw: string): string {
  let text = raw.trim();
  if (startsAsJson(text)) return text;
  text = text.replace(/<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/gi, '');
  const close = /<\/think(?:ing)?>/i.exec(text);
  if (close !== null) text = text.slice(close.index + close[0].length);
  const open = /<think(?:ing)?>/i.exec(text);
  if (open !== null && !startsAsJson(text.trim())) text = text.slice(0, open.index);
  const fence = /^\s*```(?:json)?\s*\n?([\s\S]*?)\n?\s*```\s*$/i.exec(text);
  return (fence?.[1] ?? text).trim();
}

const startsAsJson = (text: string): boolean => text.startsWith('{') || text.startsWith('[');

/** The parsed value of an answer, or why there is none. */
export function parseAnswer<T>(
  raw: string,
  parse: (json: unknown) => T,
): { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: OutputFault } {
  let json: unknown;
  try {
    json = JSON.parse(stripToJson(raw));
  } catch (error) {
    return { ok: false, fault: { kind: 'invalid_json', detail: shortened(errorText(error)) } };
  }
  try {
    return { ok: true, value: parse(json) };
  } catch (error) {
    return { ok: false, fault: { kind: 'schema_mismatch', detail: shortened(schemaDetail(error)) } };
  }
}

function schemaDetail(error: unknown): string {
  if (!(error instanceof z.ZodError)) return errorText(error);
  return error.issues.map((issue) => `${issue.path.join('.') || 'answer'}: ${issue.message}`).join('; ');
}

const shortened = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length <= DETAIL_LENGTH ? line : `${line.slice(0, DETAIL_LENGTH - 1)}…`;
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
      return `Your last answer did not match the schema: ${fault.detail}. ${again}`;
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
