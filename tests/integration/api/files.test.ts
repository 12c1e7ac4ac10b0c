/** The files of a deck: the original to save, slides with their images in several sizes, and the words on a page. */
import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { removeDeckFiles } from '../../../activities/deletion/remove.ts';
import type { SlideListDocument } from '../../../api/decks/files/schemas.ts';
import { DeckhandError } from '../../../domain/errors.ts';
import { deckImagesPrefix, slideImageKey, type BlobStore } from '../../../platform/blobs.ts';
import { sha256Hex } from '../../../platform/hash.ts';
import { aSlide, TENANT } from '../../../testing/make.ts';
import { perFile } from '../../../testing/per-file.ts';
import { pdfBytes, problem, send, serveInTest, startTestApi } from './support.ts';

const api = perFile(startTestApi);

const at = (url: string): string => `${api.url}${url}`;
const get = (url: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(at(url), { headers: { ...api.authorization, ...headers } });

/** A stored slide with a picture of 1344 × 756 pixels. */
async function slide(deckId: string, number: number, renderKey = 'v1') {
  const artefactBlobKey = slideImageKey(TENANT, deckId, renderKey, number, 'artefact');
  const background = { r: (number * 40) % 256, g: renderKey.length * 20, b: 90 };
  const bytes = await sharp({ create: { width: 1344, height: 756, channels: 3, background } })
    .jpeg()
    .toBuffer();
  await api.blobs.put(artefactBlobKey, bytes);
  const row = await aSlide(api.db, { deckId, number, renderKey, text: `Text of ${number}`, artefactBlobKey });
  return { bytes, row };
}

/** Names of the files below the images of a deck. */
const imagesOf = (deckId: string): string[] =>
  readdirSync(path.join(api.config.home, 'blobs', deckImagesPrefix(TENANT, deckId)), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.jpg'));

describe('GET /decks/{id}/pdf', () => {
  it('gives the bytes that were uploaded, to save under their name and never to open', async () => {
    const bytes = pdfBytes();
    const { id } = (await api.upload(bytes, 'Größe “2026”.pdf')).body as { id: string };
    const answer = await get(`/api/v1/decks/${id}/pdf`);
    expect(answer.status).toBe(200);
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="Gr__e _2026_.pdf"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%E2%80%9C2026%E2%80%9D.pdf`,
    );
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/u);
    expect(answer.headers.get('cache-control')).toBe('private, no-cache');
  });

  it('is the same for HEAD, without the bytes', async () => {
    const bytes = pdfBytes();
    const { id } = (await api.upload(bytes)).body as { id: string };
    const answer = await send(at(`/api/v1/decks/${id}/pdf`), api.authorization, 'HEAD');
    expect(answer).toMatchObject({ status: 200, body: '', type: 'application/pdf' });
    expect(answer.headers).toMatchObject({ etag: `"${sha256Hex(bytes)}"`, 'content-length': String(bytes.length) });
  });

  it('is not sent again to a browser that has it', async () => {
    const { id } = await api.deck();
    const etag = (await get(`/api/v1/decks/${id}/pdf`)).headers.get('etag') ?? '';
    const again = await get(`/api/v1/decks/${id}/pdf`, { 'if-none-match': `"other", W/${etag}` });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect((await get(`/api/v1/decks/${id}/pdf`, { 'if-none-match': '"other"' })).status).toBe(200);
  });
});

describe('GET /decks/{id}/slides', () => {
  const slidesOf = async (deckId: string): Promise<SlideListDocument['items']> =>
    ((await api.call('GET', `/decks/${deckId}/slides`)).body as SlideListDocument).items;

  it('lists rendered pages in order with their size, and failed ones with their reason', async () => {
    const deck = await api.deck();
    await slide(deck.id, 2);
    const { row } = await slide(deck.id, 1);
    const failed = { renderKey: 'v1', text: '', failureCode: 'page_render_timeout', failureMessage: 'took too long' };
    await api.db.slide.create({
      data: { id: randomUUID(), tenantId: TENANT, deckId: deck.id, number: 3, ...failed },
    });
    const image = `/api/v1/decks/${deck.id}/slides/1/image?v=${row.id}`;
    expect(await slidesOf(deck.id)).toMatchObject([
      {
        number: 1,
        text: 'Text of 1',
        widthPt: expect.any(Number) as number,
        heightPt: expect.any(Number) as number,
        imageUrl: image,
        thumbnailUrl: `${image}&width=320`,
        failure: null,
      },
      { number: 2 },
      {
        number: 3,
        widthPt: null,
        heightPt: null,
        imageUrl: null,
        thumbnailUrl: null,
        failure: { code: 'page_render_timeout', message: 'took too long' },
      },
    ]);
  });

  it('shows each page once when it was rendered with several parameters', async () => {
    const deck = await api.deck();
    await slide(deck.id, 1, 'v1');
    const newer = await slide(deck.id, 1, 'v2-newer');
    const [only, ...others] = await slidesOf(deck.id);
    expect(others).toEqual([]);
    const image = await get(only?.imageUrl ?? '');
    expect(Buffer.from(await image.arrayBuffer()).equals(newer.bytes)).toBe(true);
  });
});

describe('GET /decks/{id}/slides/{number}/image', () => {
  const imagePath = (deckId: string, query = '', number = 1): string =>
    `/api/v1/decks/${deckId}/slides/${number}/image${query}`;

  it('is the picture, as a JPEG that no browser takes for anything else', async () => {
    const deck = await api.deck();
    const { bytes } = await slide(deck.id, 1);
    const answer = await get(imagePath(deck.id));
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
    expect(answer.headers.get('content-type')).toBe('image/jpeg');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('never shows the picture of another deck of the same name', async () => {
    const [a, b] = [await api.deck(), await api.deck()];
    const ofA = await slide(a.id, 1);
    const ofB = await slide(b.id, 1, 'v2-other');
    for (const [deck, { bytes }] of [
      [a, ofA],
      [b, ofB],
    ] as const)
      expect(Buffer.from(await (await get(imagePath(deck.id))).arrayBuffer()).equals(bytes)).toBe(true);
  });

  it('has two smaller forms, and no others', async () => {
    const deck = await api.deck();
    await slide(deck.id, 1);
    for (const width of [320, 640]) {
      const answer = await get(imagePath(deck.id, `?width=${width}`));
      expect(answer.headers.get('content-type')).toBe('image/jpeg');
      const { format, width: made, height } = await sharp(await answer.arrayBuffer()).metadata();
      expect({ format, made, height }).toEqual({ format: 'jpeg', made: width, height: (width * 9) / 16 });
    }
    for (const width of ['321', '0', '1e2', '-320', '999999', 'x', '']) {
      const path = `/decks/${deck.id}/slides/1/image?width=${width}`;
      expect(await api.call('GET', path), width).toMatchObject(problem(400, 'invalid_request'));
    }
  });

  it('is kept by a browser for good where its address names the drawing, and else asked for by its tag', async () => {
    const deck = await api.deck();
    const { row } = await slide(deck.id, 1);
    const named = await get(imagePath(deck.id, `?v=${row.id}&width=320`));
    expect(named.headers.get('cache-control')).toBe('private, max-age=86400, immutable');
    for (const query of ['?width=320', '?width=320&v=of-before']) {
      const answer = await get(imagePath(deck.id, query));
      expect(answer.headers.get('cache-control'), query).toBe('private, no-cache');
      const etag = answer.headers.get('etag') ?? '';
      expect(etag).toMatch(/^"[^"]+"$/u);
      expect((await get(imagePath(deck.id, query), { 'if-none-match': etag })).status).toBe(304);
      // Another size, and another drawing, have other tags.
      expect((await get(imagePath(deck.id), { 'if-none-match': etag })).status).toBe(200);
      expect((await get(imagePath(deck.id, '?width=640'), { 'if-none-match': etag })).status).toBe(200);
    }
    const before = (await get(imagePath(deck.id))).headers.get('etag') ?? '';
    await slide(deck.id, 1, 'v2-newer');
    expect((await get(imagePath(deck.id), { 'if-none-match': before })).status).toBe(200);
  });

  /** The API over blobs of which each put is counted, and may fail. */
  async function serveCounting(fail?: () => DeckhandError): Promise<{ url: string; puts: string[] }> {
    const puts: string[] = [];
    const blobs: BlobStore = {
      put: async (key, source) => {
        puts.push(key);
        if (fail !== undefined) throw fail();
        await api.blobs.put(key, source);
      },
      get: (key) => api.blobs.get(key),
      stream: (key) => api.blobs.stream(key),
      has: (key) => api.blobs.has(key),
      delete: (key) => api.blobs.delete(key),
      deletePrefix: (prefix) => api.blobs.deletePrefix(prefix),
    };
    const { url } = await serveInTest({ ...api, blobs });
    return { url, puts };
  }

  it('is made smaller once, also for requests at the same time', async () => {
    const deck = await api.deck();
    await slide(deck.id, 1);
    const { url, puts } = await serveCounting();
    const ask = (): Promise<Response> =>
      fetch(`${url}${imagePath(deck.id, '?width=320')}`, { headers: api.authorization });
    const answers = await Promise.all(Array.from({ length: 6 }, ask));
    const bodies = await Promise.all(answers.map(async (each) => sha256Hex(await each.bytes())));
    expect(new Set([...bodies, sha256Hex(await (await ask()).bytes())]).size).toBe(1);
    expect(puts).toHaveLength(1);
  });

  it('is shown smaller also where there is no room left to keep that', async () => {
    const deck = await api.deck();
    await slide(deck.id, 1);
    const { url, puts } = await serveCounting(() => new DeckhandError('storage_full', 'no room'));
    const answer = await fetch(`${url}${imagePath(deck.id, '?width=320')}`, { headers: api.authorization });
    expect((await sharp(await answer.arrayBuffer()).metadata()).width).toBe(320);
    expect(puts).toHaveLength(1);
    expect(imagesOf(deck.id)).toHaveLength(1);
  });

  it('is gone in every size when its deck is deleted, also a size that is made meanwhile', async () => {
    const deck = await api.deck();
    await slide(deck.id, 1);
    await get(imagePath(deck.id, '?width=320'));
    expect(imagesOf(deck.id)).toHaveLength(2);
    await api.db.deck.update({ where: { id: deck.id }, data: { deletingAt: new Date() } });
    expect((await get(imagePath(deck.id, '?width=640'))).status).toBe(200);
    expect(imagesOf(deck.id)).toHaveLength(2);
    await removeDeckFiles(api, { tenantId: TENANT, deckId: deck.id });
    expect(() => imagesOf(deck.id)).toThrow(/ENOENT/u);
  });

  it('400: a number that is none; 404: a page without picture, or whose blob is lost', async () => {
    const deck = await api.deck();
    await slide(deck.id, 1);
    await api.blobs.delete(slideImageKey(TENANT, deck.id, 'v1', 1, 'artefact'));
    for (const [number, status] of [
      ['0', 400],
      ['x', 400],
      ['2', 404],
      ['1', 404],
    ] as const)
      for (const query of ['', '?width=320'])
        expect((await api.call('GET', `/decks/${deck.id}/slides/${number}/image${query}`)).status).toBe(status);
  });
});

describe('GET /decks/{id}/slides/{number}/words', () => {
  it('gives the words of the newest reading of a page', async () => {
    const deck = await api.deck();
    const createdAt = new Date(Date.now() - 1000);
    await aSlide(api.db, { deckId: deck.id, number: 1, renderKey: 'v1', text: 'Before', createdAt });
    await aSlide(api.db, { deckId: deck.id, number: 1, renderKey: 'v2', text: 'Two words' });
    const answer = await api.call('GET', `/decks/${deck.id}/slides/1/words`);
    expect(answer.body).toMatchObject({ words: [{ text: 'Two' }, { text: 'words' }], reason: null });
  });

  it('is not sent again to a browser that has it', async () => {
    const deck = await api.deck();
    await aSlide(api.db, { deckId: deck.id, number: 1, text: 'Words' });
    const path = `/api/v1/decks/${deck.id}/slides/1/words`;
    const etag = (await get(path)).headers.get('etag') ?? '';
    expect((await get(path, { 'if-none-match': etag })).status).toBe(304);
  });

  it('404: a page that there is not', async () => {
    const deck = await api.deck();
    expect(await api.call('GET', `/decks/${deck.id}/slides/1/words`)).toMatchObject(problem(404, 'not_found'));
  });
});
