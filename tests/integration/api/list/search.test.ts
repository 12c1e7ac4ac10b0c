/** The full-text search of the deck list. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect } from 'vitest';
import { readPage } from '../../../../api/decks/list/page.ts';
import { listQuery } from '../../../../api/decks/list/schemas.ts';
import type { PrismaClient } from '../../../../generated/prisma/client.ts';
import { RENDER_KEY } from '../../../../domain/decks/render-key.ts';
import { ANSWERING_SETTINGS } from '../../../../domain/evidence/answering-settings.ts';
import { itWithDatabase as it } from '../../../../testing/database.ts';
import { aDeck, aSlide } from '../../../../testing/make.ts';
import { forAll } from '../../../../testing/property.ts';
import { aReview, aValue, aVerdict } from './support.ts';

/** Ids of the decks that a search finds. */
async function found(db: PrismaClient, tenantId: string, q: string): Promise<string[]> {
  const { items } = await readPage(db, tenantId, listQuery.parse({ q, limit: '200' }), ANSWERING_SETTINGS);
  return items.map(({ id }) => id);
}

it('a search finds a deck by the beginning of each word, wherever it stands', async ({ db }) => {
  const tenantId = randomUUID();
  const of = { tenantId };
  const { id: deckId } = await aDeck(db, {
    ...of,
    fileName: 'Nordwind_pitch-deck.v2.pdf',
    otherNames: ['Vorstellung.pdf'],
    title: 'Präsentation Übersicht',
  });
  const other = await aDeck(db, { ...of, fileName: 'Other.pdf' });
  await aSlide(db, {
    ...of,
    deckId,
    number: 1,
    text: 'Unit economics: CAC €120, payback 1.5 years. Contact: eva@nordwind.energy',
  });
  const { id: analysisId } = await aReview(db, { ...of, deckId, overallScore: 4 });
  await aValue(db, { ...of, analysisId, field: 'company_name', raw: 'Nordwind GmbH' });
  await aValue(db, { ...of, analysisId, field: 'offering', raw: 'Windkraft-Speicher' });
  await aVerdict(db, { ...of, deckId, text: 'DACH-Fokus' });
  await aVerdict(db, { ...of, deckId, kind: 'note', subject: 'slide/1', item: 'n', text: 'Churn is missing.' });
  await aVerdict(db, { ...of, deckId, kind: 'value', subject: 'value/sector', text: 'energy-storage' });
  const found1 = (q: string) => found(db, tenantId, q);
  for (const q of [
    'nordwind',
    'NORDW',
    'pitch deck v2',
    'vorstell',
    'übersicht',
    'ÜBER prä',
    'unit eco payback',
    '€120',
    'cac 120',
    '1.5',
    'eva@nordwind.energy',
    'nordwind.en',
    'windkraft speicher',
    'windkraft-spei',
    'dach fok',
    'churn missing',
    'energy-sto',
    '  "nordwind"  gmbh! ',
  ]) {
    expect(await found1(q), q).toEqual([deckId]);
  }
  for (const q of ['ordwind', 'nordwind zebra', 'übersichten', 'other nordwind']) {
    expect(await found1(q), q).toEqual([]);
  }
  // Nothing of it is a word: nothing is searched for.
  for (const q of ['', ' ', '"–…&|!():*<->'])
    expect((await found1(q)).toSorted()).toEqual([deckId, other.id].toSorted());
});

it('a search finds words in whatever form of Unicode they are written', async ({ db }) => {
  const tenantId = randomUUID();
  // As file names of a Mac, ligatures of a PDF and soft hyphens are.
  const { id } = await aDeck(db, { tenantId, fileName: 'Ärzteportal.pdf'.normalize('NFD') });
  await aSlide(db, { tenantId, deckId: id, text: 'Proﬁtable growth, invest\u00ADment of 5\u200Bm' });
  for (const q of ['ärzte', 'Ärzte'.normalize('NFD'), 'profit', 'proﬁt', 'investment', 'invest\u00ADment', '5m']) {
    expect(await found(db, tenantId, q), q).toEqual([id]);
  }
});

