/**
 * What the tests of the API share: real Postgres and Temporal, the app on a real socket, and a call that checks every answer against the
 * OpenAPI document.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { expect, onTestFinished } from 'vitest';
import { z } from 'zod';
import { createApp } from '../../../api/app.ts';
import { admitOwnKey } from '../../../api/auth/own-key.ts';
import { createDeckhandClient, type DeckhandClient } from '../../../api/client.ts';
import type { DeckDocument } from '../../../api/client.ts';
import type { NewApiKey } from '../../../api/keys/schemas.ts';
import { changeCatalog, putModel, putServer } from '../../../activities/models/catalog/change.ts';
import { modelsOfProfile, serverSchema } from '../../../domain/models/catalog/catalog.ts';
import { findProfile } from '../../../domain/models/catalog/lookup.ts';
import { PRESETS } from '../../../domain/models/catalog/presets.ts';
import type { Analysis, PrismaClient } from '../../../generated/prisma/client.ts';
import { openBlobs } from '../../../platform/blobs.ts';
import type { BlobStore } from '../../../platform/blobs.ts';
import { loadConfig, type Config } from '../../../platform/config.ts';
import { closeDatabase, createDatabase } from '../../../platform/db.ts';
import { createLogger, type Logger } from '../../../platform/log.ts';
import { connectTemporal } from '../../../platform/temporal.ts';
import { type CommandRun, runCommand } from '../../../testing/command.ts';
import { serveApp } from '../../../testing/serve-app.ts';
import { sharedServers, type RuntimeServers, type TestNamespace } from '../../../testing/test-servers.ts';
import { anAnalysis } from '../../../testing/make.ts';

/** A tenant whose rows must stay invisible to every request. */
export const OTHER_TENANT = 'other';

/** Upload limit of the API under test. */
export const MAX_UPLOAD_BYTES = 1024 * 1024;

const PREFIX = '/api/v1';

/** An answer, already checked against the OpenAPI document. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed where the answer is JSON, else text. */
  readonly body: unknown;
}

/** A route of the OpenAPI document. */
export interface Route extends Operation {
  readonly method: string;
  /** With the prefix, and its parameters in braces. */
  readonly template: string;
}

export interface TestApi extends TestNamespace {
  readonly url: string;
  readonly db: PrismaClient;
  readonly temporal: Client;
  readonly blobs: BlobStore;
  readonly client: DeckhandClient;
  /** Settings of the data directory. */
  readonly config: Config;
  readonly databaseUrl: string;
  /** An operator's key of the tenant of every request. */
  readonly apiKey: string;
  /** The header that shows it. */
  readonly authorization: { readonly authorization: string };
  /** Sends a request below `/api/v1` and checks that the document describes its answer. */
  call(method: string, path: string, init?: RequestInit): Promise<Answer>;
  readonly routes: readonly Route[];
  /** Sends JSON. */
  json(method: string, path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Posts JSON, or nothing. */
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Uploads bytes as a file. */
  upload(bytes: Uint8Array, fileName?: string): Promise<Answer>;
  /** The header that shows a new key: that of an analyst called Ann, unless something else is said. */
  keyOf(key?: Partial<NewApiKey>): Promise<{ readonly authorization: string }>;
  /** Every page of a list from this path on, which has a query. */
  pages<P extends { readonly nextCursor: string | null }>(path: string): Promise<P[]>;
  /** Runs `deckhand` on the data directory, in whose files it finds the key of the operator. */
  deckhand(args: readonly string[], environment?: Record<string, string>): Promise<CommandRun>;
  /** A stored deck with bytes of its own. */
  deck(): Promise<DeckDocument>;
  /** A row of an analysis that no workflow knows, of a deck of its own unless one is named. */
  analysisRow(values?: Partial<Analysis>): Promise<Analysis>;
  close(): Promise<void>;
}

/** Bytes that pass for a PDF; each has a hash of its own. */
export const pdfBytes = (text: string = randomUUID()): Uint8Array => Buffer.from(`%PDF-1.7\n% ${text}\n%%EOF\n`);

export const formOf = (bytes: Uint8Array, fileName = 'deck.pdf', field = 'file'): FormData => {
  const form = new FormData();
  form.set(field, new Blob([new Uint8Array(bytes)]), fileName);
  return form;
};

/** Names a server that has the models of a preset, so that an analysis may name it. Nothing listens there. */
export async function holdProfile(db: PrismaClient, name: string): Promise<void> {
  const author = { owner: 'api', by: 'a test', at: new Date() } as const;
  await changeCatalog(db, author, async (change) => {
    await putServer(change, serverSchema.parse({ name: 'box', url: 'http://127.0.0.1:9' }));
    for (const model of modelsOfProfile(findProfile(PRESETS, name), PRESETS.models))
      await putModel(change, { ...model, server: 'box' });
  });
}

/** A refusal by its status and code, for `toMatchObject`. */
export const problem = (status: number, code: string) => ({ status, body: { code } });

interface Operation {
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { schema: unknown }>> }>>;
  readonly security?: unknown;
}

