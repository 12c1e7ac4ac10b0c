/**
 * Turns the messages of a call into the text of the answer: finds the task, applies the rule, makes the outcome fit the schema.
 *
 * Only this file connects the protocol with the rules; the rules know nothing of HTTP or JSON schemas.
 */
import { checkSchema, conform } from './json-schema.ts';
import { READER_DESCRIPTION } from './catalog.ts';
import { isObject, OllamaRefusal, type ChatMessage } from './protocol.ts';
import { READER_PROPERTIES } from '../../domain/models/result-schemas.ts';
import { readPrompt } from '../../reader/prompt.ts';
import { ruleOf } from '../../reader/tasks.ts';
import type { CallTraits } from './script.ts';

/** The output format that `format` requests. */
export type OutputFormat =
  | { readonly kind: 'plain' }
  | { readonly kind: 'json' }
  | { readonly kind: 'schema'; readonly schema: unknown };

/** Reads `format`. @throws OllamaRefusal 500, as Ollama does */
export function outputFormat(value: unknown): OutputFormat {
  if (value === undefined || value === null || value === '') return { kind: 'plain' };
  if (value === 'json') return { kind: 'json' };
  if (!isObject(value)) {
    throw new OllamaRefusal(
      500,
      `invalid format: ${JSON.stringify(JSON.stringify(value))}; expected "json" or a valid JSON Schema object`,
    );
  }
  checkSchema(value);
  return { kind: 'schema', schema: value };
}

/** Name of the task: the title of the schema; `plain` or `json` without one. */
export function taskOf(format: OutputFormat): string {
  if (format.kind !== 'schema') return format.kind;
  const title = isObject(format.schema) ? format.schema['title'] : undefined;
  return typeof title === 'string' ? title : 'untitled';
}

const SLIDE_TASKS = new Set(['describe_slide', 'slide_feedback', 'condense_slide']);

/** Fields of a call that a script can match. Reads only the first fences, which is cheap. */
export function traitsOf(task: string, model: string, messages: readonly ChatMessage[]): CallTraits {
  const user =
    messages.findLast((message) => message.role === 'user' && /^<(?:slide|deck|question) ?/mu.test(message.content))
      ?.content ?? '';
  const slide = SLIDE_TASKS.has(task) ? /^<slide number="(\d+)">/mu.exec(user)?.[1] : undefined;
  const question = /^<question slug="([^"]*)">/mu.exec(user)?.[1];
  return { task, model, slide: slide === undefined ? null : Number(slide), question: question ?? null };
}

/** The text of the answer. Deterministic. */
export function answerText(format: OutputFormat, messages: readonly ChatMessage[]): string {
  if (format.kind === 'plain')
    return `This is the built-in reader: ${READER_DESCRIPTION}. It answers the tasks it has rules for.`;
  if (format.kind === 'json') return JSON.stringify({ note: READER_DESCRIPTION });
  const rule = ruleOf(taskOf(format));
  const outcome: unknown = rule === undefined ? undefined : rule(readPrompt(messages));
  return JSON.stringify(withReaderProperties(conform(format.schema, outcome), outcome));
}

/** An answer that fits its schema, with what the reader says beside it of its own results. */
function withReaderProperties(fitting: unknown, outcome: unknown): unknown {
  if (Array.isArray(fitting)) {
    const given: readonly unknown[] = Array.isArray(outcome) ? outcome : [];
    return fitting.map((item, index) => withReaderProperties(item, given[index]));
  }
  if (!isObject(fitting) || !isObject(outcome)) return fitting;
  const parts = Object.entries(fitting).map(([name, part]) => [name, withReaderProperties(part, outcome[name])]);
  const own = READER_PROPERTIES.filter((name) => outcome[name] !== undefined).map((name) => [name, outcome[name]]);
  return Object.fromEntries([...parts, ...own]);
}
