/** What an entry of the deck list is made of, and that it follows every change. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { findEntry } from '../../../../api/decks/list/entries.ts';
import type { Analysis, PrismaClient } from '../../../../generated/prisma/client.ts';
import { itWithDatabase as it } from '../../../../testing/database.ts';
import { aDeck, aGap, aLedgerEntry, anAnalysis, aRental, aSlide, NOW, TENANT } from '../../../../testing/make.ts';

it('a deck without a review is uploaded', async ({ db }) => {
  const deck = await aDeck(db, { fileName: 'Acme.pdf', otherNames: ['Acme final.pdf'], uploadedBy: 'Ann' });
  expect(await findEntry(db, TENANT, deck.id)).toMatchObject({
    id: deck.id,
    fileName: 'Acme.pdf',
    otherNames: ['Acme final.pdf'],
    status: 'uploaded',
    analysis: null,
    resultAnalysisId: null,
    score: null,
    ask: null,
    company: null,
    owner: 'Ann',
    attention: [],
  });
});
