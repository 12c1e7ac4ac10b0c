/** The whole OpenAPI document, held against the app that it describes. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serveWithoutServices, type ApiWithoutServices } from '../../../testing/api-without-services.ts';

interface Schema {
  readonly type?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
}
interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: unknown;
  readonly security?: unknown;
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, { readonly properties?: Record<string, Schema> }>> };
}

const ORIGIN_PATHS = /^\/(?:api\/|metrics$)/u;

let api: ApiWithoutServices;
let document: Document;
beforeAll(async () => {
  api = await serveWithoutServices();
  document = (await (await fetch(`${api.url}/openapi.json`)).json()) as Document;
});
afterAll(() => api.close());

const operations = (): { method: string; path: string; operation: Operation }[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

/** Every pattern below a value, by where it stands. */
function patternsOf(value: unknown, at: string): [string, string][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, held]): [string, string][] =>
    name === 'pattern' && typeof held === 'string' ? [[at, held]] : patternsOf(held, `${at}/${name}`),
  );
}

it('every pattern is one of JSON Schema: a regular expression that means the same without flags', () => {
  const patterns = patternsOf(document, '#');
  expect(patterns.length).toBeGreaterThan(5);
  for (const [at, pattern] of patterns) {
    expect(() => new RegExp(pattern), at).not.toThrow();
    // The end of a literal with its flags, and what only the flag `u` gives a meaning.
    expect(pattern, at).not.toMatch(/\$\/[dgimsuvy]*$|\\[pP]\{|\\u\{/u);
  }
});

it.each([
  ['NewBudget', 'hardUsd', ['12.50', '-3'], ['12.', 'x']],
  ['NewAlertRule', 'id', ['budget-half'], ['Budget', '-a']],
  ['NewTenant', 'slug', ['acme-2'], ['-a', 'A']],
  ['NewTenant', 'name', ['Müller & Söhne ✓', ''], ['a\u0000b', 'a\nb', '\u0085']],
])('the pattern of %s.%s takes what is valid and nothing else', (schema, property, valid, invalid) => {
  const pattern = document.components.schemas[schema]?.properties?.[property]?.pattern;
  expect(pattern).toBeDefined();
  const regex = new RegExp(pattern ?? '');
  expect(valid.filter((text) => !regex.test(text))).toEqual([]);
  expect(invalid.filter((text) => regex.test(text))).toEqual([]);
});

it('every route of the app is described, and no other', () => {
  const served = api.app.routes
    .filter(({ method, path }) => method !== 'ALL' && ORIGIN_PATHS.test(path))
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)(?:\{[^}]*\})?/gu, '{$1}')}`);
  const described = operations().map(({ method, path }) => `${method} ${path}`);
  expect(described.toSorted()).toEqual([...new Set(served)].toSorted());
  expect(described).toContain('GET /metrics');
});

it('metrics and the document itself are described with their type and who may have them', () => {
  const metrics = document.paths['/metrics']?.['get'];
  expect(Object.keys(metrics?.responses['200']?.content ?? {})).toEqual(['text/plain']);
  const itself = document.paths['/api/v1/openapi.json']?.['get'];
  expect(Object.keys(itself?.responses['200']?.content ?? {})).toEqual(['application/json']);
  for (const operation of [metrics, itself]) {
    expect(operation?.security).toEqual([{ key: [] }, { session: [] }]);
    expect(Object.keys(operation?.responses ?? {})).toEqual(expect.arrayContaining(['401', '403']));
  }
});

/** A value that the schema of a path parameter takes. */
const sampleOf = ({ type, enum: values }: Schema): string =>
  values === undefined ? (type === 'integer' ? '1' : 'a') : String(values[0]);

it('an over-long or unknown value of each path parameter gets an answer that is described', async () => {
  const asked: string[] = [];
  for (const { method, path, operation } of operations()) {
    const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
    expect(path.match(/\{/gu)?.length ?? 0, path).toBe(parameters.length);
    for (const wrong of parameters) {
      const filled = parameters.reduce(
        (text, { name, schema }) =>
          text.replace(`{${name}}`, name === wrong.name ? 'x'.repeat(2000) : sampleOf(schema)),
        path,
      );
      const what = `${method} ${path}, ${wrong.name}`;
      const response = await fetch(`http://127.0.0.1:${api.port}${filled}`, {
        method,
        ...(method === 'GET' ? {} : { headers: { 'content-type': 'application/json' }, body: '{}' }),
      });
      expect(response.status, what).toBe(400);
      expect(await response.json(), what).toMatchObject({ code: 'invalid_request' });
      expect(Object.keys(operation.responses), what).toContain('400');
      asked.push(what);
    }
  }
  expect(asked.length).toBeGreaterThan(25);
});
