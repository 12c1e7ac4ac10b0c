/** People's judgements on lines of a review: what they change in lists and documents, and what they say of a model's other lines. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { OPEN_IDENTITY } from '../../../api/auth/identity.ts';
import { requestDeletion } from '../../../api/decks/deletion.ts';
import { findEntry } from '../../../api/decks/list/entries.ts';
import { loadReport } from '../../../api/decks/report/load.ts';
import { addVerdict } from '../../../api/decks/verdicts/store.ts';
import { type Comparison, comparisonSchema } from '../../../domain/decks/compare/comparison.ts';
import type { DeckEntry } from '../../../domain/decks/list/entry.ts';
import { newVerdictSchema } from '../../../domain/decks/verdicts/human-verdict.ts';
import { ANSWERING_SETTINGS, type AnsweringSettings } from '../../../domain/evidence/answering-settings.ts';
import { aModelResult, TENANT } from '../../../testing/make.ts';
import { createLogger } from '../../../platform/log.ts';
import { perFile } from '../../../testing/per-file.ts';
import { until } from '../../../testing/until.ts';
import { problem, serveInTest, startTestApi } from './support.ts';

const api = perFile(startTestApi);
/** One judgement is enough, and one right line of one. */
const SOON = { ...ANSWERING_SETTINGS, judgements: 1, rightShare: 0.2 };

/** A review in which a model answered a question with a quote. */
async function anAnswered(model: { readonly modelDigest?: string } = {}) {
  const { id: deckId } = await api.deck();
  const question = await api.db.question.findFirstOrThrow({
    where: { tenantId: TENANT },
    include: { chapter: true },
    orderBy: { id: 'asc' },
  });
  const { templateVersionId } = question.chapter;
  const { id: analysisId } = await api.analysisRow({ deckId, status: 'completed', templateVersionId });
  const made = await aModelResult(api.db, {
    contentKey: randomUUID(),
    task: 'answer_question',
    engineKind: 'ollama',
    ...model,
  });
  const part = { id: randomUUID(), tenantId: TENANT, analysisId, questionId: question.id, modelResultId: made.id };
  const answer = await api.db.answer.create({
    data: { ...part, status: 'answered', state: 'found', answer: 'They wait.' },
  });
  await api.db.evidence.create({
    data: {
      id: randomUUID(),
      tenantId: TENANT,
      answerId: answer.id,
      position: 0,
      slideNumber: 1,
      quote: 'Patients wait',
      verdict: 'verified',
    },
  });
  const subject = `question/${question.slug}`;
  const judge = (text: string | null) =>
    api.post(`/decks/${deckId}/verdicts`, { kind: 'judgement', subject, text, analysisId });
  const quoteOf = async (settings = ANSWERING_SETTINGS) =>
    (await loadReport(api.db, TENANT, analysisId, settings)).chapters
      .flatMap(({ questions }) => questions)
      .flatMap(({ evidence }) => evidence)[0];
  const judgeAs = (text: 'right', settings: AnsweringSettings) =>
    addVerdict(api.db, deckId, OPEN_IDENTITY, newVerdictSchema.parse({ kind: 'judgement', subject, text }), settings);
  const entry = async () => (await api.call('GET', `/decks/${deckId}`)).body as DeckEntry;
  const markdown = async () => String((await api.call('GET', `/analyses/${analysisId}/report?format=md`)).body);
  const answerAnew = (words: string) => api.db.answer.update({ where: { id: answer.id }, data: { answer: words } });
  return { deckId, analysisId, judge, judgeAs, answerAnew, quoteOf, entry, markdown };
}

/** Three reviews in which one model answered the same question. */
async function threeAnswered() {
  const modelDigest = `sha256:${randomUUID()}`;
  return [
    await anAnswered({ modelDigest }),
    await anAnswered({ modelDigest }),
    await anAnswered({ modelDigest }),
  ] as const;
}

it("a person's judgement stands above the machine's in lists and documents, until it is taken back; the report stays", async () => {
  const { judge, quoteOf, entry, markdown } = await anAnswered();
  expect(await entry()).toMatchObject({ answeringShare: null, quotes: { verified: 1, answering: 0, notJudged: 1 } });
  expect(await judge('right')).toMatchObject({
    status: 201,
    body: { kind: 'judgement', text: 'right', machine: { text: 'They wait.' } },
  });
  expect(await entry()).toMatchObject({ answeringShare: 1, quotes: { answering: 1, notJudged: 0 } });
  expect(await markdown()).toContain('answers the question');
  expect(await quoteOf()).toMatchObject({ answering: null, answeringBy: null });
  await judge('wrong');
  expect(await entry()).toMatchObject({ answeringShare: 0, quotes: { answering: 0, notJudged: 0 } });
  await judge(null);
  expect(await entry()).toMatchObject({ answeringShare: null });
});

