/** Two analyses beside each other: what differs, as JSON or Markdown. A browser is led to the page of the workspace. */
import { compareReports } from '../../../domain/decks/compare/compare-reports.ts';
import type { Comparison } from '../../../domain/decks/compare/comparison.ts';
import type { AnalysisReport } from '../../../domain/decks/report.ts';
import { DeckhandError } from '../../../domain/errors.ts';
import { MODEL_TASK_NAMES } from '../../../domain/models/model-tasks.ts';
import { editionOf, type EditionMark } from '../../../domain/decks/replay/edition.ts';
import { loadMarks } from '../../../activities/models/analysis-context.ts';
import type { RouteDeps } from '../../context.ts';
import { answerDocument } from '../../pages/answer.ts';
import { FORMATS, formatOf } from '../../pages/format.ts';
import { loadReport } from '../report/load.ts';
import { comparisonDocument } from './document.ts';
import { group } from '../../http/routes.ts';
import { compareRoute } from './schemas.ts';

/** Compares two analyses of a tenant. @throws DeckhandError `not_found`; `conflict` for different decks unless they may differ */
async function compareAnalyses(
  { db, config }: Pick<RouteDeps, 'db' | 'config'>,
  tenantId: string,
  ids: { readonly a: string; readonly b: string },
  anyDeck: boolean,
): Promise<Comparison> {
  const load = (id: string): Promise<AnalysisReport> => loadReport(db, tenantId, id, config.answering);
  const [a, b] = await Promise.all([load(ids.a), load(ids.b)]);
  if (a.deck.id !== b.deck.id && !anyDeck) {
    throw new DeckhandError('conflict', `analyses ${ids.a} and ${ids.b} are of different decks`, {
      userMessage: `These are analyses of different decks (${a.deck.fileName} and ${b.deck.fileName}).`,
      hint: 'Compare them all the same with ?anyDeck=true (on the command line: --any-deck).',
    });
  }
  return compareReports(a, b, await tasksOfOtherEdition(db, ids));
}

/** Tasks that the two have results of different editions of: a replay computed them anew for one of them, or for each by itself. */
async function tasksOfOtherEdition(
  db: RouteDeps['db'],
  ids: { readonly a: string; readonly b: string },
): Promise<ReadonlySet<string>> {
  const marks = async (id: string): Promise<EditionMark[]> =>
    loadMarks(db, await db.analysis.findUniqueOrThrow({ where: { id } }));
  const [ofA, ofB] = await Promise.all([marks(ids.a), marks(ids.b)]);
  return new Set(MODEL_TASK_NAMES.filter((task) => editionOf(task, ofA) !== editionOf(task, ofB)));
}

/** The route of comparisons. */
export const compareRoutes = group((deps, routes) => {
  routes.openapi(compareRoute, async (c) => {
    const { format, anyDeck } = c.req.valid('query');
    const { a, b } = c.req.valid('param');
    const form = formatOf(c, format, FORMATS);
    if (form === 'html')
      return c.redirect(`/compare?${new URLSearchParams({ analyses: `${a},${b}` }).toString()}`, 303);
    const comparison = await compareAnalyses(deps, c.get('tenantId'), { a, b }, anyDeck === 'true');
    return form === 'json' ? c.json(comparison, 200) : answerDocument(c, comparisonDocument(comparison), 'md');
  });
});
