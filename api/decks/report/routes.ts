/** The report of an analysis as JSON, Markdown or one self-contained HTML page, by `?format=` or the Accept header. */
import { createRoute, z } from '@hono/zod-openapi';
import { type AnalysisReport, analysisReportSchema } from '../../../domain/decks/report.ts';
import type { RouteDeps } from '../../context.ts';
import { formatOf, formatParam, FORMATS, jsonMarkdownOrHtml, MARKDOWN } from '../../pages/format.ts';
import { answerPage } from '../../pages/page.ts';
import { renderHtml } from './html.ts';
import { loadReport } from './load.ts';
import { renderMarkdown } from './markdown.ts';
import { readSlides } from './rows.ts';
import { createRoutes, idParam, problems, type Routes } from '../../http/routes.ts';

/** The domain's schema, named for the document. Made anew: whether the original knows `openapi` depends on which file was loaded first. */
const reportDocumentSchema = z.object(analysisReportSchema.shape).openapi('AnalysisReport');

const reportRoute = createRoute({
  method: 'get',
  path: '/analyses/{id}/report',
  summary: 'The report: what is stored so far, complete when the analysis is finished.',
  request: {
    params: idParam,
    query: z.object({
      format: formatParam(FORMATS),
      images: z.enum(['embed', 'none']).default('embed').openapi({ description: 'Slide pictures in the HTML page.' }),
    }),
  },
  responses: {
    200: jsonMarkdownOrHtml(reportDocumentSchema, 'The report.'),
    ...problems(400, 404),
  },
});

/** The route of reports. */
export function reportRoutes({ db, log, smallerImages }: RouteDeps): Routes {
  const routes = createRoutes();
  routes.openapi(reportRoute, async (c) => {
    const { format, images } = c.req.valid('query');
    const tenantId = c.get('tenantId');
    const report = await loadReport(db, tenantId, c.req.valid('param').id);
    switch (formatOf(c, format, FORMATS)) {
      case 'json':
        return c.json(report, 200);
      case 'md':
        return c.body(renderMarkdown(report), 200, MARKDOWN);
      case 'html': {
        const pictures =
          images === 'none'
            ? new Map<number, string>()
            : await loadSlideImages({ db, log, smallerImages }, tenantId, report);
        return answerPage(c, renderHtml(report, pictures));
      }
    }
  });
  return routes;
}

const WIDTH_PX = 640;
/** A page of a few megabytes still opens at once; of longer decks the slides that something refers to come first. */
const MAX_IMAGES = 80;
/** Pictures made at the same time. */
const PARALLEL = 4;

/** Numbers of the slides that the report refers to. */
function referredSlides(report: AnalysisReport): Set<number> {
  const evidence = [
    ...report.extractions.flatMap((e) => e.evidence),
    ...report.chapters.flatMap((c) => c.questions.flatMap((q) => q.evidence)),
    ...report.specialised.flatMap((s) => s.evidence),
  ];
  return new Set([...evidence, ...report.steering].map((e) => e.slide));
}

/**
 * Pictures by slide number. A picture that cannot be read is left out and logged: the page stands without it.
 */
async function loadSlideImages(
  { db, log, smallerImages }: Pick<RouteDeps, 'db' | 'log' | 'smallerImages'>,
  tenantId: string,
  report: AnalysisReport,
): Promise<Map<number, string>> {
  const referred = referredSlides(report);
  const slides = (await readSlides(db, tenantId, report.deck.id))
    .toSorted((a, b) => Number(referred.has(b.number)) - Number(referred.has(a.number)) || a.number - b.number)
    .slice(0, MAX_IMAGES);
  const images = new Map<number, string>();
  const next = slides.values();
  const worker = async (): Promise<void> => {
    for (const slide of next) {
      const { id, number, artefactBlobKey } = slide;
      if (artefactBlobKey === null) continue;
      try {
        const jpeg = await smallerImages.get({ id, tenantId, deckId: report.deck.id, artefactBlobKey }, WIDTH_PX);
        images.set(number, `data:image/jpeg;base64,${Buffer.from(jpeg).toString('base64')}`);
      } catch (error) {
        log.warn({ err: error, slide: slide.number }, 'a slide picture is missing from the report');
      }
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  return images;
}
