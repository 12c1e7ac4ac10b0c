/** The routes around the deck list as requests use them: refusals, files, saved views, and whose decks they are. */
import { inflateRawSync } from 'node:zlib';
import { expect, it } from 'vitest';
import type { DeckEntryPage } from '../../../domain/decks/list/entry.ts';
import { EXPORT_COLUMNS } from '../../../domain/decks/list/export-columns.ts';
import { TENANT } from '../../../testing/make.ts';
import { perFile } from '../../../testing/per-file.ts';
import { aReview, aValue, aVerdict } from './list/support.ts';
import { formOf, pdfBytes, problem, serveInTest, startTestApi } from './support.ts';

const api = perFile(startTestApi);

it('a deck belongs to the key that uploaded it first, and to nobody where the API is open', async () => {
  const bytes = pdfBytes();
  const { body } = await api.call('POST', '/decks', { headers: await api.keyOf(), body: formOf(bytes) });
  await api.upload(bytes, 'again.pdf');
  const { id } = body as { id: string };
  expect((await api.call('GET', `/decks/${id}`)).body).toMatchObject({ owner: 'Ann', otherNames: ['again.pdf'] });
  expect((await api.call('GET', '/decks?owner=Ann')).body).toMatchObject({ total: 1, items: [{ id }] });

  const open = await serveInTest({ ...api, config: { auth: 'open' } });
  const answer = await fetch(`${open.url}/api/v1/decks`, { method: 'POST', body: formOf(pdfBytes()) });
  const deck = (await answer.json()) as { id: string };
  expect((await api.call('GET', `/decks/${deck.id}`)).body).toMatchObject({ owner: null });
});

it('what is no filter, no sort and no value of one is refused by name', async () => {
  for (const [query, name] of [
    ['colour=red', 'colour'],
    ['sort=size', 'sort'],
    ['status=done', 'status'],
    ['decision=maybe', 'decision'],
    ['attention=boring', 'attention'],
    ['since=soon', 'since'],
    ['until=then', 'until'],
    ['minScore=8', 'minScore'],
    ['minCoverage=-1', 'minCoverage'],
  ] as const) {
    for (const path of ['/decks', '/decks/facets', '/decks/portfolio', '/decks/export']) {
      const format = path === '/decks/export' ? '&format=csv' : '';
      const answer = await api.call('GET', `${path}?${query}${format}`);
      expect(answer, `${path}?${query}`).toMatchObject(problem(400, 'invalid_request'));
      expect((answer.body as { detail: string }).detail).toContain(name);
    }
  }
  expect((await api.call('GET', '/decks/export?format=pdf')).status).toBe(400);
});

it('a page of the list tells where its events go on', async () => {
  const { id } = await api.deck();
  const page = (await api.call('GET', '/decks?limit=1')).body as DeckEntryPage;
  expect(page.items.map((item) => item.id)).toEqual([id]);
  const entry = await api.db.deckEntry.findUniqueOrThrow({ where: { deckId: id } });
  expect(page.eventId).toBe(String(entry.version));
});

/** Cells of a CSV that holds no line end in a cell. */
const cellsOf = (csv: string): string[][] =>
  csv
    .trimEnd()
    .split('\r\n')
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/gu)].map((m) =>
        (m[1] ?? m[2] ?? '').replaceAll('""', '"'),
      ),
    );

it('an export as CSV holds every deck that fits, with harmless cells and names of columns in the language asked for', async () => {
  const decks: string[] = [];
  for (const raw of ['=HYPERLINK("http://evil")', 'Acme, "the" GmbH', '+49 Acme', '-Acme', '@acme']) {
    const { id, fileName } = await api.deck();
    const { id: analysisId } = await aReview(api.db, { deckId: id, overallScore: 4.25 });
    await aValue(api.db, { analysisId, field: 'company_name', raw });
    await aVerdict(api.db, { deckId: id, text: 'export' });
    expect(fileName).toBe('deck.pdf');
    decks.push(id);
  }
  const answer = await api.call('GET', '/decks/export?format=csv&tag=export&sort=created');
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="decks.csv"');
  const [names, ...rows] = cellsOf(String(answer.body));
  expect(names).toEqual(EXPORT_COLUMNS.map(({ name }) => name.en));
  expect(rows.map((row) => row[names?.indexOf('Deck id') ?? -1])).toEqual(decks);
  expect(rows.map((row) => row[0])).toEqual([
    `'=HYPERLINK("http://evil")`,
    'Acme, "the" GmbH',
    `'+49 Acme`,
    `'-Acme`,
    `'@acme`,
  ]);
  expect(rows[0]?.[names?.indexOf('Score (0 to 7)') ?? -1]).toBe('4.25');
  // Programs read columns by their place: a new one is the last.
  expect(names?.slice(28, 33)).toEqual([
    'Deck id',
    'Review id',
    'Kind of document',
    'Evidence found',
    'Evidence asked',
  ]);
  const german = await api.call('GET', '/decks/export?format=csv&language=de&status=cancelled');
  expect(cellsOf(String(german.body))).toEqual([EXPORT_COLUMNS.map(({ name }) => name.de)]);
});

