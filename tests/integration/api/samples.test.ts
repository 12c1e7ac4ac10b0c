/** The sample decks that an empty list of decks offers. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { hasPdfHeader } from '../../../domain/decks/pdf.ts';
import { REPOSITORY_DIR } from '../../../platform/config.ts';
import type { SampleList } from '../../../api/samples/schemas.ts';
import { perFile } from '../../../testing/per-file.ts';
import { startTestApi } from './support.ts';

const api = perFile(startTestApi);
const get = (name = ''): Promise<Response> => fetch(`${api.url}/api/v1/samples${name}`, { headers: api.authorization });

it('lists every sample with its number of slides, and gives its PDF', async () => {
  const { items } = (await (await get()).json()) as SampleList;
  expect(items.map(({ name }) => name).toSorted()).toEqual(['cardiosense', 'dermaline-scan', 'lumbalis', 'quayline']);
  for (const { name, fileName, slides } of items) {
    expect(slides).toBeGreaterThan(0);
    const response = await get(`/${name}`);
    expect(response.headers.get('content-type')).toBe('application/pdf');
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.equals(await readFile(path.join(REPOSITORY_DIR, 'samples', fileName)))).toBe(true);
    expect(hasPdfHeader(bytes)).toBe(true);
  }
});

it.each(['nothing', 'README', '..%2Fpackage', '..%2Fsamples%2Flumbalis'])('has no sample called %s', async (name) => {
  expect((await get(`/${name}`)).status).toBe(404);
});
