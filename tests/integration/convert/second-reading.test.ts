/** Quotes are read again in the picture of their slide: real pages, real render processes, and what is stored of it. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { MockActivityEnvironment } from '@temporalio/testing';
import { afterAll, describe, expect } from 'vitest';
import { createSecondReadingActivities } from '../../../activities/convert/second-reading.ts';
import { rereadQuotes } from '../../../activities/convert/render/reread-process.ts';
import { closeRenderer, DEFAULT_RENDER_LIMITS, type RenderedPage } from '../../../activities/convert/render/window.ts';
import { leaveUnread, pendingRereads } from '../../../activities/decks/second-reading.ts';
import { loadReport } from '../../../api/decks/report/load.ts';
import { RENDER_KEY } from '../../../domain/decks/render-key.ts';
import { checkQuote } from '../../../domain/evidence/quote-check.ts';
import { quoteLines } from '../../../domain/evidence/quote-lines.ts';
import type { RereadJudgement } from '../../../domain/evidence/reread-judgement.ts';
import { ANSWERING_SETTINGS } from '../../../domain/evidence/answering-settings.ts';
import type { Prisma, PrismaClient } from '../../../generated/prisma/client.ts';
import { openBlobs, slideImageKey } from '../../../platform/blobs.ts';
import { itWithDatabase as it } from '../../../testing/database.ts';
import { aDeck, anAnalysis, aSlide, TENANT } from '../../../testing/make.ts';
import { onePage, stream } from '../../fixtures/hostile/decks.ts';
import { aValue, aVerdict } from '../api/list/support.ts';
import { render, renderProcesses, scratchFolder } from './helpers.ts';

const scratch = scratchFolder();
afterAll(() => closeRenderer());

const TRUE_QUOTE = 'We are raising EUR 2 million in this round';
const TINY_QUOTE = 'Nobody reads a line as small as this one';
const LIE = 'Forty large firms in Paris';
/** Of the same length as {@link LIE}, which the text layer has in its place. */
const SHOWN = 'Emily moved north to Texas';
const HEBREW = 'אנחנו מגייסים כסף';

