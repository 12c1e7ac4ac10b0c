/**
 * What people write is never lost: not by a replay, a retry, the same PDF uploaded again, or a new version of the deck; and a deletion removes
 * all of it.
 */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { finishAnalysis, storeRollUp } from '../../../activities/decks/stages.ts';
import { Histories } from '../../../activities/deletion/histories.ts';
import { removeAnalyses, removeDeckFiles } from '../../../activities/deletion/remove.ts';
import type { AnalysisSummary, DeckDocument } from '../../../api/client.ts';
import type { DeckEntry } from '../../../domain/decks/list/entry.ts';
import type { HumanVerdict, NewVerdict } from '../../../domain/decks/verdicts/human-verdict.ts';
import { currentVerdicts } from '../../../domain/decks/verdicts/overlay.ts';
import { aGap, aSlide, TENANT } from '../../../testing/make.ts';
import { perFile } from '../../../testing/per-file.ts';
import { forAll } from '../../../testing/property.ts';
import { aValue } from '../api/list/support.ts';
import { pdfBytes } from '../api/support.ts';
import { startTestApiWithWorker } from '../api/worker.ts';

const api = perFile(startTestApiWithWorker);

/** Two questions of the template that reviews have here. */
async function template() {
  const version = await api.db.templateVersion.findFirstOrThrow({
    where: { tenantId: TENANT },
    include: { chapters: { include: { questions: true }, orderBy: { position: 'asc' } } },
  });
  const questions = version.chapters.flatMap((chapter) => chapter.questions);
  return { id: version.id, first: questions[0], second: questions[1], all: questions };
}

/** Ends a review with what the machine found: a company, a sector's worth of scores, and a gap. */
async function endReview(analysisId: string, company: string, score: number): Promise<void> {
  const { id: templateVersionId, all } = await template();
  const part = { tenantId: TENANT, analysisId };
  await api.db.analysis.update({ where: { id: analysisId }, data: { status: 'running', templateVersionId } });
  await aValue(api.db, { analysisId, field: 'company_name', raw: company });
  await api.db.answer.createMany({
    data: all.map(({ id }) => ({
      ...part,
      id: randomUUID(),
      questionId: id,
      status: 'answered',
      scoreStatus: 'scored',
      score,
    })),
  });
  await aGap(api.db, { analysisId, item: 'slide/1/feedback' });
  await storeRollUp(api.db, analysisId);
  await finishAnalysis(api.db, { analysisId, end: { kind: 'finished' } });
}

/** A reviewed deck of two slides. */
async function reviewedDeck(company: string, bytes = pdfBytes()): Promise<{ deckId: string; analysisId: string }> {
  const { id: deckId } = (await api.upload(bytes)).body as DeckDocument;
  await api.db.deck.update({ where: { id: deckId }, data: { pageCount: 2 } });
  for (const number of [1, 2]) await aSlide(api.db, { deckId, number, text: company });
  const { analysisId } = (await api.post(`/decks/${deckId}/analyses`, {})).body as AnalysisSummary;
  await endReview(analysisId, company, 4);
  return { deckId, analysisId };
}

const historyOf = async (deckId: string): Promise<readonly HumanVerdict[]> =>
  (await api.client.GET('/decks/{id}/verdicts', { params: { path: { id: deckId } } })).items;
const entryOf = async (deckId: string): Promise<DeckEntry> =>
  (await api.call('GET', `/decks/${deckId}`)).body as DeckEntry;

interface Step {
  readonly what: string;
  /** Does something to the deck, or says something about it. */
  readonly run: (deck: { readonly deckId: string; analysisId: string; readonly bytes: Uint8Array }) => Promise<void>;
}

const machineStep: fc.Arbitrary<Step> = fc.oneof(
  fc
    .record({ company: fc.constantFrom('Acme', 'Zeta'), score: fc.integer({ min: 0, max: 7 }) })
    .map(({ company, score }): Step => ({
      what: `replay: ${company}, ${score}`,
      run: async (deck) => {
        const { analysisId } = await api.client.replay(deck.analysisId);
        await endReview(analysisId, company, score);
        deck.analysisId = analysisId;
      },
    })),
  fc.constant<Step>({
    what: 'retry of a slide',
    run: async (deck) => {
      const { analysisId } = await api.client.POST('/analyses/{id}/retry', {
        params: { path: { id: deck.analysisId } },
        body: { slide: 1 },
      });
      await endReview(analysisId, 'Acme', 3);
      deck.analysisId = analysisId;
    },
  }),
  fc.constant<Step>({
    what: 'the same PDF under another name',
    run: async ({ bytes, deckId }) => {
      const { body } = await api.upload(bytes, `${randomUUID()}.pdf`);
      expect((body as DeckDocument).id).toBe(deckId);
    },
  }),
  fc.constant<Step>({
    what: 'a new version',
    run: async ({ deckId }) => {
      const next = await reviewedDeck('Acme');
      expect(next.deckId).not.toBe(deckId);
      expect(await historyOf(next.deckId)).toEqual([]);
      await removeDeckFiles(api, { tenantId: TENANT, deckId: next.deckId });
    },
  }),
);

