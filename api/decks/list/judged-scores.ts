/** Scores of decks for which people gave scores in place of the machine's. */
import { effectiveScores, type ScoredChapter } from '../../../domain/decks/verdicts/overlay.ts';
import { subjectParts } from '../../../domain/decks/verdicts/subject.ts';
import type { Transaction } from '../../../platform/db.ts';
import { heldVerdicts, shownReview } from './sources.ts';

/** The score of a deck as people see it. */
export interface JudgedScore {
  readonly deckId: string;
  readonly score: number | null;
  readonly scored: number;
  readonly asked: number;
}

interface Override {
  readonly deckId: string;
  readonly analysisId: string;
  readonly subject: string;
  readonly score: number;
}

/** Scores of those of these decks that people scored. */
export async function judgedScores(
  tx: Transaction,
  tenantId: string,
  deckIds: readonly string[],
): Promise<JudgedScore[]> {
  const overrides = await tx.$queryRaw<Override[]>`
    SELECT d."id" AS "deckId", shown."id" AS "analysisId", v."subject", v."score"
    FROM "Deck" d JOIN ${shownReview} shown ON true JOIN LATERAL ${heldVerdicts} v ON v."kind" = 'score'
    WHERE d."id" = ANY(${deckIds}) AND d."tenantId" = ${tenantId} AND v."score" IS NOT NULL`;
  if (overrides.length === 0) return [];
  const analyses = await tx.analysis.findMany({
    where: { tenantId, id: { in: [...new Set(overrides.map(({ analysisId }) => analysisId))] } },
    select: {
      deckId: true,
      overallScore: true,
      answers: { select: { questionId: true, score: true } },
      chapterScores: { select: { chapterId: true, score: true, scored: true, asked: true } },
      templateVersion: { select: { chapters: { include: { questions: true } } } },
    },
  });
  return analyses.map(({ deckId, overallScore, answers, chapterScores, templateVersion }) => {
    const scoreOf = new Map(answers.map(({ questionId, score }) => [questionId, score]));
    const chapters = (templateVersion?.chapters ?? []).map((chapter): ScoredChapter => {
      const rolled = chapterScores.find(({ chapterId }) => chapterId === chapter.id);
      return {
        slug: chapter.slug,
        weight: chapter.weight,
        score: rolled?.score ?? null,
        scored: rolled?.scored ?? 0,
        asked: rolled?.asked ?? chapter.questions.length,
        questions: chapter.questions.map(({ id, slug, weight }) => ({ slug, weight, score: scoreOf.get(id) ?? null })),
      };
    });
    const said = overrides.filter((override) => override.deckId === deckId);
    const { overall } = effectiveScores(chapters, overallScore, scoresBySlug(said));
    return { deckId, score: overall.score, scored: overall.scored, asked: overall.asked };
  });
}

/** People's scores by the slug of the question. */
const scoresBySlug = (overrides: readonly Override[]): ReadonlyMap<string, number> =>
  new Map(
    overrides.flatMap(({ subject, score }) => {
      const parts = subjectParts(subject);
      return parts?.of === 'question' ? [[parts.slug, score]] : [];
    }),
  );