/** The document as far as tests need it. */
interface OpenApi {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, unknown> };
}

/** Checks answers against the document: the route, the status and the body have to be in it. */
class DocumentCheck {
  readonly #document: OpenApi;
  readonly #schemas = new Map<string, z.ZodType>();

  constructor(document: OpenApi) {
    this.#document = document;
  }

  check(method: string, path: string, answer: Answer): void {
    const [pathname = ''] = path.split('?');
    const routes = Object.entries(this.#document.paths).filter(([template]) => {
      const pattern = template.replaceAll(/\{[^}]+\}/g, '[^/]+');
      return new RegExp(`^${pattern}$`).test(`${PREFIX}${pathname}`);
    });
    // A path without parameters goes before one with them, as OpenAPI has it.
    const [, route] = routes.find(([template]) => !template.includes('{')) ?? routes[0] ?? [];
    // A path that is not described has one answer only: the problem of a missing route.
    const operation = route?.[method.toLowerCase()];
    if (operation === undefined) {
      expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
      return;
    }
    const described = operation.responses[String(answer.status)];
    expect(described, `${method} ${path} answers ${answer.status}: ${JSON.stringify(answer.body)}`).toBeDefined();
    // An answer that is described without a body has none.
    if (described !== undefined && described.content === undefined) return expect(answer.body).toBe('');
    const type = answer.headers.get('content-type')?.split(';')[0] ?? '';
    const content = described?.content?.[type];
    expect(content, `${method} ${path} ${answer.status} answers ${type}`).toBeDefined();
    if (!type.endsWith('json')) return;
    const parsed = this.#schemaOf(content?.schema).safeParse(answer.body);
    expect(parsed.error, `${method} ${path} ${answer.status}`).toBeUndefined();
  }

  #schemaOf(schema: unknown): z.ZodType {
    const text = JSON.stringify({ ...(schema as object), $defs: this.#document.components.schemas });
    const known = this.#schemas.get(text);
    if (known !== undefined) return known;
    const local = JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')) as Parameters<
      typeof z.fromJSONSchema
    >[0];
    const made = z.fromJSONSchema(local);
    this.#schemas.set(text, made);
    return made;
  }
}

