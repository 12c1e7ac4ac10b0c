/**
 * Makes JSON that satisfies a JSON schema, in the order of its properties.
 *
 * Ollama turns `format` into a grammar, so that every output fits the schema and has its order. The reader gets the same result by changing
 * its answers (nothing, where it has no rule) until they fit the schema.
 */
import { shortestMatch } from './pattern.ts';
import { isObject, OllamaRefusal, type JsonObject } from './protocol.ts';

const KNOWN_TYPES = new Set(['object', 'array', 'string', 'integer', 'number', 'boolean', 'null']);

/** Checks a schema like Ollama's grammar converter. @throws OllamaRefusal for unknown types, unresolvable references, unanchored patterns */
export function checkSchema(schema: unknown, root: unknown = schema): void {
  if (Array.isArray(schema)) {
    for (const item of schema) checkSchema(item, root);
    return;
  }
  if (!isObject(schema)) return;
  const refuse = (): never => {
    throw new OllamaRefusal(500, 'invalid JSON schema in format');
  };
  const { type, pattern, $ref: reference } = schema;
  const types = Array.isArray(type) ? type : type === undefined ? [] : [type];
  if (types.some((t) => typeof t !== 'string' || !KNOWN_TYPES.has(t))) refuse();
  if (typeof pattern === 'string' && !(pattern.startsWith('^') && pattern.endsWith('$'))) refuse();
  if (typeof reference === 'string' && resolve(reference, root) === null) refuse();
  for (const key of ['anyOf', 'oneOf', 'allOf', 'prefixItems', 'items']) checkSchema(schema[key], root);
  for (const key of ['properties', '$defs', 'definitions']) {
    const group = schema[key];
    if (isObject(group)) for (const part of Object.values(group)) checkSchema(part, root);
  }
}

function resolve(reference: string, root: unknown): JsonObject | null {
  if (!reference.startsWith('#')) return null;
  let node: unknown = root;
  for (const part of reference.slice(1).split('/').filter(Boolean)) {
    node = isObject(node) ? node[part] : undefined;
  }
  return isObject(node) ? node : null;
}

const integerOf = (value: unknown, fallback: number): number => (typeof value === 'number' ? value : fallback);

/** Cuts to at most `max` UTF-16 units without splitting a surrogate pair. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const short = text.slice(0, max);
  return /[\uD800-\uDBFF]$/u.test(short) ? short.slice(0, -1) : short;
}

function typeOf(schema: JsonObject, value: unknown): string {
  const type = schema['type'];
  if (typeof type === 'string') return type;
  const natural = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  if (Array.isArray(type)) {
    const match = type.find((t) => t === natural || (t === 'integer' && typeof value === 'number'));
    return String(match ?? type[0]);
  }
  if (isObject(schema['properties'])) return 'object';
  if (schema['items'] !== undefined) return 'array';
  return value === undefined ? 'string' : natural;
}

function shapeNumber(schema: JsonObject, value: unknown, whole: boolean): number {
  const low = integerOf(
    schema['minimum'],
    typeof schema['exclusiveMinimum'] === 'number' ? schema['exclusiveMinimum'] + 1 : Number.NEGATIVE_INFINITY,
  );
  const high = integerOf(
    schema['maximum'],
    typeof schema['exclusiveMaximum'] === 'number' ? schema['exclusiveMaximum'] - 1 : Number.POSITIVE_INFINITY,
  );
  const wanted = typeof value === 'number' && Number.isFinite(value) ? value : 0;
  const bounded = Math.min(Math.max(whole ? Math.round(wanted) : wanted, low), high);
  return whole ? Math.trunc(bounded) : bounded;
}

function shapeString(schema: JsonObject, value: unknown): string {
  const text = typeof value === 'string' ? value : '';
  if (schema['format'] === 'date') return /^\d{4}-\d{2}-\d{2}$/u.test(text) ? text : '1970-01-01';
  if (schema['format'] === 'date-time') return Number.isNaN(Date.parse(text)) ? '1970-01-01T00:00:00Z' : text;
  const { pattern } = schema;
  if (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(text)) return shortestMatch(pattern) ?? text;
  return cut(text, integerOf(schema['maxLength'], 2000)).padEnd(integerOf(schema['minLength'], 0), '-');
}

/**
 * The value, changed to fit the schema: properties in declared order, unknown ones dropped, missing ones filled with the smallest valid
 * value, strings and arrays cut, numbers bounded.
 */
export function conform(schema: unknown, value: unknown, root: unknown = schema): unknown {
  if (!isObject(schema)) return value ?? null;
  if (typeof schema['$ref'] === 'string') return conform(resolve(schema['$ref'], root) ?? {}, value, root);
  if ('const' in schema) return schema['const'];
  const choices = schema['enum'];
  if (Array.isArray(choices)) return choices.includes(value) ? value : choices.at(-1);
  for (const key of ['anyOf', 'oneOf']) {
    const options = schema[key];
    if (Array.isArray(options) && options.length > 0) {
      const fitting = options.find(
        (option) =>
          isObject(option) &&
          value !== undefined &&
          JSON.stringify(conform(option, value, root)) === JSON.stringify(value),
      );
      return conform(fitting ?? options[0], value, root);
    }
  }
  if (Array.isArray(schema['allOf'])) return conform(mergeAll(schema, root), value, root);
  switch (typeOf(schema, value)) {
    case 'object': {
      const given = isObject(value) ? value : {};
      const properties = isObject(schema['properties']) ? schema['properties'] : null;
      if (properties === null) return given;
      return Object.fromEntries(
        Object.entries(properties).map(([name, part]) => [name, conform(part, given[name], root)]),
      );
    }
    case 'array': {
      const prefix: unknown[] = Array.isArray(schema['prefixItems']) ? schema['prefixItems'] : [];
      const least = Math.max(integerOf(schema['minItems'], 0), prefix.length);
      const given: unknown[] = (Array.isArray(value) ? value : []).slice(0, integerOf(schema['maxItems'], 2000));
      while (given.length < least) given.push(undefined);
      return given.map((item, index) => conform(prefix[index] ?? schema['items'] ?? {}, item, root) ?? null);
    }
    case 'integer':
      return shapeNumber(schema, value, true);
    case 'number':
      return shapeNumber(schema, value, false);
    case 'boolean':
      return value === true;
    case 'null':
      return null;
    default:
      return shapeString(schema, value);
  }
}

function mergeAll(schema: JsonObject, root: unknown): JsonObject {
  const { allOf, ...own } = schema;
  let properties: JsonObject = isObject(own['properties']) ? own['properties'] : {};
  let merged: JsonObject = own;
  for (const part of Array.isArray(allOf) ? allOf : []) {
    const solid = isObject(part) && typeof part['$ref'] === 'string' ? resolve(part['$ref'], root) : part;
    if (!isObject(solid)) continue;
    if (isObject(solid['properties'])) properties = { ...properties, ...solid['properties'] };
    merged = { ...solid, ...merged };
  }
  return Object.keys(properties).length > 0 ? { ...merged, type: 'object', properties } : merged;
}
