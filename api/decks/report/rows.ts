/**
 * Reads everything a report is made of, with a fixed number of queries for any size of deck.
 */
import type { AnsweringSettings } from '../../../domain/evidence/answering-settings.ts';
import type { PeopleLevels } from '../../../domain/evidence/judged-by-people.ts';
import { readPeopleLevels } from '../../calibration/judged-lines.ts';
import type { Prisma, PrismaClient } from '../../../generated/prisma/client.ts';
import type { PageState } from '../../../domain/pages/page.ts';
import { pageStateSchema } from '../../../domain/pages/page-schemas.ts';
import type { AnalysisReport } from '../../../domain/decks/report.ts';
import { noAnalysis } from '../analyses/status.ts';
import { hostsOf, type HostSetup, readHostSetups } from './hosts.ts';
import { readInvisible } from './invisible.ts';

/** The model's own text stays in the database: a report shows what was made of it. */
const modelResult = { omit: { output: true } } as const;
const evidence = { orderBy: { position: 'asc' } } as const;

const analysisParts = {
  deck: true,
  rollout: { select: { name: true } },
  templateVersion: {
    include: {
      template: true,
      chapters: { orderBy: { position: 'asc' }, include: { questions: { orderBy: { position: 'asc' } } } },
    },
  },
  slideFindings: {
    orderBy: [{ slideNumber: 'asc' }, { kind: 'asc' }],
    omit: { visibleText: true },
    include: { figures: { orderBy: { position: 'asc' } }, modelResult },
  },
  extractions: { include: { evidence, modelResult } },
  classification: { include: { modelResult } },
  answers: { include: { evidence, modelResult, scoreModelResult: modelResult } },
  chapterScores: true,
  specialised: { include: { evidence, points: { orderBy: { position: 'asc' } }, modelResult } },
  profile: { include: { facts: { orderBy: { position: 'asc' }, include: { evidence } }, modelResult } },
  gaps: true,
  contradictions: { orderBy: { position: 'asc' } },
  // Calls that were made without a slide.
  modelCalls: {
    where: { NOT: { computedWithout: { isEmpty: true } } },
    select: { contentKey: true, computedWithout: true },
  },
} satisfies Prisma.AnalysisInclude;

type StoredAnalysis = Prisma.AnalysisGetPayload<{ include: typeof analysisParts }>;
export interface AnalysisRows extends StoredAnalysis {
  /** Set-ups of the machines that answered. */
  readonly setups: readonly HostSetup[];
  readonly hosts: AnalysisReport['hosts'];
  /** Levels of claims of models by people's judgements. */
  readonly people: PeopleLevels;
}
export type ModelResultRow = NonNullable<AnalysisRows['answers'][number]['modelResult']>;

/** A rendered page, without its text. */
interface SlideRow {
  readonly id: string;
  readonly number: number;
  readonly renderKey: string;
  readonly artefactBlobKey: string | null;
  readonly failureCode: string | null;
  readonly failureMessage: string | null;
}

/** A rendered page and what is known of its text. */
export interface PageRow extends SlideRow {
  /** Null where it could not be drawn. */
  readonly page: PageState | null;
  readonly hasTextLayer: boolean;
}

export interface ReportRows {
  readonly analysis: AnalysisRows;
  readonly slides: readonly PageRow[];
  /** Text that cannot be seen, by slide. */
  readonly invisible: ReadonlyMap<number, readonly string[]>;
  /** Name of the sector by slug. */
  readonly sectorNames: ReadonlyMap<string, string>;
}

/** Pages of a deck in order, each once: of several renderings the newest. */
export function readSlides(db: PrismaClient, tenantId: string, deckId: string): Promise<SlideRow[]> {
  return db.slide.findMany({
    where: { tenantId, deckId },
    orderBy: [{ number: 'asc' }, { createdAt: 'desc' }],
    distinct: ['number'],
    select: {
      id: true,
      number: true,
      renderKey: true,
      artefactBlobKey: true,
      failureCode: true,
      failureMessage: true,
    },
  });
}

/** Adds what is known of the text of pages, without loading their words. */
async function withPageStates(db: PrismaClient, slides: readonly SlideRow[]): Promise<PageRow[]> {
  const rows = await db.$queryRaw<{ id: string; hasText: boolean; page: unknown }[]>`
    SELECT "id", "text" ~ '[^[:space:]]' AS "hasText",
      CASE WHEN jsonb_typeof("layout") = 'object' THEN "layout" - ARRAY['words', 'blocks', 'hidden'] END AS "page"
    FROM "Slide" WHERE "id" = ANY(${slides.map(({ id }) => id)})`;
  const known = new Map(rows.map((row) => [row.id, row]));
  return slides.map((slide) => {
    const row = known.get(slide.id);
    const page = row?.page ?? null;
    if (page === null) return { ...slide, page, hasTextLayer: row?.hasText ?? false };
    const state = pageStateSchema.parse(page);
    return { ...slide, page: state, hasTextLayer: state.source === 'layer' };
  });
}

/**
 * Reads the rows of one analysis.
 *
 * @throws DeckhandError `not_found`, also for an analysis of another tenant
 */
export async function readReportRows(
  db: PrismaClient,
  tenantId: string,
  analysisId: string,
  settings: AnsweringSettings,
): Promise<ReportRows> {
  const analysis = await db.analysis.findFirst({ where: { id: analysisId, tenantId }, include: analysisParts });
  if (analysis === null) throw noAnalysis(analysisId);
  const results = resultsOf(analysis);
  const [slides, invisible, sectors, setups, people] = await Promise.all([
    readSlides(db, tenantId, analysis.deckId).then((rows) => withPageStates(db, rows)),
    readInvisible(db, tenantId, [analysis.deckId]),
    db.sector.findMany({ where: { tenantId }, select: { slug: true, name: true } }),
    readHostSetups(db, [...new Set(results.map(({ host }) => host))]),
    readPeopleLevels(db, tenantId, settings),
  ]);
  return {
    analysis: { ...analysis, setups, hosts: hostsOf(setups, results), people },
    slides,
    invisible: invisible.get(analysis.deckId) ?? new Map<number, string[]>(),
    sectorNames: new Map(sectors.map((s) => [s.slug, s.name])),
  };
}

/** The stored answers of models, in no order; one may be named twice. */
const resultsOf = (analysis: StoredAnalysis): ModelResultRow[] =>
  [
    ...analysis.slideFindings.map((row) => row.modelResult),
    ...analysis.extractions.map((row) => row.modelResult),
    ...analysis.answers.flatMap((row) => [row.modelResult, row.scoreModelResult]),
    ...analysis.specialised.map((row) => row.modelResult),
    analysis.classification?.modelResult,
    analysis.profile?.modelResult,
  ].flatMap((result) => result ?? []);
