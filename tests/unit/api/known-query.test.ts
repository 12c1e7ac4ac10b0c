/** Query parameters that a route does not have, on every route there is. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serveWithoutServices, type ApiWithoutServices } from '../../../testing/api-without-services.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly parameters?: readonly Parameter[] }>>>>;
}
interface Route {
  readonly method: string;
  /** With something in place of its parameters. */
  readonly path: string;
  readonly query: readonly string[];
}

let api: ApiWithoutServices;
let routes: readonly Route[];
beforeAll(async () => {
  api = await serveWithoutServices();
  const { paths } = (await (await fetch(`${api.url}/openapi.json`)).json()) as Document;
  routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [] }]) => ({
      method: method.toUpperCase(),
      path: path.replaceAll(/\{[^}]+\}/gu, '1'),
      query: parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name),
    })),
  );
});
afterAll(() => api.close());

async function ask(method: string, target: string): Promise<{ status: number; detail: string; hint: string }> {
  const headers = { accept: 'application/json' };
  const response = await fetch(`http://127.0.0.1:${api.port}${target}`, { method, headers, redirect: 'manual' });
  if (response.headers.get('content-type') !== 'application/problem+json') {
    // A stream of events has no end.
    await response.body?.cancel();
    return { status: response.status, detail: '', hint: '' };
  }
  const { detail, hint = '' } = (await response.json()) as { detail: string; hint?: string };
  return { status: response.status, detail, hint };
}

it('every route refuses a query parameter that it does not have, and names those that it has', async () => {
  for (const { method, path, query } of routes) {
    const answer = await ask(method, `${path}?${query.map((name) => `${name}=1&`).join('')}surprise=1`);
    expect(answer, `${method} ${path}`).toEqual({
      status: 400,
      detail: `surprise: no parameter of ${method} ${path}`,
      hint: query.length === 0 ? 'It has no parameters.' : `Its parameters are ${query.join(', ')}.`,
    });
  }
  expect(routes.filter(({ query }) => query.length > 0).length).toBeGreaterThan(15);
  expect(routes.length).toBeGreaterThan(70);
});

it('every route takes the query parameters that are described', async () => {
  for (const { method, path, query } of routes) {
    if (query.length === 0) continue;
    const { detail } = await ask(method, `${path}?${query.map((name) => `${name}=1`).join('&')}`);
    expect(detail, `${method} ${path}`).not.toContain('no parameter of');
  }
});

it('a look by HEAD is held to the parameters of GET', async () => {
  expect((await fetch(`${api.url}/health?surprise=1`, { method: 'HEAD' })).status).toBe(400);
});

it('the query of a page of the workspace is its own', async () => {
  expect((await ask('GET', '/compare?analyses=a,b&surprise=1')).detail).not.toContain('no parameter of');
});

it('an answer repeats only the beginning of what was asked', async () => {
  const names = Array.from({ length: 40 }, (_, i) => `${'x'.repeat(500)}${i}`);
  const { detail } = await ask('GET', `/api/v1/health?${names.map((name) => `${name}=1`).join('&')}`);
  expect(detail.length).toBeLessThan(500);
});
