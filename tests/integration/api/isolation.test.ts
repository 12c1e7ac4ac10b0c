/** What one tenant can find out of, or do to, another: nothing, on every route there is. And what a single request can take or learn. */
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { beforeAll, expect, it } from 'vitest';
import type { BlobStore } from '../../../platform/blobs.ts';
import { slideImageKey } from '../../../platform/blobs.ts';
import { until } from '../../../testing/until.ts';
import { aGap, aSlide, TENANT } from '../../../testing/make.ts';
import {
  type Answer,
  formOf,
  OTHER_TENANT,
  pdfBytes,
  problem,
  type Route,
  send,
  serveInTest,
  startTestApi,
} from './support.ts';
import { perFile } from '../../../testing/per-file.ts';

/** An operator of the other tenant, who may use every route. */
let stranger: { readonly authorization: string };
/** Something of the first tenant under each of its ids. */
let ours: Record<'deck' | 'analysis' | 'webhook' | 'delivery' | 'company' | 'view', string>;
/** The same of the other tenant. */
let theirs: { deck: string; analysis: string };

const api = perFile(startTestApi);
beforeAll(async () => {
  stranger = await api.keyOf({ role: 'operator', tenant: OTHER_TENANT });
  const deck = await api.deck();
  const artefactBlobKey = slideImageKey(TENANT, deck.id, 'v1', 1, 'artefact');
  await api.blobs.put(artefactBlobKey, Buffer.alloc(1024 * 1024, 'picture'));
  await aSlide(api.db, { deckId: deck.id, renderKey: 'v1', text: 'Secret', artefactBlobKey });
  const { id: analysis } = await api.analysisRow({ deckId: deck.id, status: 'completed' });
  await aGap(api.db, { analysisId: analysis, message: 'Secret' });
  const { id: webhook } = await api.client.POST('/webhooks', { body: { url: 'http://127.0.0.1:9/in', events: [] } });
  const delivery = randomUUID();
  await api.db.webhookDelivery.create({
    data: { id: delivery, tenantId: TENANT, webhookId: webhook, event: 'test', state: 'failed' },
  });
  const { id: company } = await api.client.PUT('/decks/{id}/company', {
    params: { path: { id: deck.id } },
    body: { name: 'Secret' },
  });
  await api.post(`/decks/${deck.id}/verdicts`, { kind: 'tag', text: 'Secret', on: true });
  const { id: view } = await api.client.POST('/views', { body: { name: 'Secret', query: 'tag=Secret' } });
  ours = { deck: deck.id, analysis, webhook, delivery, company, view };

  const uploaded = await api.call('POST', '/decks', { headers: stranger, body: formOf(pdfBytes()) });
  const theirDeck = (uploaded.body as { id: string }).id;
  const row = await api.analysisRow({ deckId: theirDeck, tenantId: OTHER_TENANT, status: 'completed' });
  theirs = { deck: theirDeck, analysis: row.id };
});

/** Every route with something of a tenant in its path; the others are of the installation, or lists. */
const routesOfTenants = (): Route[] =>
  api.routes.filter(({ template }) =>
    /^\/api\/v1\/(?:decks|analyses|companies|replays|views|webhooks)\/.*\{/u.test(template),
  );

/** A body with which the route would do something. */
const bodyOf = (template: string): unknown => {
  if (template.endsWith('/priority')) return { priority: 1 };
  if (template.endsWith('/company')) return { name: 'Theirs' };
  if (template.endsWith('/merge')) return { from: ours.company };
  if (template.endsWith('/companies/{id}')) return { name: 'Theirs' };
  if (template.endsWith('/verdicts')) return { kind: 'assignee', text: 'Somebody' };
  if (template.endsWith('/retry') && template.includes('/analyses/')) return { slide: 1 };
  return {};
};

function ask(
  { method, template }: Pick<Route, 'method' | 'template'>,
  ids: Record<string, string>,
  headers: Record<string, string> = stranger,
): Promise<Answer> {
  const path = template
    .replace('/api/v1', '')
    .replaceAll(/\{([^}]+)\}/gu, (_, name: string) => ids[name] ?? `no ${name}`);
  return method === 'GET' ? api.call(method, path, { headers }) : api.json(method, path, bodyOf(template), headers);
}

/** What a path is filled in with, of the first tenant. */
function idsOf({ template }: Route): Record<string, string> {
  const kind = template.split('/')[3];
  const { deck, analysis, company, view, webhook } = ours;
  const ids: Record<string, string> = { decks: deck, analyses: analysis, companies: company, views: view };
  const id = ids[kind ?? ''] ?? webhook;
  return { id, deliveryId: ours.delivery, number: '1', type: 'visual_analysis' };
}

const everything = async (): Promise<unknown> => ({
  decks: await api.db.deck.findMany({ where: { tenantId: TENANT } }),
  analyses: await api.db.analysis.findMany({ where: { tenantId: TENANT } }),
  webhooks: await api.db.webhook.findMany({ where: { tenantId: TENANT } }),
  deliveries: await api.db.webhookDelivery.findMany({ where: { tenantId: TENANT } }),
  companies: await api.db.company.findMany({ where: { tenantId: TENANT }, include: { keys: true } }),
  verdicts: await api.db.humanVerdict.findMany({ where: { tenantId: TENANT } }),
  views: await api.db.savedView.findMany({ where: { tenantId: TENANT } }),
});

