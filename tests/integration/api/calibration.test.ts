/** Where people and the machine differ, and the names of people. */
import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CalibrationDocument } from '../../../api/calibration/schemas.ts';
import type { Analysis } from '../../../generated/prisma/client.ts';
import { TENANT } from '../../../testing/make.ts';
import { perFile } from '../../../testing/per-file.ts';
import { aValue } from './list/support.ts';
import { OTHER_TENANT, problem, startTestApi } from './support.ts';

const api = perFile(startTestApi);

interface Question {
  readonly id: string;
  readonly slug: string;
  readonly text: string;
  readonly chapter: { readonly slug: string; readonly name: string };
}
let questions: readonly Question[];
/** Of another person. */
let ada: { readonly authorization: string };
beforeAll(async () => {
  const version = await api.db.templateVersion.findFirstOrThrow({ where: { tenantId: TENANT } });
  questions = await api.db.question.findMany({
    where: { chapter: { templateVersionId: version.id } },
    include: { chapter: true },
    take: 3,
  });
  ada = await api.keyOf({ name: 'Ada' });
});
beforeEach(async () => {
  await api.db.humanVerdict.deleteMany();
});

const slugOf = (at: number): string => questions[at]?.slug ?? '';

/** A full review in which the machine gave each question this score. */
async function aReview(score: number | null): Promise<Analysis> {
  const analysis = await api.analysisRow({ status: 'completed' });
  const scoreStatus = score === null ? 'failed' : 'scored';
  await api.db.answer.createMany({
    data: questions.map((question) => ({
      id: randomUUID(),
      tenantId: TENANT,
      analysisId: analysis.id,
      questionId: question.id,
      status: 'answered',
      scoreStatus,
      score,
    })),
  });
  await aValue(api.db, { analysisId: analysis.id, field: 'offering', raw: 'Straw' });
  return analysis;
}

/** Gives a score in place of the machine's. */
const judge = (
  { id: analysisId, deckId }: Analysis,
  at: number,
  score: number | null,
  headers = {},
): Promise<unknown> =>
  api.post(
    `/decks/${deckId}/verdicts`,
    { kind: 'score', subject: `question/${slugOf(at)}`, score, reason: 'because', analysisId },
    headers,
  );
const value = ({ id: analysisId, deckId }: Analysis, field: string, text: string): Promise<unknown> =>
  api.post(`/decks/${deckId}/verdicts`, { kind: 'value', subject: `value/${field}`, text, analysisId });

const calibration = async (query = ''): Promise<CalibrationDocument> =>
  (await api.call('GET', `/calibration${query}`)).body as CalibrationDocument;
const questionOf = ({ questions: all }: CalibrationDocument, at: number) => all.find(({ slug }) => slug === slugOf(at));

