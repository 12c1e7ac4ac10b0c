/** What people say about decks: what is stored, what is refused, and that nothing the machine said is touched. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { HumanVerdict, NewVerdict } from '../../../domain/decks/verdicts/human-verdict.ts';
import type { Analysis } from '../../../generated/prisma/client.ts';
import { TENANT } from '../../../testing/make.ts';
import { perFile } from '../../../testing/per-file.ts';
import { aValue } from './list/support.ts';
import { problem, serveInTest, startTestApi, type Answer } from './support.ts';

const api = perFile(startTestApi);

/** A question that the seeded templates have, with its id. */
let question: { readonly id: string; readonly slug: string };
let sector: string;
beforeAll(async () => {
  question = await api.db.question.findFirstOrThrow({ where: { tenantId: TENANT } });
  sector = (await api.db.sector.findFirstOrThrow({ where: { tenantId: TENANT } })).slug;
});

/** A deck of twelve slides. */
async function aReviewedDeck(): Promise<string> {
  const { id } = await api.deck();
  await api.db.deck.update({ where: { id }, data: { pageCount: 12 } });
  return id;
}

const say = (deckId: string, verdict: object): Promise<Answer> => api.post(`/decks/${deckId}/verdicts`, verdict);
const said = async (deckId: string, verdict: object): Promise<HumanVerdict> =>
  (await say(deckId, verdict)).body as HumanVerdict;
const historyOf = async (deckId: string): Promise<HumanVerdict[]> =>
  ((await api.call('GET', `/decks/${deckId}/verdicts`)).body as { items: HumanVerdict[] }).items;

/** A full review that found a company and a score. */
async function aReview(deckId: string, company: string, score: number, createdAt = new Date()): Promise<Analysis> {
  const analysis = await api.analysisRow({ deckId, status: 'completed', createdAt });
  await aValue(api.db, { analysisId: analysis.id, field: 'company_name', raw: company });
  const part = { id: randomUUID(), tenantId: TENANT, analysisId: analysis.id, questionId: question.id };
  await api.db.answer.create({ data: { ...part, status: 'answered', scoreStatus: 'scored', score } });
  return analysis;
}

it('keeps what people say as a history, oldest first, with who said it and when', async () => {
  const deckId = await aReviewedDeck();
  expect(await historyOf(deckId)).toEqual([]);
  const verdicts: NewVerdict[] = [
    { kind: 'value', subject: 'value/company_name', text: 'Acme Robotics', reason: 'the logo says so' },
    { kind: 'value', subject: 'value/sector', text: sector },
    { kind: 'score', subject: `question/${question.slug}`, score: 6, reason: 'we know the market' },
    { kind: 'note', subject: 'slide/7', text: 'Ask about churn.\nAnd about pricing.' },
    { kind: 'note', subject: 'reading/clinical', text: 'Dr. Klein should read this.' },
    { kind: 'note', subject: 'deck', text: 'Met them in Berlin.' },
    { kind: 'tag', text: 'robotics', on: true },
    { kind: 'assignee', text: 'Ada' },
    { kind: 'decision', decision: 'meet', reason: 'strong team' },
  ];
  const answers: Answer[] = [];
  for (const verdict of verdicts) answers.push(await say(deckId, verdict));
  expect(answers.map(({ status }) => status)).toEqual(verdicts.map(() => 201));
  const history = await historyOf(deckId);
  expect(history).toEqual(answers.map(({ body }) => body));
  expect(history.map(({ kind, subject, text, score }) => [kind, subject, text ?? score])).toEqual([
    ['value', 'value/company_name', 'Acme Robotics'],
    ['value', 'value/sector', sector],
    ['score', `question/${question.slug}`, 6],
    ['note', 'slide/7', 'Ask about churn.\nAnd about pricing.'],
    ['note', 'reading/clinical', 'Dr. Klein should read this.'],
    ['note', 'deck', 'Met them in Berlin.'],
    ['tag', 'robotics', 'robotics'],
    ['assignee', 'deck', 'Ada'],
    ['decision', 'deck', 'meet'],
  ]);
  const { name } = await api.client.GET('/session');
  expect(new Set(history.map(({ author }) => author))).toEqual(new Set([name]));
  expect(history.every(({ withdrawn }) => !withdrawn)).toBe(true);
});

it('stores the local user as the author where the API is open', async () => {
  const deckId = await aReviewedDeck();
  const open = await serveInTest({ ...api, config: { auth: 'open' } });
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ kind: 'assignee', text: 'Ada' });
  await fetch(`${open.url}/api/v1/decks/${deckId}/verdicts`, { method: 'POST', headers, body });
  expect((await historyOf(deckId)).map(({ author }) => author)).toEqual(['local user']);
});