it('enough judgements on answers of a model to a question hold for its other answers to it, and make the curve', async () => {
  const [judged, other] = [await anAnswered(), await anAnswered()];
  expect(await other.quoteOf(SOON)).toMatchObject({ answering: null });
  await judged.judge('right');
  expect(await other.quoteOf(SOON)).toMatchObject({ answering: 'high', answeringBy: 'people' });
  expect(await other.quoteOf()).toMatchObject({ answering: null });
  const { body } = await api.call('GET', '/calibration');
  expect(body).toMatchObject({
    answering: [{ engine: 'ollama', level: null, judged: 1, right: 1, share: 1, high: 1 }],
  });
  await judged.judge('wrong');
  expect(await other.quoteOf(SOON)).toMatchObject({ answering: 'some' });
  await judged.judge(null);
});

it('a comparison judges quotes by the settings of the installation', async () => {
  const { analysisId, judge } = await anAnswered();
  const other = await anAnswered({ modelDigest: 'sha256:other' });
  await judge('right');
  const comparison = async (url: string) => {
    const path = `/analyses/${analysisId}/compare/${other.analysisId}?anyDeck=true&format=json`;
    return comparisonSchema.parse(await (await fetch(`${url}/api/v1${path}`, { headers: api.authorization })).json());
  };
  const judgedIn = ({ parts }: Comparison) =>
    parts.questions.flatMap(({ changes }) => changes).filter(({ field }) => field === 'quote.answering');
  const early = await serveInTest({ ...api, config: { ...api.config, answering: SOON } });
  expect(judgedIn(await comparison(early.url))).toMatchObject([{ a: 'high', b: null }]);
  expect(judgedIn(await comparison(api.url))).toEqual([]);
  await judge(null);
});

it('a judgement that comes to hold for other answers of the model renews their decks in the list, and so does its deletion', async () => {
  const [judged, other] = await threeAnswered();
  const quotes = async () => (await findEntry(api.db, TENANT, other.deckId, SOON)).quotes;
  expect(await quotes()).toMatchObject({ answering: 0, notJudged: 1 });
  await judged.judgeAs('right', SOON);
  expect(await quotes()).toMatchObject({ answering: 1, notJudged: 0 });
  const log = createLogger('api-test', { logLevel: 'silent' });
  await requestDeletion({ ...api, log, config: { answering: SOON } }, TENANT, judged.deckId);
  expect(await quotes()).toMatchObject({ answering: 0, notJudged: 1 });
});

it('two judgements at the same moment that are enough together renew the list', async () => {
  const settings = { ...SOON, judgements: 2 };
  const [first, second, other] = await threeAnswered();
  const quotes = async () => (await findEntry(api.db, TENANT, other.deckId, settings)).quotes;
  expect(await quotes()).toMatchObject({ answering: 0 });
  const blocked = async (): Promise<number> => {
    const [row] = await api.db.$queryRaw<{ count: number }[]>`
      SELECT count(*)::int AS "count" FROM pg_stat_activity
      WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`;
    return row?.count ?? 0;
  };
  const judgements = await api.db.$transaction(async (tx) => {
    // Neither can store its row before both have begun.
    await tx.$executeRaw`LOCK TABLE "HumanVerdict" IN SHARE MODE`;
    const begun = [first, second].map((each) => each.judgeAs('right', settings));
    await until(blocked).is(2);
    return begun;
  });
  await Promise.all(judgements);
  expect(await quotes()).toMatchObject({ answering: 1 });
});

it('a judgement that is given again on other words of the machine is a new one and holds for them', async () => {
  const { judge, answerAnew, markdown } = await anAnswered();
  expect(await judge('right')).toMatchObject({ status: 201 });
  expect(await judge('right')).toMatchObject({ status: 200 });
  await answerAnew('They pay.');
  expect(await markdown()).not.toContain('answers the question');
  expect(await judge('right')).toMatchObject({ status: 201, body: { machine: { text: 'They pay.' } } });
  expect(await markdown()).toContain('answers the question');
  await judge(null);
  await answerAnew('They leave.');
  expect(await judge(null)).toMatchObject({ status: 200 });
});

it('a judgement is refused where there is nothing to judge', async () => {
  const { deckId } = await anAnswered();
  const judge = (subject: string) =>
    api.post(`/decks/${deckId}/verdicts`, { kind: 'judgement', subject, text: 'right' });
  for (const subject of ['value/sector', 'value/funding', 'deck', 'reading/clinical'])
    expect(await judge(subject), subject).toMatchObject(problem(400, 'invalid_request'));
});