it('no route finds or changes what is another tenant’s, or what there is not', async () => {
  const before = await everything();
  const routes = routesOfTenants();
  for (const route of routes.filter(({ template }) => !template.includes('{a}'))) {
    const ids = idsOf(route);
    for (const answer of [
      await ask(route, ids),
      await ask(route, { ...ids, id: randomUUID() }, { ...api.authorization }),
    ]) {
      expect(answer, `${route.method} ${route.template}`).toMatchObject(problem(404, 'not_found'));
      expect(JSON.stringify(answer.body)).not.toContain('Secret');
    }
  }
  expect(routes.length).toBeGreaterThan(20);
  expect(await everything()).toEqual(before);
});

it('another tenant compares nothing of ours with its own', async () => {
  const compare = { method: 'GET', template: '/api/v1/analyses/{a}/compare/{b}' };
  for (const [a, b] of [
    [ours.analysis, ours.analysis],
    [theirs.analysis, ours.analysis],
    [ours.analysis, theirs.analysis],
  ] as const) {
    expect((await ask(compare, { a, b })).status).toBe(404);
  }
  expect((await ask(compare, { a: theirs.analysis, b: theirs.analysis })).status).toBe(200);
});

it('another tenant finds nothing of ours in any list, nor with a filter for it', async () => {
  for (const path of [
    '/decks',
    `/decks?ids=${ours.deck}&q=deck`,
    '/decks/facets',
    '/decks/portfolio',
    '/decks/export?format=csv',
    '/views',
    '/analyses',
    `/analyses?deck=${ours.deck}`,
    `/analyses?ids=${ours.analysis}`,
    '/webhooks',
    '/companies',
    `/companies?q=${encodeURIComponent('Secret')}`,
    '/people',
    '/calibration',
  ]) {
    const { status, body } = await api.call('GET', path, { headers: stranger });
    expect(status, path).toBe(200);
    for (const word of ['Secret', ...Object.values(ours)]) expect(JSON.stringify(body), path).not.toContain(word);
    // It has one deck of its own.
    expect([undefined, 0, 1], path).toContain((body as { total?: number }).total);
  }
  for (const filter of [{}, { deck: ours.deck }]) {
    const { body } = await api.post('/replays', { status: ['completed'], dryRun: true, ...filter }, stranger);
    expect(JSON.stringify(body)).not.toContain(ours.analysis);
  }
});

it('another tenant uploads the same PDF as a deck of its own', async () => {
  const bytes = pdfBytes();
  const mine = (await api.upload(bytes)).body as { id: string };
  const answer = await api.call('POST', '/decks', { headers: stranger, body: formOf(bytes) });
  expect(answer.status).toBe(201);
  expect((answer.body as { id: string }).id).not.toBe(mine.id);
});

it('a HEAD leaves no file open', async () => {
  const opened: Readable[] = [];
  const { blobs } = api;
  const counting: BlobStore = Object.assign(Object.create(blobs) as BlobStore, {
    stream: async (key: string): Promise<Readable> => {
      const stream = await blobs.stream(key);
      opened.push(stream);
      return stream;
    },
  });
  const server = await serveInTest({ ...api, blobs: counting });
  const url = `${server.url}/api/v1/decks/${ours.deck}/slides/1/image`;
  const answer = await fetch(url, { method: 'HEAD', headers: api.authorization });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  await until(() => opened.every((stream) => stream.destroyed)).is(true);
  expect(opened).toHaveLength(1);
});

it('no document larger than a MiB is read, with or without its size said before', async () => {
  const large = JSON.stringify({ name: 'x'.repeat(1024 * 1024), role: 'analyst' });
  expect(await api.post('/keys', JSON.parse(large))).toMatchObject({
    status: 400,
    body: { detail: 'What is sent may not be larger than 1 MiB.' },
  });
  const headers = { ...api.authorization, 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
  const chunked = await send(`${api.url}/api/v1/keys`, headers, 'POST', large);
  expect([chunked.status, chunked.body]).toEqual([400, expect.stringContaining('1 MiB')]);
});

it('an event stream that breaks says nothing of why', async () => {
  const { db } = api;
  const count = (): never => {
    throw new Error('password of the database');
  };
  // The look at a key that is taken again while a stream goes on.
  const apiKey: unknown = Object.assign(Object.create(db.apiKey) as object, { count });
  const broken = new Proxy(db, { get: (target, name) => (name === 'apiKey' ? apiKey : Reflect.get(target, name)) });
  const server = await serveInTest({ ...api, db: broken });
  const row = await api.analysisRow({ deckId: ours.deck, status: 'running', stage: 'slides' });
  const events = await fetch(`${server.url}/api/v1/analyses/${row.id}/events`, { headers: api.authorization });
  let text = '';
  const reading = (async () => {
    for await (const chunk of events.body ?? []) text += Buffer.from(chunk).toString();
    return true;
  })();
  const stages = ['extraction', 'slides'];
  await until(async () => {
    await api.db.analysis.update({ where: { id: row.id }, data: { stage: stages.reverse()[0] ?? null } });
    return Promise.race([reading, new Promise<false>((resolve) => setTimeout(() => resolve(false), 100))]);
  }).is(true);
  expect(text).toContain('event: stage');
  expect(text).not.toContain('password');
});

it('a character that cannot be stored is refused by name, wherever it comes', async () => {
  for (const path of ['/decks/%00', '/analyses/%00/events', '/analyses?deck=%00', '/fleet/instances/%00']) {
    const answer = await fetch(`${api.url}/api/v1${path}`, { headers: api.authorization });
    expect([answer.status, await answer.text()], path).toEqual([400, expect.stringContaining('NUL')]);
  }
  // A name goes to terminals.
  for (const name of ['a\0b', 'a\u001b[2Jb', 'a\nb']) {
    expect((await api.post('/keys', { name, role: 'analyst' })).status).toBe(400);
    expect((await api.post('/tenants', { slug: 'named', name })).status).toBe(400);
  }
});