it('a search follows what is changed, drawn again and taken back', async ({ db }) => {
  const tenantId = randomUUID();
  const { id: deckId } = await aDeck(db, { tenantId, fileName: 'Deck.pdf' });
  const search = (q: string) => found(db, tenantId, q);
  await aVerdict(db, { tenantId, deckId, text: 'hot' });
  expect(await search('hot')).toEqual([deckId]);
  await aSlide(db, { tenantId, deckId, number: 1, text: 'Kangaroo' });
  await aVerdict(db, { tenantId, deckId, subject: 'hot', text: null });
  expect([await search('hot'), await search('kangaroo')]).toEqual([[], [deckId]]);
  // Pages that are long known stay in the search when something else of the deck changes.
  await db.slide.updateMany({ where: { deckId }, data: { createdAt: new Date(Date.now() - 3_600_000) } });
  await db.deck.update({ where: { id: deckId }, data: { title: 'Zebra' } });
  expect([await search('kangaroo zebra'), await search('deck')]).toEqual([[deckId], [deckId]]);
  await db.deck.update({ where: { id: deckId }, data: { title: 'Lion' } });
  expect([await search('zebra'), await search('kangaroo lion')]).toEqual([[], [deckId]]);
  await db.slide.deleteMany({ where: { deckId, renderKey: RENDER_KEY } });
  await aSlide(db, { tenantId, deckId, number: 1, text: 'Walrus' });
  await db.deck.update({ where: { id: deckId }, data: { title: null } });
  expect([await search('kangaroo'), await search('walrus')]).toEqual([[], [deckId]]);
});

it('a search takes whatever somebody types', async ({ db }) => {
  const tenantId = randomUUID();
  await aDeck(db, { tenantId });
  const typed = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 100 }),
    fc.string({ unit: 'grapheme', maxLength: 50 }),
    fc
      .array(fc.constantFrom("'", '\\', ':', '*', '&', '|', '!', '(', ')', '<->', '<2>', 'a', 'B', ' ', '%', '_', '"'))
      .map((parts) => parts.join('')),
  );
  await forAll([typed], { runs: 1000 }, async (text) => {
    // NUL is refused before.
    await found(db, tenantId, text.replaceAll('\0', ''));
  });
});

it('a deck with more words than a search can hold is found by its first ones', async ({ db }) => {
  const tenantId = randomUUID();
  const { id: deckId } = await aDeck(db, { tenantId });
  // Words of four-byte letters, no two the same: the most that a page can take.
  const word = (n: number): string =>
    Array.from(n.toString(16), (digit) => String.fromCodePoint(0x1_04_00 + Number.parseInt(digit, 16))).join('');
  for (let page = 1; page <= 20; page += 1) {
    const text = Array.from({ length: 5000 }, (_, index) => word(page * 5000 + index)).join(' ');
    await aSlide(db, { tenantId, deckId, number: page, text: `page${page} ${text}` });
  }
  await aVerdict(db, { tenantId, deckId, kind: 'note', subject: 'deck', item: 'n', text: 'x'.repeat(5000) });
  for (const q of ['page1', 'deck']) expect(await found(db, tenantId, q)).toEqual([deckId]);
});

it('a search finds nothing of another tenant', async ({ db }) => {
  const [mine, theirs] = [randomUUID(), randomUUID()];
  await aDeck(db, { tenantId: theirs, fileName: 'Wombat.pdf' });
  const { id } = await aDeck(db, { tenantId: mine, fileName: 'Wombat.pdf' });
  expect(await found(db, mine, 'wombat')).toEqual([id]);
  expect(await found(db, randomUUID(), 'wombat')).toEqual([]);
});
