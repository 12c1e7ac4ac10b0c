/**
 * Codec server: decrypts what Temporal holds for operators, by Temporal's protocol for remote codecs. The Temporal UI calls
 * it from the operator's browser, the `temporal` command with `--codec-endpoint`.
 */
import { z } from '@hono/zod-openapi';
import type { Payload } from '@temporalio/common';
import { createMiddleware } from 'hono/factory';
import { payloadCodec } from '../../platform/temporal/data-converter.ts';
import type { ApiEnv } from '../context.ts';
import { limitBody } from '../http/body-limit.ts';
import { json, jsonBody, problems, route } from '../http/definition.ts';
import { group } from '../http/routes.ts';

/** Temporal takes 4 MB in one message, which base64 makes a third larger. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** Bytes as JSON carries them; senders differ in alphabet and padding. */
const bytes = z.string().regex(/^[\w+/-]*={0,2}$/, 'is not base64');
const payloadsSchema = z
  .object({
    payloads: z.array(z.object({ metadata: z.record(z.string(), bytes).nullish(), data: bytes.nullish() })).default([]),
  })
  .openapi('Payloads');
type PayloadsDocument = z.infer<typeof payloadsSchema>;

const codecRoute = (direction: 'decode' | 'encode', summary: string) =>
  route('post', `/codec/${direction}`, {
    summary,
    middleware: [limitBody(MAX_BODY_BYTES, 'The payloads')] as const,
    request: { body: jsonBody(payloadsSchema) },
    responses: { 200: json(payloadsSchema, 'The payloads.'), ...problems(400, 401, 403, 422, 500) },
  });

/** The routes of the codec server. */
export const codecRoutes = group(({ config }, routes) => {
  const codec = payloadCodec(config);
  routes.openapi(codecRoute('decode', 'Decrypt payloads of Temporal.'), async (c) => {
    // Decrypted: no cache may keep them.
    c.header('cache-control', 'no-store');
    return c.json(toDocument(await codec.decode(fromDocument(c.req.valid('json')))), 200);
  });
  routes.openapi(codecRoute('encode', 'Encrypt payloads for Temporal.'), async (c) => {
    c.header('cache-control', 'no-store');
    return c.json(toDocument(await codec.encode(fromDocument(c.req.valid('json')))), 200);
  });
});

function fromDocument({ payloads }: PayloadsDocument): Payload[] {
  return payloads.map(({ metadata, data }) => ({
    metadata: Object.fromEntries(
      Object.entries(metadata ?? {}).map(([name, value]) => [name, Buffer.from(value, 'base64')]),
    ),
    data: Buffer.from(data ?? '', 'base64'),
  }));
}

const base64 = (value: Uint8Array | null | undefined): string => Buffer.from(value ?? []).toString('base64');

function toDocument(payloads: readonly Payload[]): PayloadsDocument {
  return {
    payloads: payloads.map(({ metadata, data }) => ({
      metadata: Object.fromEntries(Object.entries(metadata ?? {}).map(([name, value]) => [name, base64(value)])),
      data: base64(data),
    })),
  };
}

/** What the UI sends beside its cookie. */
const HEADERS = 'Content-Type, X-Namespace, Authorization, Authorization-Extras';
/** A browser repeats the preflight request after this time. */
const MAX_AGE_SEC = 600;

/**
 * The middleware. It runs before the middleware that refuses requests, because a browser shows a page only errors that carry the headers too, and asks
 * first without any cookie.
 *
 * @param uiUrl where people reach the UI; undefined = nowhere
 */
export function codecCors(uiUrl: string | undefined) {
  const allowed = uiUrl === undefined ? undefined : new URL(uiUrl).origin;
  return createMiddleware<ApiEnv>(async (c, next) => {
    const trusted = allowed !== undefined && c.req.header('origin') === allowed;
    if (trusted) c.set('trustedOrigin', allowed);
    if (trusted && c.req.method === 'OPTIONS') {
      c.res = new Response(null, { status: 204 });
      c.res.headers.set('access-control-allow-methods', 'GET, POST, DELETE');
      c.res.headers.set('access-control-allow-headers', HEADERS);
      c.res.headers.set('access-control-max-age', String(MAX_AGE_SEC));
    } else await next();
    c.res.headers.append('vary', 'Origin');
    if (!trusted) return;
    c.res.headers.set('access-control-allow-origin', allowed);
    c.res.headers.set('access-control-allow-credentials', 'true');
  });
}
