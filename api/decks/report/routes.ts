/** The report of an analysis as JSON, Markdown or one self-contained HTML page, by `?format=` or the Accept header. */
import { createRoute, z } from '@hono/zod-openapi';
import type { OpenAPIHono } from '@hono/zod-openapi';
import { analysisReportSchema } from '../../../domain/decks/report.ts';
import type { ApiEnv, RouteDeps } from '../../context.ts';
import { idParam } from '../schemas.ts';
import { problems } from '../../http/problem.ts';
import { createRoutes } from '../../http/validated.ts';
import { FORMATS, formatOf, MARKDOWN } from './format.ts';
import { renderHtml } from './html.ts';
import { loadSlideImages } from './images.ts';
import { loadReport } from './load.ts';
import { renderMarkdown } from './markdown.ts';
import { CONTENT_SECURITY } from './page.ts';

/** The domain's schema, named for the document. Made anew: whether the original knows `openapi` depends on which file was loaded first. */
const reportDocumentSchema = z.object(analysisReportSchema.shape).openapi('AnalysisReport');

const reportRoute = createRoute({
  method: 'get',
  path: '/analyses/{id}/report',
  summary: 'The report: what is stored so far, complete when the analysis is finished.',
  request: {
    params: idParam,
    query: z.object({
      format: z.enum(FORMATS).optional().openapi({ description: 'Instead of an Accept header.' }),
      images: z.enum(['embed', 'none']).default('embed').openapi({ description: 'Slide pictures in the HTML page.' }),
    }),
  },
  responses: {
    200: {
      description: 'The report.',
      content: {
        'application/json': { schema: reportDocumentSchema },
        'text/markdown': { schema: z.string() },
        'text/html': { schema: z.string() },
      },
    },
    ...problems(400, 404),
  },
});

/** The route of reports. */
export function reportRoutes({ db, blobs, log }: RouteDeps): OpenAPIHono<ApiEnv> {
  const routes = createRoutes();
  routes.openapi(reportRoute, async (c) => {
    const { format, images } = c.req.valid('query');
    const tenantId = c.get('tenantId');
    const report = await loadReport(db, tenantId, c.req.valid('param').id);
    c.header('vary', 'accept');
    c.header('cache-control', 'no-store');
    switch (formatOf(c, format)) {
      case 'json':
        return c.json(report, 200);
      case 'md':
        return c.body(renderMarkdown(report), 200, MARKDOWN);
      case 'html': {
        const pictures =
          images === 'none' ? new Map<number, string>() : await loadSlideImages({ db, blobs, log }, tenantId, report);
        c.header('content-security-policy', CONTENT_SECURITY);
        return c.html(renderHtml(report, pictures), 200);
      }
    }
  });
  return routes;
}
