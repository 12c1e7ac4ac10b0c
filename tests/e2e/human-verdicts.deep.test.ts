/**
 * What an analyst writes about a deck, through its whole life on a running Deckhand: reviews, replays, a retry of gaps, the same PDF again, a second
 * version, and the deletion.
 */
import { expect, it } from 'vitest';
import type { NewVerdict } from '../../domain/decks/verdicts/human-verdict.ts';
import { currentVerdicts, withVerdicts } from '../../domain/decks/verdicts/overlay.ts';
import { drawPlainDeck, plainSlides } from '../../testing/plain-deck.ts';
import { perFile } from '../../testing/per-file.ts';
import { joinSharedStack, questionsOf } from '../../testing/rig.ts';
import { until } from '../../testing/until.ts';

const rig = perFile(() => joinSharedStack());

const COMPANY = 'Quorvexa';

it('what people write about a deck outlives replays, retries, uploads and versions, and goes with the deck', async () => {
  const bytes = await drawPlainDeck(plainSlides(COMPANY));
  const deckId = await rig.upload(bytes, 'quorvexa.pdf');
  const first = await rig.review(deckId);
  const question = questionsOf(first).find(({ score }) => score !== null && score > 1);
  if (question === undefined) return expect.fail('the review scored no question');
  const company = (await rig.client.GET('/decks/{id}', { params: { path: { id: deckId } } })).company;
  expect(company).toMatchObject({ name: COMPANY, id: expect.any(String) as string });

  const said: NewVerdict[] = [
    { kind: 'value', subject: 'value/funding', text: '€3.5M', analysisId: first.analysisId },
    {
      kind: 'score',
      subject: `question/${question.slug}`,
      score: 0,
      reason: 'no proof',
      analysisId: first.analysisId,
    },
    { kind: 'note', subject: 'slide/2', text: 'Ask for the source of the 24 %.' },
    { kind: 'tag', text: 'cardiology', on: true },
    { kind: 'assignee', text: 'Ada' },
    { kind: 'decision', decision: 'meet', reason: 'strong pilot' },
  ];
  for (const verdict of said)
    await rig.client.POST('/decks/{id}/verdicts', { params: { path: { id: deckId } }, body: verdict });
  const history = (await rig.client.GET('/decks/{id}/verdicts', { params: { path: { id: deckId } } })).items;
  expect(history).toHaveLength(said.length);
  expect(history[0]).toMatchObject({ amount: 3_500_000, currency: 'EUR', machine: { text: first.funding.raw } });
  expect(history[1]).toMatchObject({ score: 0, machine: { score: question.score } });
  // The report is the machine's, as before.
  expect(await rig.client.report(first.analysisId)).toEqual(first);
  const judged = withVerdicts(first, currentVerdicts(history));
  expect(judged.overall.score ?? 8).toBeLessThan(first.overall.score ?? 0);

  const shown = async () => {
    const { ask, score, machineScore, assignee, decision, tags, notes } = await rig.client.GET('/decks/{id}', {
      params: { path: { id: deckId } },
    });
    return { ask, score, machineScore, assignee, decision, tags, notes };
  };
  const before = await shown();
  expect(before).toEqual({
    ask: { text: '€3.5M', amount: 3_500_000, currency: 'EUR' },
    score: judged.overall.score,
    machineScore: first.overall.score,
    assignee: 'Ada',
    decision: 'meet',
    tags: ['cardiology'],
    notes: 1,
  });
  const isKept = async (): Promise<void> => {
    expect((await rig.client.GET('/decks/{id}/verdicts', { params: { path: { id: deckId } } })).items).toEqual(history);
    expect(await shown()).toEqual(before);
    expect((await rig.client.GET('/decks/{id}', { params: { path: { id: deckId } } })).company).toEqual(company);
  };

  // A replay that scores anew, and one that fills gaps.
  for (const choices of [{ from: 'scoring' as const }, { kind: 'gaps' as const }]) {
    const replay = await rig.client.replay(first.analysisId, choices);
    await rig.ended(replay.analysisId);
    expect((await rig.analysis(replay.analysisId)).status).toBe('completed');
    await isKept();
  }
  // The same PDF under another name.
  expect(await rig.upload(bytes, 'quorvexa-again.pdf')).toBe(deckId);
  await isKept();

  // A second version is a deck of its own, of the same company.
  const nextSlides = plainSlides(COMPANY).map(({ title, lines }) => ({ title, lines: [...lines, 'Version 2'] }));
  const next = await rig.upload(await drawPlainDeck(nextSlides), 'quorvexa-2.pdf');
  await rig.review(next);
  expect((await rig.client.GET('/decks/{id}/verdicts', { params: { path: { id: next } } })).items).toEqual([]);
  await isKept();
  const versions = await rig.client.GET('/companies/{id}', { params: { path: { id: company?.id ?? '' } } });
  expect(versions).toMatchObject({ name: COMPANY, deckCount: 2, newestDeck: { id: next } });
  expect(versions.decks.map(({ id }) => id)).toEqual([deckId, next]);

  // It goes with its deck; the company stays with the other.
  const deleted = async (id: string): Promise<void> => {
    await rig.client.DELETE('/decks/{id}', { params: { path: { id } } });
    await until(() => rig.client.GET('/decks/{id}/deletion', { params: { path: { id } } })).is(
      ({ state }) => state === 'deleted',
    );
  };
  await deleted(deckId);
  expect(await rig.db.humanVerdict.count({ where: { deckId } })).toBe(0);
  expect(await rig.db.deckEntry.count({ where: { deckId } })).toBe(0);
  await expect(rig.client.GET('/decks/{id}/verdicts', { params: { path: { id: deckId } } })).rejects.toMatchObject({
    code: 'not_found',
  });
  expect(await rig.client.GET('/companies/{id}', { params: { path: { id: company?.id ?? '' } } })).toMatchObject({
    deckCount: 1,
  });
  await deleted(next);
  await expect(
    rig.client.GET('/companies/{id}', { params: { path: { id: company?.id ?? '' } } }),
  ).rejects.toMatchObject({ code: 'not_found' });
});
