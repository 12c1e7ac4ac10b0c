/** Planning of decks that the engine cannot read: no text at all, or a language it has no rules for. */
import { expect } from 'vitest';
import { StagePlanner } from '../../../activities/decks/planning.ts';
import { AnalysisContexts } from '../../../activities/models/analysis-context.ts';
import { buildReport } from '../../../api/decks/report/load.ts';
import { readReportRows } from '../../../api/decks/report/rows.ts';
import { EXTRACTION_FIELDS } from '../../../domain/models/model-tasks.ts';
import { ANSWERING_SETTINGS } from '../../../domain/evidence/answering-settings.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { itWithFreshDatabase as it } from '../../../testing/database.ts';
import { anAnalysis, aSlide, NOW, TENANT } from '../../../testing/make.ts';

const POLISH = 'Nasza platforma łączy rolników z restauracjami w całym kraju i skraca drogę żywności na stół.';
const UZBEK = 'Kompaniyamiz kichik do‘konlar uchun to‘lov tizimini ishlab chiqadi va ularning vaqtini tejaydi.';
const ENGLISH = 'Our platform brings farmers and restaurants together and shortens the way of food to the table.';

/** Plans the text stages of a deck with this text, and gives the report and the tasks of the calls. */
async function planned(db: PrismaClient, text: string, modelProfile = 'reader') {
  await db.modelConfiguration.updateMany({ data: { pinnedDigest: 'digest', pinnedAt: NOW } });
  const { id: analysisId, deckId } = await anAnalysis(db, { modelProfile });
  await aSlide(db, { deckId, text });
  const planner = new StagePlanner(db, new AnalysisContexts(db));
  const plans = [
    await planner.extractions({ analysisId, fields: EXTRACTION_FIELDS, withProfile: true }),
    await planner.classification({ analysisId }),
    await planner.answers({ analysisId }),
    await planner.scores({ analysisId }),
  ];
  const report = buildReport(await readReportRows(db, TENANT, analysisId, ANSWERING_SETTINGS), ANSWERING_SETTINGS);
  return { report, calls: plans.flatMap(({ calls }) => calls).length };
}

const statusesOf = ({ chapters }: Awaited<ReturnType<typeof planned>>['report']) => [
  ...new Set(chapters.flatMap(({ questions }) => questions.map(({ status, state }) => `${status} ${state}`))),
];

it('a deck in a language without rules is asked only for what needs no language, and says so once', async ({ db }) => {
  const { report, calls } = await planned(db, POLISH);
  expect(report.deck.language).toBe('pl');
  expect(calls).toBe(3);
  expect(report.extractions.map(({ field, status }) => [field, status])).toContainEqual(['offering', 'skipped']);
  expect(statusesOf(report)).toEqual(['skipped null']);
  expect(report.overall.score).toBeNull();
  expect(report.notices).toMatchObject([{ code: 'language_not_supported' }]);
  expect(report.notices[0]?.text).toContain('Polish');
});

it('a deck in a language that is not known is not read by the rules, and no language is named', async ({ db }) => {
  const { report, calls } = await planned(db, UZBEK);
  expect(report.deck.language).toBeNull();
  expect(calls).toBe(3);
  expect(report.notices[0]?.text).toContain('The deck is in another language');
});

it('a model that reads all languages is asked everything, and so are decks in the languages of the rules', async ({
  db,
}) => {
  for (const [text, profile, language] of [
    [POLISH, 'ollama', 'pl'],
    [ENGLISH, 'reader', 'en'],
  ] as const) {
    const { report, calls } = await planned(db, text, profile);
    expect(report.deck.language).toBe(language);
    expect(calls).toBe(EXTRACTION_FIELDS.length + 1 + 1 + 34);
    expect(report.notices).toEqual([]);
  }
});

it('a deck without text is unreadable, which is said once and never called not found', async ({ db }) => {
  const { report, calls } = await planned(db, '');
  expect(calls).toBe(0);
  expect(report.extractions.map(({ status }) => status)).toEqual(EXTRACTION_FIELDS.map(() => 'unreadable'));
  expect(report.sector.status).toBe('unreadable');
  expect(statusesOf(report)).toEqual(['unreadable unreadable']);
  expect(report.deck.language).toBeNull();
  expect(report.notices).toMatchObject([{ code: 'no_readable_text' }]);
});
