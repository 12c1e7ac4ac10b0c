/** Text of scripted models: how it is counted, and the simplest answer that fits a JSON schema. */

export const CHARACTERS_A_TOKEN = 4;
export const TOKENS_A_PICTURE = 256;

type Schema = Readonly<Record<string, unknown>>;

const WORDS = 'the deck says so on this page and gives no more than that ';

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const number = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise);

/** Fits the keywords that servers enforce; strings have up to 80 characters. */
export function answerTo(schema: unknown, root: unknown = schema): unknown {
  if (!isSchema(schema)) return '';
  if ('const' in schema) return schema['const'];
  if ('enum' in schema) return list(schema['enum'])[0];
  const reference = schema['$ref'];
  if (typeof reference === 'string') return answerTo(resolve(root, reference), root);
  for (const keyword of ['anyOf', 'allOf', 'oneOf']) {
    const [first] = list(schema[keyword]);
    if (first !== undefined) return answerTo(first, root);
  }
  const type = list(schema['type'])[0] ?? schema['type'];
  switch (type) {
    case 'object': {
      const properties = isSchema(schema['properties']) ? schema['properties'] : {};
      return Object.fromEntries(Object.entries(properties).map(([name, of]) => [name, answerTo(of, root)]));
    }
    case 'array': {
      const first = list(schema['prefixItems']).map((of) => answerTo(of, root));
      while (first.length < number(schema['minItems'], 0)) first.push(answerTo(schema['items'], root));
      return first;
    }
    case 'integer':
    case 'number':
      return number(schema['minimum'], number(schema['exclusiveMinimum'], -1) + 1);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default: {
      if (schema['format'] === 'date') return '2026-01-01';
      const least = number(schema['minLength'], 0);
      const most = number(schema['maxLength'], 80);
      return WORDS.repeat(Math.ceil(Math.max(least, 80) / WORDS.length))
        .slice(0, Math.max(least, Math.min(most, 80)))
        .trim()
        .padEnd(least, '.');
    }
  }
}

function resolve(root: unknown, reference: string): unknown {
  let at: unknown = root;
  for (const step of reference.replace(/^#\/?/u, '').split('/')) at = isSchema(at) ? at[step] : undefined;
  return at;
}
