/** Storing the profile that a model gave: facts with checked quotes, absent topics, and a gap that names lists which cannot be read. */
import { expect } from 'vitest';
import { AnalysisContexts } from '../../../activities/models/analysis-context.ts';
import { applyResult } from '../../../activities/models/store-result.ts';
import { loadReport } from '../../../api/decks/report/load.ts';
import type { AnalysisReport } from '../../../domain/decks/report.ts';
import { lacksProfile, summaryOf } from '../../../domain/decks/review/summary.ts';
import { ANSWERING_SETTINGS } from '../../../domain/evidence/answering-settings.ts';
import { PROFILE_TOPICS } from '../../../domain/profile/topics.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { itWithDatabase as it } from '../../../testing/database.ts';
import { aModelCall, anAnalysis, aSlide, aModelResult, TENANT } from '../../../testing/make.ts';
import { aValue } from '../api/list/support.ts';

const SLIDE = [
  'Ada Example, CEO of the company',
  'TAM €12.4B all stations in Europe',
  '31 hospitals pay today',
  '40 clinics by 2027 (target)',
  'We have no competitors in this market',
].join('\n\n');

const NOTHING = { document: { slide: 1, quote: '', kind: 'pitch_deck' }, absent: [] };
const EMPTY = Object.fromEntries(PROFILE_TOPICS.map((topic) => [topic, []]));
const at = (quote: string, fact: object) => ({ slide: 1, quote, ...fact });

/** Stores a model's profile of a deck of one slide, and gives its report. */
async function stored(db: PrismaClient, ...outputs: readonly object[]): Promise<AnalysisReport> {
  const { id: analysisId, deckId } = await anAnalysis(db, { status: 'completed' });
  await aSlide(db, { text: SLIDE, deckId });
  const context = await new AnalysisContexts(db).get(analysisId);
  for (const output of outputs) {
    const call = await aModelCall(db, { analysisId, task: 'extract_profile' });
    const result = await aModelResult(db, {
      contentKey: call.contentKey,
      task: 'extract_profile',
      output: JSON.stringify({ ...NOTHING, ...EMPTY, ...output }),
      engineKind: 'ollama',
    });
    await applyResult(db, context, call, result, { cached: false });
  }
  return loadReport(db, TENANT, analysisId, ANSWERING_SETTINGS);
}

const topicOf = ({ profile }: AnalysisReport, topic: string) => profile.topics.find((each) => each.topic === topic);

it('facts are stored with their values in one form, and each with the check of its quote', async ({ db }) => {
  const report = await stored(db, {
    team: [
      at('Ada Example, CEO of the company', { name: 'Ada Example', value: 'CEO' }),
      at('Bo leads the sales', { name: 'Bo', value: 'Sales' }),
    ],
    market: [
      at('TAM €12.4B all stations in Europe', { name: 'TAM', value: '€12.4B' }),
      at('TAM €12.4B all stations in Europe', { name: 'SAM', value: '€1.9B' }),
    ],
    traction: [
      at('31 hospitals pay today', { name: '31 hospitals pay' }),
      at('40 clinics by 2027 (target)', { name: '40 clinics' }),
    ],
  });
  expect(topicOf(report, 'team')?.facts.map(({ name, evidence }) => [name, evidence[0]?.verdict])).toEqual([
    ['Ada Example', 'verified'],
    ['Bo', 'contradicted'],
  ]);
  expect(topicOf(report, 'market')?.facts).toMatchObject([
    { amount: 12_400_000_000, currency: 'EUR', evidence: [{ verdict: 'verified' }] },
    { amount: 1_900_000_000, evidence: [{ verdict: 'contradicted', reason: 'the quote does not name this fact' }] },
  ]);
  expect(topicOf(report, 'traction')?.facts.map(({ isPlan }) => isPlan)).toEqual([false, true]);
  expect(topicOf(report, 'use_of_funds')).toMatchObject({ status: 'not_found', facts: [] });
  expect(report.gaps).toEqual([]);
});

it('a topic is stated as absent where the deck itself says so', async ({ db }) => {
  const report = await stored(db, {
    absent: [
      at('We have no competitors in this market', { topic: 'competition' }),
      at('31 hospitals pay today', { topic: 'team' }),
    ],
  });
  expect(topicOf(report, 'competition')).toMatchObject({
    status: 'stated_absent',
    evidence: [{ verdict: 'verified' }],
  });
  expect(topicOf(report, 'team')).toMatchObject({ status: 'not_found', evidence: [] });
});

it('lists that cannot be read are a gap by name, which a later answer closes, and the others stay', async ({ db }) => {
  const broken = {
    team: 'see slide 9',
    market: [at('TAM €12.4B all stations in Europe', { name: 'TAM', value: '€12.4B' })],
  };
  const report = await stored(db, broken);
  expect(topicOf(report, 'team')?.status).toBe('unparseable');
  expect(topicOf(report, 'market')?.status).toBe('found');
  expect(report.gaps).toMatchObject([{ item: 'profile', code: 'model_output_unparseable' }]);
  expect(report.gaps[0]?.message).toContain('lacks team');
  expect(summaryOf(report).find(({ topic }) => topic === 'team')?.absence).toBe('failed');

  const whole = await stored(db, broken, {
    team: [at('Ada Example, CEO of the company', { name: 'Ada Example', value: 'CEO' })],
  });
  expect(topicOf(whole, 'team')?.status).toBe('found');
  expect(whole.gaps).toEqual([]);
});

it('the kind of a document that is no pitch deck stands with the words that show it', async ({ db }) => {
  const report = await stored(db, { document: { slide: 1, quote: '31 hospitals pay today', kind: 'form' } });
  expect(report.profile.document).toMatchObject({
    kind: 'form',
    evidence: [{ quote: '31 hospitals pay today', verdict: 'verified' }],
  });
});

it('a review that was made before decks had a profile says that it was not asked, topic by topic', async ({ db }) => {
  const { id: analysisId } = await anAnalysis(db, { status: 'completed' });
  await aValue(db, { analysisId, field: 'offering', raw: 'Bikes' });
  const report = await loadReport(db, TENANT, analysisId, ANSWERING_SETTINGS);
  expect(lacksProfile(report)).toBe(true);
  expect(summaryOf(report).find(({ topic }) => topic === 'team')).toMatchObject({ facts: [], absence: 'not_asked' });
});
