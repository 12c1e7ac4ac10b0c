/** Routes of decks, each status of each route. */
import { randomBytes, randomUUID } from 'node:crypto';
import { closeSync, existsSync, ftruncateSync, openSync, readdirSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { DeckDocument } from '../../../api/client.ts';
import type { DeckEntryPage } from '../../../domain/decks/list/entry.ts';
import { deckPdfKey } from '../../../platform/blobs.ts';
import { sha256Hex } from '../../../platform/hash.ts';
import { TENANT } from '../../../testing/make.ts';
import { formOf, MAX_UPLOAD_BYTES, pdfBytes, problem, startTestApi } from './support.ts';
import { perFile, folderPerTest } from '../../../testing/per-file.ts';

const api = perFile(startTestApi);

const leftovers = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('deckhand-upload-'));

it('POST /decks 201: stores the file and the deck', async () => {
  const bytes = pdfBytes();
  const answer = await api.upload(bytes, 'Präsentation.pdf');
  const sha256 = sha256Hex(bytes);
  expect(answer).toMatchObject({
    status: 201,
    body: { fileName: 'Präsentation.pdf', sha256, sizeBytes: bytes.length, slides: null, hazards: [] },
  });
  expect(Buffer.from(await api.blobs.get(deckPdfKey(TENANT, sha256))).equals(bytes)).toBe(true);
});

it('POST /decks 200: the same PDF is the same deck, whatever its name', async () => {
  const bytes = pdfBytes();
  const first = await api.upload(bytes, 'a.pdf');
  const second = await api.upload(bytes, 'b.pdf');
  expect([first.status, second.status]).toEqual([201, 200]);
  const deck = first.body as DeckDocument;
  expect(second.body).toEqual({ ...deck, fileName: 'b.pdf', otherNames: ['a.pdf'] });
  // A name is kept once, and the first stays the deck's own.
  await Promise.all([1, 2, 3].map(() => api.upload(bytes, 'b.pdf')));
  expect((await api.call('GET', `/decks/${deck.id}`)).body).toMatchObject({ ...deck, otherNames: ['b.pdf'] });
});

it('POST /decks stores one deck when the same PDF arrives several times at once', async () => {
  const bytes = pdfBytes();
  const answers = await Promise.all(Array.from({ length: 8 }, () => api.upload(bytes)));
  expect(new Set(answers.map((a) => (a.body as DeckDocument).id)).size).toBe(1);
  expect(answers.filter((a) => a.status === 201)).toHaveLength(1);
});

it('POST /decks brings a lost blob back when its PDF is uploaded again', async () => {
  const bytes = pdfBytes();
  await api.upload(bytes);
  await api.blobs.delete(deckPdfKey(TENANT, sha256Hex(bytes)));
  expect((await api.upload(bytes)).status).toBe(200);
  expect(await api.blobs.has(deckPdfKey(TENANT, sha256Hex(bytes)))).toBe(true);
});

it('POST /decks 400: not multipart, no file, or cut short', async () => {
  const none = await api.post('/decks', {});
  const wrongField = await api.call('POST', '/decks', { body: formOf(pdfBytes(), 'a.pdf', 'attachment') });
  const cut = await api.call('POST', '/decks', {
    body: '--B\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.7 and no end',
    headers: { 'content-type': 'multipart/form-data; boundary=B' },
  });
  for (const answer of [none, wrongField, cut]) expect(answer).toMatchObject(problem(400, 'invalid_request'));
});

it('POST /decks 413: larger than allowed, announced or not, and nothing of it stays', async () => {
  const large = Buffer.concat([pdfBytes(), randomBytes(4 * MAX_UPLOAD_BYTES)]);
  const announced = await api.upload(large);
  expect(announced).toMatchObject(problem(413, 'pdf_too_large'));
  const form = new Response(formOf(large));
  const streamed = await api.call('POST', '/decks', {
    body: form.body,
    headers: { 'content-type': form.headers.get('content-type') ?? '' },
    // Without this a stream cannot be a body; then its length is not announced.
    duplex: 'half',
  } as RequestInit);
  expect(streamed).toMatchObject(problem(413, 'pdf_too_large'));
  expect(leftovers()).toEqual([]);
  expect(await api.db.deck.count({ where: { sizeBytes: { gt: MAX_UPLOAD_BYTES } } })).toBe(0);
});

it('POST /decks 413: tells a client that is still sending hundreds of megabytes, instead of hanging up on it', async () => {
  const path = join(folderPerTest(), 'large.pdf');
  const file = openSync(path, 'w');
  writeSync(file, pdfBytes());
  ftruncateSync(file, 200 * 1024 * 1024);
  closeSync(file);
  await expect(api.client.uploadDeck(path)).rejects.toMatchObject({ code: 'pdf_too_large' });
  expect((await api.upload(pdfBytes())).status).toBe(201);
});

it('POST /decks takes a file of exactly the allowed size', async () => {
  const exact = Buffer.concat([pdfBytes(), randomBytes(MAX_UPLOAD_BYTES)]).subarray(0, MAX_UPLOAD_BYTES);
  expect((await api.upload(exact)).status).toBe(201);
});

it('POST /decks 415: not a PDF by its content, whatever its name', async () => {
  for (const content of ['PK\u0003\u0004 a zip', '<html>', `${'x'.repeat(2000)}%PDF-1.7`]) {
    const answer = await api.upload(Buffer.from(content), 'deck.pdf');
    expect(answer).toMatchObject(problem(415, 'not_a_pdf'));
    expect((answer.body as { detail: string }).detail).toMatch(/^This file is .*\.$/u);
  }
});

it('POST /decks 422: an empty file', async () => {
  expect(await api.upload(new Uint8Array(), 'deck.pdf')).toMatchObject(problem(422, 'pdf_empty'));
});

it('POST /decks never lets a file name become a path', async () => {
  const answer = await api.upload(pdfBytes(), '../../../../tmp/deckhand-evil.pdf');
  expect(answer).toMatchObject({ status: 201, body: { fileName: 'deckhand-evil.pdf' } });
  expect(existsSync(join(tmpdir(), 'deckhand-evil.pdf'))).toBe(false);
});

it('GET /decks 200: pages through all decks, newest first, each once', async () => {
  const made = [];
  for (let n = 0; n < 5; n += 1) {
    made.push((await api.deck()).id);
    // Two decks of one millisecond are ordered by their random ids.
    await delay(5);
  }
  const seen = (await api.pages<DeckEntryPage>('/decks?limit=2')).flatMap(({ items }) => items.map(({ id }) => id));
  expect(seen.slice(0, 5)).toEqual(made.toReversed());
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toHaveLength(await api.db.deck.count({ where: { tenantId: TENANT } }));
});

it('GET /decks 400: a limit or cursor that is none', async () => {
  for (const query of ['limit=0', 'limit=1000', 'limit=x', 'cursor=nonsense']) {
    expect(await api.call('GET', `/decks?${query}`)).toMatchObject(problem(400, 'invalid_request'));
  }
});

it('GET /decks/{id} 200: the deck', async () => {
  const deck = await api.deck();
  expect(await api.call('GET', `/decks/${deck.id}`)).toMatchObject({ status: 200, body: deck });
});

it('GET /decks/{id} 404: unknown', async () => {
  for (const id of [randomUUID(), '%27%20or%201=1']) {
    expect(await api.call('GET', `/decks/${id}`)).toMatchObject(problem(404, 'not_found'));
  }
});
