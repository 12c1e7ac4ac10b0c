/**
 * Reads everything a report is made of, with a fixed number of queries for any size of deck.
 */
import type { Prisma, PrismaClient } from '../../../generated/prisma/client.ts';
import { noAnalysis } from '../analyses/status.ts';

/** The model's own text stays in the database: a report shows what was made of it. */
const modelResult = { omit: { output: true } } as const;
const evidence = { orderBy: { position: 'asc' } } as const;

const analysisParts = {
  deck: true,
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
  gaps: true,
  // Calls that were made without a slide.
  modelCalls: {
    where: { NOT: { computedWithout: { isEmpty: true } } },
    select: { contentKey: true, computedWithout: true },
  },
} satisfies Prisma.AnalysisInclude;

export type AnalysisRows = Prisma.AnalysisGetPayload<{ include: typeof analysisParts }>;
export type ModelResultRow = NonNullable<AnalysisRows['answers'][number]['modelResult']>;

/** A rendered page, without its text. */
export interface SlideRow {
  readonly number: number;
  readonly renderKey: string;
  readonly artefactBlobKey: string | null;
  readonly failureCode: string | null;
  readonly failureMessage: string | null;
  readonly hasTextLayer: boolean;
}

export interface ReportRows {
  readonly analysis: AnalysisRows;
  readonly slides: readonly SlideRow[];
  /** Name of the sector by slug. */
  readonly sectorNames: ReadonlyMap<string, string>;
}

/** Pages of a deck in order, each once: of several renderings the newest. */
export async function readSlides(db: PrismaClient, tenantId: string, deckId: string): Promise<SlideRow[]> {
  const rows = await db.slide.findMany({
    where: { tenantId, deckId },
    orderBy: [{ number: 'asc' }, { createdAt: 'desc' }],
    distinct: ['number'],
    select: {
      number: true,
      renderKey: true,
      artefactBlobKey: true,
      failureCode: true,
      failureMessage: true,
      text: true,
    },
  });
  return rows.map(({ text, ...row }) => ({ ...row, hasTextLayer: text.trim() !== '' }));
}

/**
 * Reads the rows of one analysis.
 *
 * @throws DeckhandError `not_found`, also for an analysis of another tenant
 */
export async function readReportRows(db: PrismaClient, tenantId: string, analysisId: string): Promise<ReportRows> {
  const analysis = await db.analysis.findFirst({ where: { id: analysisId, tenantId }, include: analysisParts });
  if (analysis === null) throw noAnalysis(analysisId);
  const [slides, sectors] = await Promise.all([
    readSlides(db, tenantId, analysis.deckId),
    db.sector.findMany({ where: { tenantId }, select: { slug: true, name: true } }),
  ]);
  return { analysis, slides, sectorNames: new Map(sectors.map((s) => [s.slug, s.name])) };
}
