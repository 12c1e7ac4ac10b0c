/** The report of an analysis as JSON, and the review made of it as Markdown, HTML or PDF, by `?format=` or the Accept header. */
import { renderPdf } from '../../document/pdf/render.ts';
import { group } from '../../http/routes.ts';
import { answerDocument } from '../../pages/answer.ts';
import { formatOf, REVIEW_FORMATS } from '../../pages/format.ts';
import { attachment } from '../files/attachment.ts';
import { loadReviewContext } from './context.ts';
import { referredSlides } from './document/closing.ts';
import { reviewDocument } from './document/review-document.ts';
import { loadReport } from './load.ts';
import { slidePictures } from './pictures.ts';
import { reportRoute } from './schemas.ts';

/** The route of reports. */
export const reportRoutes = group((deps, routes) => {
  const { db, config } = deps;
  routes.openapi(reportRoute, async (c) => {
    const { format, images } = c.req.valid('query');
    const tenantId = c.get('tenantId');
    const report = await loadReport(db, tenantId, c.req.valid('param').id, config.answering);
    const form = formatOf(c, format, REVIEW_FORMATS);
    if (form === 'json') return c.json(report, 200);
    const review = reviewDocument(report, await loadReviewContext(db, tenantId, report));
    if (form === 'md') return answerDocument(c, review, form);
    const deck = { tenantId, deckId: report.deck.id };
    const pictures =
      images === 'none' ? new Map<number, Uint8Array>() : await slidePictures(deps, deck, referredSlides(report));
    if (form === 'html') return answerDocument(c, review, form, pictures);
    const name = review.title.replace(':', '');
    return c.body(Uint8Array.from(await renderPdf(review, pictures)), 200, {
      'content-type': 'application/pdf',
      'content-disposition': attachment(name, '.pdf'),
    });
  });
});
