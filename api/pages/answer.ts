/** Answers with documents. Apart from their formats, which definitions of routes name: programs of the browser read those. */
import type { Context } from 'hono';
import type { Document } from '../document/blocks.ts';
import { DOCUMENT_STYLE, renderHtml } from '../document/html.ts';
import { renderMarkdown } from '../document/markdown.ts';
import { documentContentSecurity } from './content-security.ts';

/** Answers with a document in one of its forms. @param images of slides, in the page */
export function answerDocument(
  c: Context,
  document: Document,
  form: 'md' | 'html',
  images?: ReadonlyMap<number, Uint8Array>,
) {
  if (form === 'md') {
    return c.body(renderMarkdown(document), 200, { 'content-type': 'text/markdown; charset=utf-8' });
  }
  c.header('content-security-policy', documentContentSecurity({ style: DOCUMENT_STYLE }));
  return c.html(renderHtml(document, images), 200);
}
