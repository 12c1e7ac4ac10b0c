/**
 * Turns a zod schema into the JSON schema that a model server can really enforce while it generates.
 *
 * Servers silently ignore some keywords and crash on others, so a schema that uses them looks enforced and is not. Such a schema is refused
 * here, where it is defined: at start-up, not in the middle of a deck. What remains (order of properties, integer bounds, string and array
 * lengths, enums, anchored patterns) holds for every answer; zod checks the answer once more.
 */
import { z } from 'zod';
import { DeckhandError } from '../errors.ts';

/** A JSON schema of draft 2020-12. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** A schema for `format`; `title` names the task it belongs to. */
export type ModelSchema = JsonSchema & { readonly title: string };

/** Longer string or array bounds crash the runner of Ollama 0.24 or are refused by 0.34. */
const MAX_LENGTH = 2000;
const MAX_ITEMS = 2000;

/** Keywords with a handler in every supported server, or without effect on the answer (`title`, `description`). */
const KNOWN_KEYWORDS: ReadonlySet<string> = new Set([
  'type',
  'title',
  'description',
  'enum',
  'const',
  'required',
  'properties',
  'additionalProperties',
  'items',
  'prefixItems',
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'anyOf',
  'allOf',
  '$ref',
  '$defs',
]);
const BOUNDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'] as const;

/**
 * The JSON schema of a zod schema, for the `format` field of a model call.
 * @param name becomes `title`: the task's name.
 * @throws DeckhandError `internal` that names the place and the keyword no server enforces.
 */
export function toModelSchema(schema: z.ZodType, name: string): ModelSchema {
  const {
    $schema: _dialect,
    title: _title,
    ...body
  } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'throw' });
  return { title: name, ...enforceable(body, name) };
}

function enforceable(node: JsonSchema, path: string): JsonSchema {
  const result: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(node)) {
    if (!KNOWN_KEYWORDS.has(keyword)) refuse(path, `${keyword} is not enforced by the model server`);
    // zod adds the bounds of a safe integer; they make the grammar longer and say nothing.
    if (BOUNDS.some((bound) => bound === keyword) && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER) continue;
    // zod adds a pattern to a date that the servers' regular expressions cannot hold; the format alone is enforced.
    if (keyword === 'pattern' && node['format'] === 'date') continue;
    // zod closes a tuple with `items: false`; the servers read any `items` as a list and a tuple is closed without it.
    if (keyword === 'items' && value === false && 'prefixItems' in node) continue;
    result[keyword] = convert(keyword, value, node, path);
  }
  return result;
}

function convert(keyword: string, value: unknown, node: JsonSchema, path: string): unknown {
  switch (keyword) {
    case 'properties':
    case '$defs':
      return Object.fromEntries(
        Object.entries(asSchema(value, path))
          .filter(([, child]) => !isReadOnly(child))
          .map(([key, child]) => [key, descend(child, `${path}.${key}`)]),
      );
    case 'items':
      return descend(value, `${path}[]`);
    case 'anyOf':
    case 'allOf':
    case 'prefixItems':
      if (!Array.isArray(value)) return refuse(path, `${keyword} is not a list`);
      return value.map((child: unknown, index) => descend(child, `${path}/${index}`));
    case 'additionalProperties':
      if (value !== false) refuse(path, 'objects with free keys are not enforced; list the properties');
      return value;
    case 'pattern':
      return checkedPattern(String(value), path);
    case 'format':
      if (value !== 'date') refuse(path, `format ${String(value)} is not enforced`);
      return value;
    case 'maxLength':
      if (Number(value) > MAX_LENGTH) refuse(path, `maxLength above ${MAX_LENGTH} crashes the model server`);
      return value;
    case 'maxItems':
      if (Number(value) > MAX_ITEMS) refuse(path, `maxItems above ${MAX_ITEMS} is refused by the model server`);
      return value;
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      if (node['type'] !== 'integer') refuse(path, `${keyword} is enforced for integers only; use z.int()`);
      return value;
    default:
      return value;
  }
}

/** True for a property that no model is asked for. */
const isReadOnly = (child: unknown): boolean =>
  typeof child === 'object' && child !== null && 'readOnly' in child && child.readOnly === true;

/** Measured on Ollama 0.24: a class such as \d ends the runner, a group such as (?:…) the whole server. */
function checkedPattern(pattern: string, path: string): string {
  if (!pattern.startsWith('^') || !pattern.endsWith('$'))
    refuse(path, `pattern ${pattern} must be anchored with ^ and $`);
  if (pattern.includes('(?')) refuse(path, `pattern ${pattern} uses a special group, which crashes the model server`);
  if (/\\[A-Za-z0-9]/.test(pattern))
    refuse(path, `pattern ${pattern} uses a class such as \\d, which crashes the model server; write [0-9]`);
  return pattern;
}

function descend(value: unknown, path: string): JsonSchema {
  const node = asSchema(value, path);
  if (Object.keys(node).length === 0) refuse(path, 'a value of any type cannot be enforced');
  return enforceable(node, path);
}

function asSchema(value: unknown, path: string): JsonSchema {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse(path, 'not a schema');
  return value as JsonSchema;
}

function refuse(path: string, reason: string): never {
  throw new DeckhandError('internal', `the answer schema cannot be enforced at ${path}: ${reason}`);
}