/** An API on a database and a namespace of its own, or on these servers; share one per test file. */
export async function startTestApi(given?: RuntimeServers): Promise<TestApi> {
  const home = mkdtempSync(join(tmpdir(), 'deckhand-api-'));
  const servers = given ?? (await sharedServers());
  const config = loadConfig({
    ...loadConfig().environment,
    DECKHAND_HOME: home,
    DECKHAND_LOG_LEVEL: 'silent',
    ...servers.environment,
  });
  const {
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporalAddress,
    TEMPORAL_NAMESPACE: temporalNamespace,
  } = servers.environment;
  const db = createDatabase(databaseUrl, { applicationName: 'deckhand-test' });
  await db.tenant.create({ data: { id: OTHER_TENANT, name: 'Another tenant' } });
  const temporal = await connectTemporal({ address: temporalAddress, namespace: temporalNamespace }, config);
  const blobs = openBlobs({ blobDir: join(home, 'blobs') });
  const served = await serveApi({ db, temporal, blobs, config: { home, fleetFile: config.fleetFile } });
  const { url } = served;

  const apiKey = await admitOwnKey(db, home, createLogger('api-test', { logLevel: 'silent' }));
  const authorization = { authorization: `Bearer ${apiKey}` };
  const documentAnswer = await fetch(`${url}${PREFIX}/openapi.json`, { headers: authorization });
  const document = (await documentAnswer.json()) as OpenApi;
  const check = new DocumentCheck(document);
  const call = async (method: string, path: string, init: RequestInit = {}): Promise<Answer> => {
    // What a test sends itself comes last: it may show another key.
    const headers = new Headers({ ...authorization, ...Object.fromEntries(new Headers(init.headers)) });
    const response = await fetch(`${url}${PREFIX}${path}`, { method, ...init, headers });
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    const body: unknown = isJson ? await response.json() : await response.text();
    const answer = { status: response.status, headers: response.headers, body };
    check.check(method, path, answer);
    return answer;
  };
  const upload = (bytes: Uint8Array, fileName?: string): Promise<Answer> =>
    call('POST', '/decks', { body: formOf(bytes, fileName) });
  const json: TestApi['json'] = (method, path, body, headers = {}) =>
    call(method, path, {
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const client = createDeckhandClient(url, { apiKey });
  const deck = async (): Promise<DeckDocument> => (await upload(pdfBytes())).body as DeckDocument;
  return {
    url,
    db,
    temporal,
    blobs,
    apiKey,
    authorization,
    client,
    temporalAddress,
    temporalNamespace,
    config,
    databaseUrl,
    call,
    upload,
    routes: Object.entries(document.paths).flatMap(([template, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({
        ...operation,
        method: method.toUpperCase(),
        template,
      })),
    ),
    json,
    post: (path, body, headers = {}) =>
      body === undefined ? call('POST', path, { headers }) : json('POST', path, body, headers),
    keyOf: async (values = {}) => {
      const { key } = await client.POST('/keys', { body: { name: 'Ann', role: 'analyst', ...values } });
      return { authorization: `Bearer ${key}` };
    },
    pages: async <P extends { readonly nextCursor: string | null }>(path: string) => {
      const pages: P[] = [];
      for (let cursor: string | null = ''; cursor !== null; cursor = pages.at(-1)?.nextCursor ?? null)
        pages.push((await call('GET', cursor === '' ? path : `${path}&cursor=${cursor}`)).body as P);
      return pages;
    },
    deckhand: (args, environment = {}) =>
      runCommand(args, { ...config.environment, DECKHAND_API_URL: url, ...environment }),
    deck,
    analysisRow: async (values = {}) => {
      const { deckId = (await deck()).id } = values;
      return anAnalysis(db, { status: 'queued', stage: null, ...values, deckId });
    },
    close: async () => {
      await served.close();
      await temporal.connection.close();
      await closeDatabase(db);
      await servers.release();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Parts that an app is made of. */
interface Parts {
  readonly db: PrismaClient;
  readonly temporal: Client;
  readonly blobs: BlobStore;
  /** A free one by default. */
  readonly port?: number;
  /** Settings that differ from a new installation's. */
  readonly config?: Partial<Config>;
  /** Adds routes of a test's own. */
  readonly extend?: (app: ReturnType<typeof createApp>['app']) => void;
  /** None by default. */
  readonly log?: Logger;
}

/** An app on loopback. */
interface ServedApi {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves an app until the end of the test that runs. */
export async function serveInTest(parts: Parts): Promise<ServedApi> {
  const served = await serveApi(parts);
  onTestFinished(() => served.close());
  return served;
}

/** Serves an app of these parts. */
export async function serveApi(parts: Parts): Promise<ServedApi> {
  const { log = createLogger('api-test', { logLevel: 'silent' }) } = parts;
  const config = { ...loadConfig(), models: 'reader', ...parts.config, maxUploadBytes: MAX_UPLOAD_BYTES };
  const api = createApp({ ...parts, log, config });
  parts.extend?.(api.app);
  return serveApp(api, parts.port);
}

/** Sends a request with headers that fetch would not let one set, such as Host. */
export async function send(
  url: string,
  headers: Readonly<Record<string, string>>,
  method = 'GET',
  content = '',
): Promise<{ status: number; body: string; type: string; headers: IncomingHttpHeaders }> {
  const outgoing = request(url, { headers, method });
  outgoing.end(content);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  response.setEncoding('utf8');
  let body = '';
  for await (const chunk of response) body += String(chunk);
  return {
    status: response.statusCode ?? 0,
    body,
    type: response.headers['content-type'] ?? '',
    headers: response.headers,
  };
}
