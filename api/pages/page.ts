/** The frame of every HTML page that is made for reading: self-contained, no script, no request to anywhere. */
import { html, raw } from 'hono/html';
import { DeckhandError } from '../../domain/errors.ts';
import type { Language } from '../../domain/models/model-tasks.ts';
import { REPORT_STYLE } from './style.ts';

/** A finished piece of escaped HTML. */
export type Markup = ReturnType<typeof html>;

/** What a browser may do with such a page: show it. */
export const CONTENT_SECURITY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Text of markup that is complete; ours has no parts that come later. */
function finished(markup: Markup): string {
  if (markup instanceof Promise) throw new DeckhandError('internal', 'the page has an unfinished part');
  return markup.toString();
}

/**
 * A whole page.
 *
 * @param style our own style sheet on top of the report's; put in raw
 */
export function htmlPage(page: {
  readonly language: Language;
  readonly title: string;
  readonly body: Markup;
  readonly style?: string;
}): string {
  return finished(
    html`<!doctype html>
      <html lang="${page.language}">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="referrer" content="no-referrer" />
          <title>${page.title}</title>
          <style>
            ${raw(REPORT_STYLE + (page.style ?? ''))}
          </style>
        </head>
        <body>
          ${page.body}
        </body>
      </html>`,
  );
}