/** A page whose text layer lies in one line: each character has a code of its own, which is drawn as one letter and mapped to another. */
function lyingPage(): Buffer {
  const codes = Array.from(SHOWN, (_, at) => at + 33);
  const hex = (code: number, digits = 2): string => code.toString(16).padStart(digits, '0');
  const glyphs = Array.from(SHOWN, (sign) => (sign === ' ' ? '/space' : `/${sign}`)).join('');
  const map = codes.map((code, at) => `<${hex(code)}> <${hex(LIE.charCodeAt(at), 4)}>`).join('\n');
  const cmap = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def
1 begincodespacerange <00> <FF> endcodespacerange
${codes.length} beginbfchar
${map}
endbfchar endcmap end end`;
  const lines = [
    `/F 30 Tf 60 400 Td <${codes.map((code) => hex(code)).join('')}> Tj`,
    `/G 24 Tf 0 -100 Td (${TRUE_QUOTE}) Tj`,
    `/G 6 Tf 0 -100 Td (${TINY_QUOTE}) Tj`,
  ];
  return onePage('/MediaBox[0 0 960 540]/Resources<</Font<</F 5 0 R/G 7 0 R>>>>', `BT ${lines.join(' ')} ET`, [
    `<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 6 0 R/Encoding<</Type/Encoding/Differences[33 ${glyphs}]>>>>`,
    stream('', Buffer.from(cmap)),
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
  ]);
}

let shared: Promise<RenderedPage> | undefined;
/** The page, drawn once. */
const drawn = (): Promise<RenderedPage> => (shared ??= draw());

async function draw(): Promise<RenderedPage> {
  const [page] = await render(scratch.file(lyingPage()), [1], { renderer: 'pdfium' });
  return page === undefined || 'code' in page ? expect.fail(`the page failed: ${page?.message}`) : page;
}

/** A deck with that page, the activity, and an analysis of it that has the quotes. */
async function reviewed(db: PrismaClient) {
  const page = await drawn();
  const home = path.join(scratch.folder, randomUUID());
  const blobs = openBlobs({ blobDir: path.join(home, 'blobs') });
  const { id: deckId } = await aDeck(db);
  const key = slideImageKey(TENANT, deckId, RENDER_KEY, 1, 'artefact');
  await blobs.put(key, { path: page.artefactPath });
  await aSlide(db, {
    deckId,
    text: '',
    layout: page.layout as Prisma.InputJsonValue,
    widthPx: page.widthPx,
    artefactBlobKey: key,
  });
  const quotesOf = (analysisId: string) =>
    db.evidence.findMany({ where: { extraction: { analysisId } }, orderBy: { position: 'asc' } });
  return {
    deckId,
    /** An analysis whose company has these quotes, all verified. */
    analysis: async (quotes: readonly string[]): Promise<string> => {
      const { id: analysisId } = await anAnalysis(db, { deckId });
      const { id: extractionId } = await aValue(db, { analysisId, field: 'company_name', raw: 'Velhain' });
      await db.evidence.createMany({
        data: quotes.map((quote, position) => {
          const { boxes } = checkQuote(quote, page.layout);
          const verdict = { verdict: 'verified', reason: 'in one block of text' } as const;
          const place = { slideNumber: 1, position, boxes: boxes === null ? [[60, 60, 400, 90]] : [...boxes] };
          return { id: randomUUID(), tenantId: TENANT, extractionId, quote, ...verdict, ...place };
        }),
      });
      return analysisId;
    },
    read: async (analysisId: string, timeMs: number | null = 60_000) => {
      const deps = { db, blobs, home, renderer: 'pdfium', timeMs } as const;
      const activities = createSecondReadingActivities(deps);
      await new MockActivityEnvironment().run(() => activities.readQuotesAgain({ analysisId, deckId }));
      return quotesOf(analysisId);
    },
    quotesOf,
    removePicture: () => blobs.deletePrefix(key),
  };
}

/** Counts of the second reading in the report. */
const countsOf = async (db: PrismaClient, analysisId: string) =>
  (await loadReport(db, TENANT, analysisId, ANSWERING_SETTINGS)).secondReading;

describe('second reading of a review', () => {
  it('a quote loses its verdict where the picture says something else, and keeps it where the picture agrees', async ({
    db,
  }) => {
    const { analysis, read, deckId } = await reviewed(db);
    const analysisId = await analysis([LIE, TRUE_QUOTE, TINY_QUOTE, HEBREW]);
    // The picture of a slide none of whose quotes can be read is not loaded.
    await aSlide(db, { deckId, number: 2, text: '', artefactBlobKey: 'no-such-picture' });
    await db.evidence.updateMany({ where: { quote: HEBREW }, data: { slideNumber: 2 } });
    const [lie, truth, tiny, hebrew] = await read(analysisId);
    expect(lie).toMatchObject({ verdict: 'unverified', reread: 'withdrawn' });
    expect(lie?.reason).toContain('the picture of the slide says something else: “Emily moved north to Texas”');
    expect(lie?.rereadReason).toBe(lie?.reason);
    expect(truth).toMatchObject({ verdict: 'verified', reread: 'agreed', rereadReason: null });
    expect(tiny).toMatchObject({ verdict: 'verified', reread: 'not_read' });
    expect(tiny?.rereadReason).toContain('pixels high');
    expect(hebrew).toMatchObject({ verdict: 'verified', reread: 'not_read' });
    expect(hebrew?.rereadReason).toContain('script');
    expect(await countsOf(db, analysisId)).toEqual({ agreed: 1, withdrawn: 1, notRead: 2 });
  });

  it('a quote has the outcome of another analysis of the deck without being read once more', async ({ db }) => {
    const { analysis, read, quotesOf, removePicture } = await reviewed(db);
    await read(await analysis([LIE, TRUE_QUOTE]));
    await removePicture();
    const analysisId = await analysis([LIE, TRUE_QUOTE]);
    // Looking for them stores nothing.
    expect(await pendingRereads(db, analysisId)).toMatchObject({
      known: [{ outcome: { state: 'withdrawn' } }, { outcome: { state: 'agreed' } }],
      open: [],
    });
    expect(await quotesOf(analysisId)).toMatchObject([{ reread: null }, { reread: null }]);
    const [lie, truth] = await read(analysisId);
    expect([lie?.verdict, lie?.reread, truth?.reread]).toEqual(['unverified', 'withdrawn', 'agreed']);
  });

  it('a quote keeps its verdict where a person called the value right', async ({ db }) => {
    const { analysis, read, deckId } = await reviewed(db);
    await aVerdict(db, { deckId, kind: 'value', subject: 'value/company_name', text: 'Velhain' });
    const analysisId = await analysis([LIE]);
    const [lie] = await read(analysisId);
    expect(lie).toMatchObject({ verdict: 'verified', reason: 'in one block of text', reread: 'withdrawn' });
    expect(lie?.rereadReason).toContain('the picture of the slide says something else');
    expect(await countsOf(db, analysisId)).toEqual({ agreed: 1, withdrawn: 0, notRead: 0 });
  });

  it('quotes lose their verdict under other lines than the one that a person called right', async ({ db }) => {
    const { analysis, read, deckId } = await reviewed(db);
    await aVerdict(db, { deckId, kind: 'value', subject: 'value/company_name', text: 'Velhain' });
    const analysisId = await analysis([LIE]);
    const [{ id: _, extractionId: __, ...row } = expect.fail('it has a quote')] = await db.evidence.findMany({
      where: { extraction: { analysisId } },
    });
    const { id: extractionId } = await aValue(db, { analysisId, field: 'offering', raw: 'Firms' });
    const { id } = await db.evidence.create({
      data: { ...row, boxes: row.boxes as Prisma.InputJsonValue, id: randomUUID(), extractionId },
    });
    const quotes = await read(analysisId);
    const stateOf = (own: boolean) => quotes.find((quote) => (quote.id === id) === own);
    expect(stateOf(true)).toMatchObject({ verdict: 'unverified', reread: 'withdrawn' });
    expect(stateOf(false)).toMatchObject({ verdict: 'verified', reread: 'withdrawn' });
    expect(await countsOf(db, analysisId)).toEqual({ agreed: 0, withdrawn: 1, notRead: 0 });
  });

  it('an outcome that cannot be stored fails the attempt, and the next attempt stores it', async ({ db }) => {
    const { analysis, read } = await reviewed(db);
    const analysisId = await analysis([LIE]);
    await db.$executeRaw`ALTER TABLE "Evidence" ADD CONSTRAINT "no_outcome" CHECK ("reread" IS NULL) NOT VALID`;
    await expect(read(analysisId)).rejects.toThrowError('no_outcome');
    await db.$executeRaw`ALTER TABLE "Evidence" DROP CONSTRAINT "no_outcome"`;
    expect(await read(analysisId)).toMatchObject([{ verdict: 'unverified', reread: 'withdrawn' }]);
  });

  it('quotes stay as they are where the second reading is off, and say why where it failed', async ({ db }) => {
    const { analysis, read, quotesOf } = await reviewed(db);
    const analysisId = await analysis([LIE]);
    expect(await read(analysisId, null)).toMatchObject([{ verdict: 'verified', reread: null }]);
    await leaveUnread(db, analysisId, 'no worker took it');
    expect(await quotesOf(analysisId)).toMatchObject([
      { verdict: 'verified', reread: 'not_read', rereadReason: 'no worker took it' },
    ]);
  });
});

/** Reads the quote of a page many times. */
async function readMany(count: number, picture: Buffer, page: RenderedPage): Promise<RereadJudgement[]> {
  const { boxes } = checkQuote(TRUE_QUOTE, page.layout);
  const found = quoteLines({ quote: TRUE_QUOTE, boxes }, page.layout, page.widthPx);
  if ('reason' in found) return expect.fail(found.reason);
  const file = scratch.file(picture);
  const outcomes: RereadJudgement[] = [];
  await rereadQuotes(
    { path: file, lengths: [picture.length] },
    Array.from({ length: count }, () => ({ quote: TRUE_QUOTE, picture: 0, lines: found.lines })),
    {
      signal: new AbortController().signal,
      limits: DEFAULT_RENDER_LIMITS,
      renderer: 'pdfium',
      timeMs: 60_000,
      onOutcome: (index, outcome) => {
        expect(outcomes[index]).toBeUndefined();
        outcomes[index] = outcome;
      },
    },
  );
  return outcomes;
}

describe('outcomes of the second reading', () => {
  it('every quote has an outcome when the process is killed each time', async () => {
    const page = await drawn();
    let isOver = false;
    const killing = (async () => {
      while (!isOver) {
        for (const pid of renderProcesses()) process.kill(pid, 'SIGKILL');
        await setTimeout(10);
      }
    })();
    const outcomes = await readMany(40, readFileSync(page.artefactPath), page).finally(() => (isOver = true));
    await killing;
    expect(outcomes).toHaveLength(40);
    expect(outcomes.at(-1)).toMatchObject({ state: 'not_read', reason: 'the process that reads again broke down' });
  });

  it('a quote has an outcome when the picture is damaged', async () => {
    const page = await drawn();
    const [outcome] = await readMany(1, Buffer.from('no picture'), page);
    expect(outcome?.state).toBe('not_read');
    expect(outcome?.reason).toContain('could not be read again');
  });
});