const saying: fc.Arbitrary<NewVerdict> = fc.oneof(
  fc.record({
    kind: fc.constant('value' as const),
    subject: fc.constantFrom('value/company_name', 'value/offering'),
    text: fc.option(fc.constantFrom('Halmwerk', 'Strohwerk')),
  }),
  fc.record({ kind: fc.constant('tag' as const), text: fc.constantFrom('seed', 'straw'), on: fc.boolean() }),
  fc.record({ kind: fc.constant('assignee' as const), text: fc.option(fc.constantFrom('Ada', 'Bob')) }),
  fc.record({ kind: fc.constant('decision' as const), decision: fc.option(fc.constantFrom('meet', 'pass')) }),
  fc.record({
    kind: fc.constant('note' as const),
    subject: fc.constantFrom('deck', 'slide/2'),
    text: fc.constantFrom('Ask them', 'Call them'),
  }),
);

const humanStep: fc.Arbitrary<Step> = saying.map((verdict) => ({
  what: JSON.stringify(verdict),
  run: async ({ deckId }) => {
    await api.post(`/decks/${deckId}/verdicts`, verdict);
  },
}));

describe('what people write', () => {
  it('is never lost or changed, whatever is replayed, retried and uploaded', () =>
    forAll(
      [fc.array(fc.oneof(machineStep, humanStep), { minLength: 3, maxLength: 8 })],
      { runs: 20 },
      async (steps) => {
        const bytes = pdfBytes();
        const deck = { ...(await reviewedDeck('Acme', bytes)), bytes };
        await api.client.POST('/decks/{id}/verdicts', {
          params: { path: { id: deck.deckId } },
          body: { kind: 'note', subject: 'slide/1', text: 'First' },
        });
        let before = await historyOf(deck.deckId);
        for (const { what, run } of steps) {
          await run(deck);
          const after = await historyOf(deck.deckId);
          // Append-only: what was there is there, in the same order and the same words.
          expect(after.slice(0, before.length), what).toEqual(before);
          expect(after.length - before.length, what).toBeLessThanOrEqual(what.startsWith('{') ? 1 : 0);
          before = after;
        }
        const current = currentVerdicts(before);
        const entry = await entryOf(deck.deckId);
        const textOf = (kind: string): string | null => current.find((verdict) => verdict.kind === kind)?.text ?? null;
        expect([entry.assignee, entry.decision]).toEqual([textOf('assignee'), textOf('decision')]);
        expect(entry.notes).toBe(current.filter(({ kind }) => kind === 'note').length);
        const corrected = current.find(({ subject }) => subject === 'value/company_name')?.text;
        if (corrected !== undefined) expect(entry.company?.name).toBe(corrected);
      },
    ));

  it('stays with its deck, and the machine’s own words stay beside it', async () => {
    const { first } = await template();
    const { deckId, analysisId } = await reviewedDeck('Acme');
    await api.client.POST('/decks/{id}/verdicts', {
      params: { path: { id: deckId } },
      body: {
        kind: 'score',
        subject: `question/${first?.slug ?? ''}`,
        score: 0,
        analysisId,
      },
    });
    const judged = await entryOf(deckId);
    expect(judged.machineScore).toBe(4);
    expect(judged.score).toBeLessThan(4);
    const { analysisId: replay } = await api.client.replay(analysisId);
    await endReview(replay, 'Acme', 6);
    const after = await entryOf(deckId);
    expect(after.machineScore).toBe(6);
    expect(after.score).toBeLessThan(6);
    expect((await historyOf(deckId))[0]).toMatchObject({ score: 0, machine: { score: 4 }, analysisId });
  });

  it('as a note on a value is no correction of it', async () => {
    const { deckId } = await reviewedDeck('Acme');
    await api.client.POST('/decks/{id}/verdicts', {
      params: { path: { id: deckId } },
      body: { kind: 'note', subject: 'value/company_name', text: 'Is this right?' },
    });
    expect((await entryOf(deckId)).company?.name).toBe('Acme');
  });
});

it('a deletion removes what people wrote, the entry of the list and a company without other decks', async () => {
  const name = `Acme ${randomUUID()}`;
  const { deckId } = await reviewedDeck(name);
  const { deckId: neighbour } = await reviewedDeck('Neighbour');
  for (const id of [deckId, neighbour]) {
    await api.client.POST('/decks/{id}/verdicts', {
      params: { path: { id } },
      body: { kind: 'note', subject: 'slide/1', text: 'Secret' },
    });
    await api.client.POST('/decks/{id}/verdicts', {
      params: { path: { id } },
      body: { kind: 'tag', text: 'seed', on: true },
    });
  }
  const { company } = await entryOf(deckId);
  expect(company?.name).toBe(name);
  await api.db.deck.update({ where: { id: deckId }, data: { deletingAt: new Date() } });
  const histories = new Histories(api.temporal);
  await removeAnalyses({ db: api.db, home: api.config.home }, histories, { deckId });
  await removeDeckFiles(api, { tenantId: TENANT, deckId });
  expect(await api.db.humanVerdict.count({ where: { deckId } })).toBe(0);
  expect(await api.db.deckEntry.count({ where: { deckId } })).toBe(0);
  expect(await api.db.deckChange.count({ where: { deckId } })).toBe(0);
  expect(await api.db.company.count({ where: { id: company?.id ?? '' } })).toBe(0);
  expect(await api.db.companyKey.count({ where: { companyId: company?.id ?? '' } })).toBe(0);
  expect(await historyOf(neighbour)).toHaveLength(2);
  expect((await entryOf(neighbour)).company?.name).toBe('Neighbour');
});