/** Text of the files of a zip archive, by name. */
function unzipped(zip: Buffer): Map<string, string> {
  const files = new Map<string, string>();
  // Entries of the central directory, which begins where the end record says.
  let at = zip.readUInt32LE(zip.lastIndexOf(Buffer.from('PK\u0005\u0006')) + 16);
  while (zip.readUInt32LE(at) === 0x02_01_4b_50) {
    const [size, nameLength, extraLength, commentLength] = [
      zip.readUInt32LE(at + 20),
      zip.readUInt16LE(at + 28),
      zip.readUInt16LE(at + 30),
      zip.readUInt16LE(at + 32),
    ];
    const file = zip.readUInt32LE(at + 42);
    const begin = file + 30 + zip.readUInt16LE(file + 26) + zip.readUInt16LE(file + 28);
    const bytes = zip.subarray(begin, begin + size);
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    files.set(name, (zip.readUInt16LE(at + 10) === 0 ? bytes : inflateRawSync(bytes)).toString());
    at += 46 + nameLength + extraLength + commentLength;
  }
  return files;
}

it('an export as a workbook holds texts as texts and numbers as numbers', async () => {
  const { id } = await api.deck();
  const { id: analysisId } = await aReview(api.db, { deckId: id, overallScore: 3.5 });
  await aValue(api.db, { analysisId, field: 'company_name', raw: '=1+1 \u0001<&>' });
  const url = `${api.url}/api/v1/decks/export?format=xlsx&ids=${id}`;
  const answer = await fetch(url, { headers: api.authorization });
  expect(answer.headers.get('content-type')).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
  const files = unzipped(Buffer.from(await answer.arrayBuffer()));
  const text = [...files].flatMap(([name, content]) => (/sheet1|sharedStrings/u.test(name) ? [content] : [])).join('');
  expect(text).toContain('=1+1 &lt;&amp;&gt;');
  expect(text.includes('<f>') || text.includes('\u0001')).toBe(false);
  expect(text).toContain('<v>3.5</v>');
  expect((await fetch(url, { method: 'HEAD', headers: api.authorization })).status).toBe(200);
});

it('saved views are added, replaced by name, listed and removed', async () => {
  const made = await api.post('/views', { name: ' Best ', query: 'sort=-score' });
  const operator = await api.db.apiKey.findFirstOrThrow({ where: { tenantId: TENANT, role: 'operator' } });
  expect(made).toMatchObject({ status: 201, body: { name: 'Best', query: 'sort=-score', createdBy: operator.name } });
  const { id } = made.body as { id: string };
  const replaced = await api.post('/views', { name: 'Best', query: 'sort=-score&tag=hot' });
  expect(replaced).toMatchObject({ status: 200, body: { id, query: 'sort=-score&tag=hot' } });
  await api.post('/views', { name: 'All', query: '' });
  const listed = (await api.call('GET', '/views')).body as { items: { name: string }[] };
  expect(listed.items.map(({ name }) => name)).toEqual(['All', 'Best']);
  for (const wrong of [
    { name: '', query: '' },
    { name: 'a\nb', query: '' },
    { name: 'x' },
    { name: 'x', query: '', sort: 1 },
  ]) {
    expect(await api.post('/views', wrong)).toMatchObject(problem(400, 'invalid_request'));
  }
  expect((await api.call('DELETE', `/views/${id}`)).status).toBe(204);
  expect(await api.call('DELETE', `/views/${id}`)).toMatchObject(problem(404, 'not_found'));
});