describe('the calibration', () => {
  it('is empty before anybody said something', async () => {
    expect(await calibration()).toEqual({ answering: [], questions: [], values: [] });
  });

  it('compares people and the machine by question', async () => {
    const scores = [1, 4, 6];
    for (const score of scores) await judge(await aReview(4), 0, score);
    await judge(await aReview(null), 0, 7);
    await judge(await aReview(2), 1, 2);
    const found = await calibration();
    expect(found.questions.map(({ slug }) => slug)).toEqual([slugOf(0), slugOf(1)]);
    expect(questionOf(found, 0)).toMatchObject({
      text: questions[0]?.text,
      chapter: { slug: questions[0]?.chapter.slug, name: questions[0]?.chapter.name },
      scored: 4,
      compared: 3,
      meanDifference: -1 / 3,
      meanAbsoluteDifference: 5 / 3,
      equal: 1,
    });
    expect(questionOf(found, 1)).toMatchObject({
      scored: 1,
      compared: 1,
      meanDifference: 0,
      equal: 1,
      differences: [],
    });
  });

  it('lists the newest differences with deck, company, scores, reason and author', async () => {
    const analysis = await aReview(4);
    await value(analysis, 'company_name', 'Halmwerk');
    await judge(analysis, 0, 1);
    await judge(await aReview(4), 0, 6, ada);
    await judge(await aReview(4), 0, 4);
    const question = questionOf(await calibration(), 0);
    expect(question?.differences.map(({ human, author }) => [human, author])).toEqual([
      [6, 'Ada'],
      [1, (await api.client.GET('/session')).name],
    ]);
    expect(question?.differences[1]).toMatchObject({
      deck: { id: analysis.deckId, fileName: 'deck.pdf' },
      company: { name: 'Halmwerk' },
      analysisId: analysis.id,
      machine: 4,
      reason: 'because',
    });
    const history = (await api.client.GET('/decks/{id}/verdicts', { params: { path: { id: analysis.deckId } } })).items;
    expect(question?.differences[1]?.createdAt).toBe(history.at(-1)?.createdAt);
  });

  it('lists ten differences of a question at most', async () => {
    for (let n = 0; n < 12; n += 1) await judge(await aReview(4), 0, n % 2 === 0 ? 4 : 5);
    for (let n = 0; n < 12; n += 1) await judge(await aReview(4), 0, 1);
    const question = questionOf(await calibration(), 0);
    expect(question?.differences).toHaveLength(10);
    expect(question?.scored).toBe(24);
  });

  it('counts what holds: the last score of a deck, and none that was withdrawn', async () => {
    const [changed, withdrawn] = [await aReview(4), await aReview(4)];
    await judge(changed, 0, 1);
    await judge(changed, 0, 5);
    await judge(withdrawn, 0, 1);
    await judge(withdrawn, 0, null);
    expect(questionOf(await calibration(), 0)).toMatchObject({ scored: 1, meanDifference: 1 });
  });

  it('leaves out decks that are being deleted, and other tenants', async () => {
    const analysis = await aReview(4);
    await judge(analysis, 0, 1);
    const theirs = await aReview(4);
    await judge(theirs, 0, 1);
    await api.db.humanVerdict.updateMany({ where: { deckId: theirs.deckId }, data: { tenantId: OTHER_TENANT } });
    expect(questionOf(await calibration(), 0)).toMatchObject({ scored: 1 });
    await api.db.deck.update({ where: { id: analysis.deckId }, data: { deletingAt: new Date() } });
    expect((await calibration()).questions).toEqual([]);
  });

  it('counts corrected, added and confirmed values by field', async () => {
    await value(await aReview(1), 'offering', 'Straw');
    await value(await aReview(1), 'offering', 'Houses');
    await value(await aReview(1), 'company_name', 'Halmwerk');
    expect((await calibration()).values).toEqual([
      { field: 'company_name', corrected: 1, added: 1, confirmed: 0 },
      { field: 'offering', corrected: 1, added: 0, confirmed: 1 },
    ]);
  });

  it('can be limited to a person and a time', async () => {
    const [mine, hers] = [await aReview(4), await aReview(4)];
    await judge(mine, 0, 1);
    await judge(hers, 0, 6, ada);
    expect(questionOf(await calibration('?author=Ada'), 0)).toMatchObject({ scored: 1, meanDifference: 2 });
    expect((await calibration('?author=Nobody')).questions).toEqual([]);
    await api.db.humanVerdict.updateMany({ where: { deckId: mine.deckId }, data: { createdAt: new Date(0) } });
    expect(questionOf(await calibration('?since=1d'), 0)).toMatchObject({ scored: 1, meanDifference: 2 });
  });

  it.each(['since=yesterday', 'by=question'])('refuses %s', async (query) =>
    expect(await api.call('GET', `/calibration?${query}`)).toMatchObject(problem(400, 'invalid_request')),
  );
});

it('the command prints how many claims people call right, within the limits that it is given', async () => {
  const confirmed = await aReview(4);
  await value(confirmed, 'offering', 'Straw');
  const said = { machineEngine: 'rules', machineModel: 'reader-text:1', machineAnswering: 'high' } as const;
  await api.db.humanVerdict.updateMany({ where: { deckId: confirmed.deckId }, data: said });
  const printed = await api.deckhand(['calibration', '--since', '1d']);
  expect(printed.stdout).toMatch(/^built-in reader +answers the question +1 +1 +100 %/mu);
  expect(printed.code).toBe(0);
  const hers = await api.deckhand(['calibration', '--author', 'Ada', '--json']);
  expect(JSON.parse(hers.stdout)).toEqual(await calibration('?author=Ada'));
});

it('people are the owners of valid keys, those who said something and those who were assigned, each once', async () => {
  const named = async (): Promise<string[]> => (await api.client.GET('/people')).items.map(({ name }) => name);
  const { id } = await api.client.POST('/keys', { body: { name: 'Former', role: 'analyst' } });
  await api.client.POST('/keys', { body: { name: 'Elsewhere', role: 'analyst', tenant: OTHER_TENANT } });
  const { deckId } = await aReview(4);
  for (const text of ['Bob', 'Ada', 'Bob']) await api.post(`/decks/${deckId}/verdicts`, { kind: 'assignee', text });
  const own = (await api.client.GET('/session')).name;
  const all = [own, 'Ada', 'Bob', 'Former'];
  expect(await named()).toEqual(all.toSorted((a, b) => a.toLowerCase().localeCompare(b.toLowerCase())));
  await api.client.DELETE('/keys/{id}', { params: { path: { id } } });
  expect(await named()).not.toContain('Former');
  // Who said something stays.
  await api.post(`/decks/${deckId}/verdicts`, { kind: 'tag', text: 'seen', on: true }, ada);
  await api.db.apiKey.updateMany({ where: { name: 'Ada' }, data: { revokedAt: new Date() } });
  expect(await named()).toContain('Ada');
});