it('adds no row for what holds already, also when it is said several times at once', async () => {
  const deckId = await aReviewedDeck();
  const verdict = { kind: 'decision', decision: 'later', reason: null };
  const answers = await Promise.all(Array.from({ length: 8 }, () => say(deckId, verdict)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(new Set(answers.map(({ body }) => (body as HumanVerdict).id)).size).toBe(1);
  const note = { kind: 'note', subject: 'slide/1', text: 'Twice sent' };
  expect((await said(deckId, note)).id).toBe((await said(deckId, note)).id);
  // Another reason is another verdict.
  expect((await say(deckId, { ...verdict, reason: 'no time' })).status).toBe(201);
  expect(await historyOf(deckId)).toHaveLength(3);
});

it('adds a row for a change, for a withdrawal, and for the same words after it', async () => {
  const deckId = await aReviewedDeck();
  const on = { kind: 'tag', text: 'seed', on: true };
  const off = { kind: 'tag', text: 'seed', on: false };
  const statuses = [on, off, off, on].map((verdict) => async () => (await say(deckId, verdict)).status);
  const seen: number[] = [];
  for (const step of statuses) seen.push(await step());
  expect(seen).toEqual([201, 201, 200, 201]);
  expect((await historyOf(deckId)).map(({ withdrawn }) => withdrawn)).toEqual([false, true, false]);
});

it('follows a note through its changes by the id of its first row', async () => {
  const deckId = await aReviewedDeck();
  const first = await said(deckId, { kind: 'note', subject: 'slide/2', text: 'First' });
  expect(first.item).toBe(first.id);
  const other = await said(deckId, { kind: 'note', subject: 'slide/2', text: 'Other' });
  const changed = await said(deckId, { kind: 'note', subject: 'slide/2', text: 'Second', item: first.item });
  const gone = await said(deckId, { kind: 'note', subject: 'slide/2', text: '', item: first.item });
  expect([changed.item, gone.item, gone.withdrawn]).toEqual([first.id, first.id, true]);
  expect(other.item).not.toBe(first.item);
});

it('refuses a withdrawal of what nobody said', async () => {
  const deckId = await aReviewedDeck();
  for (const verdict of [
    { kind: 'tag', text: 'seed', on: false },
    { kind: 'assignee', text: null },
    { kind: 'score', subject: `question/${question.slug}`, score: null },
    { kind: 'note', subject: 'deck', text: ' ' },
  ])
    expect(await say(deckId, verdict)).toMatchObject(problem(404, 'not_found'));
  expect(await historyOf(deckId)).toEqual([]);
});

describe('what the machine said', () => {
  it('is stored beside it, from the analysis that was shown', async () => {
    const deckId = await aReviewedDeck();
    const older = await aReview(deckId, 'Acne', 2, new Date(Date.now() - 60_000));
    const newer = await aReview(deckId, 'Acme', 4);
    const value = { kind: 'value', subject: 'value/company_name', text: 'Acme Robotics' };
    const score = { kind: 'score', subject: `question/${question.slug}`, score: 5 };
    expect(await said(deckId, { ...value, analysisId: older.id })).toMatchObject({
      analysisId: older.id,
      machine: { text: 'Acne', score: null },
    });
    expect(await said(deckId, { ...score, analysisId: older.id })).toMatchObject({ machine: { text: null, score: 2 } });
    // Without one it is the newest.
    expect(await said(deckId, { ...score, score: 6 })).toMatchObject({
      analysisId: newer.id,
      machine: { text: null, score: 4 },
    });
  });

  it('is never taken from the client and never changed', async () => {
    const deckId = await aReviewedDeck();
    const { id: analysisId } = await aReview(deckId, 'Acme', 4);
    const before = await api.client.report(analysisId);
    const forged = { kind: 'score', subject: `question/${question.slug}`, score: 7, machine: { score: 7 } };
    expect(await say(deckId, forged)).toMatchObject(problem(400, 'invalid_request'));
    await said(deckId, { kind: 'score', subject: `question/${question.slug}`, score: 7, analysisId });
    await said(deckId, { kind: 'value', subject: 'value/company_name', text: 'Zeta', analysisId });
    expect(await api.client.report(analysisId)).toEqual(before);
  });

  it('is not read from an analysis of another deck', async () => {
    const { id: analysisId } = await aReview(await aReviewedDeck(), 'Acme', 4);
    const verdict = { kind: 'value', subject: 'value/company_name', text: 'Zeta', analysisId };
    expect(await say(await aReviewedDeck(), verdict)).toMatchObject({
      status: 400,
      body: { detail: 'analysisId: there is no such analysis of this deck' },
    });
  });
});

it('reads the amount and the date of corrected words where none is given', async () => {
  const deckId = await aReviewedDeck();
  const funding = { kind: 'value', subject: 'value/funding' };
  expect(await said(deckId, { ...funding, text: '2,5 Mio. €' })).toMatchObject({ amount: 2_500_000, currency: 'EUR' });
  expect(await said(deckId, { ...funding, text: 'two million', amount: 2_000_000.004, currency: 'USD' })).toMatchObject(
    { amount: 2_000_000, currency: 'USD' },
  );
  const date = { kind: 'value', subject: 'value/deck_date' };
  expect(await said(deckId, { ...date, text: 'March 2026' })).toMatchObject({ isoDate: '2026-03' });
  expect(await said(deckId, { ...date, text: 'spring', isoDate: '2026-04' })).toMatchObject({ isoDate: '2026-04' });
});

it('stores texts without control characters', async () => {
  const deckId = await aReviewedDeck();
  const note = await said(deckId, { kind: 'note', subject: 'deck', text: 'One\r\ntwo\u001b[2J\u0007' });
  expect(note.text).toBe('One\ntwo[2J');
  expect((await said(deckId, { kind: 'assignee', text: 'Ada\u0000'.replace('\0', '\n\u009b Lovelace') })).text).toBe(
    'Ada  Lovelace',
  );
});

it.each([
  ['a value without a field', { kind: 'value', subject: 'value', text: 'x' }, /^subject: value is none/u],
  ['an unknown field', { kind: 'value', subject: 'value/ceo', text: 'x' }, /^subject: there is no value ceo/u],
  ['a value of something else', { kind: 'value', subject: 'slide/1', text: 'x' }, /^subject: a corrected value/u],
  ['an unknown sector', { kind: 'value', subject: 'value/sector', text: 'nosuch' }, /^text: there is no sector/u],
  ['an amount of a name', { kind: 'value', subject: 'value/company_name', text: 'x', amount: 1 }, /^amount, currency/u],
  ['a date of a name', { kind: 'value', subject: 'value/offering', text: 'x', isoDate: '2026' }, /^isoDate/u],
  ['a day that is none', { kind: 'value', subject: 'value/deck_date', text: 'x', isoDate: '2026-02-30' }, /^isoDate/u],
  ['an unknown question', { kind: 'score', subject: 'question/nosuch', score: 1 }, /^subject: there is no question/u],
  ['a score of a value', { kind: 'score', subject: 'value/funding', score: 1 }, /^subject: a score is about/u],
  ['a score above seven', { kind: 'score', subject: 'question/x', score: 8 }, /^score/u],
  ['a slide beyond the deck', { kind: 'note', subject: 'slide/13', text: 'x' }, /^subject: this deck has 12 slides/u],
  ['an unknown reading', { kind: 'note', subject: 'reading/legal', text: 'x' }, /^subject: there is no reading/u],
  ['an unknown note', { kind: 'note', subject: 'deck', text: 'x', item: 'nosuch' }, /^item: there is no such note/u],
  ['an unknown decision', { kind: 'decision', decision: 'buy' }, /^decision/u],
  ['an unknown kind', { kind: 'rumour', text: 'x' }, /^kind/u],
  ['a tag of control characters', { kind: 'tag', text: '\u0001', on: true }, /^text: a tag/u],
])('refuses %s by its name', async (_what, verdict, detail) => {
  const deckId = await aReviewedDeck();
  const answer = await say(deckId, verdict);
  expect(answer).toMatchObject(problem(400, 'invalid_request'));
  expect((answer.body as { detail: string }).detail).toMatch(detail);
  expect(await historyOf(deckId)).toEqual([]);
});

it('refuses a note of another deck, and one about something else', async () => {
  const [deckId, other] = [await aReviewedDeck(), await aReviewedDeck()];
  const { item } = await said(other, { kind: 'note', subject: 'slide/1', text: 'Theirs' });
  expect(await say(deckId, { kind: 'note', subject: 'slide/1', text: 'Mine', item })).toMatchObject(
    problem(400, 'invalid_request'),
  );
  expect(await say(other, { kind: 'note', subject: 'slide/2', text: 'Moved', item })).toMatchObject(
    problem(400, 'invalid_request'),
  );
});

it('refuses a slide of a deck whose slides are not counted yet', async () => {
  const { id } = await api.deck();
  expect(await say(id, { kind: 'note', subject: 'slide/1', text: 'x' })).toMatchObject(problem(400, 'invalid_request'));
});

it('no verdict is taken about a deck that is being deleted', async () => {
  const deckId = await aReviewedDeck();
  await said(deckId, { kind: 'assignee', text: 'Ada' });
  await api.db.deck.update({ where: { id: deckId }, data: { deletingAt: new Date() } });
  expect(await say(deckId, { kind: 'assignee', text: 'Bob' })).toMatchObject(problem(409, 'conflict'));
  expect(await historyOf(deckId)).toHaveLength(1);
});

it('refuses a character that cannot be stored by name', async () => {
  const answer = await say(await aReviewedDeck(), { kind: 'note', subject: 'deck', text: 'a\0b' });
  expect(answer).toMatchObject({ status: 400, body: { detail: expect.stringContaining('NUL') as string } });
});
