/** Which form of a document a request wants: `?format=` or the Accept header. */
import { accepts } from 'hono/accepts';
import type { Context } from 'hono';

export const FORMATS = ['json', 'md', 'html'] as const;
export type Format = (typeof FORMATS)[number];

const FORMAT_OF_TYPE: Readonly<Record<string, Format>> = {
  'application/json': 'json',
  'text/markdown': 'md',
  'text/html': 'html',
};

/** Content type of Markdown answers. */
export const MARKDOWN = { 'content-type': 'text/markdown; charset=utf-8' } as const;

/** The form to answer in; JSON when nothing else is asked for. */
export function formatOf(c: Context, asked: Format | undefined): Format {
  if (asked !== undefined) return asked;
  const type = accepts(c, { header: 'Accept', supports: Object.keys(FORMAT_OF_TYPE), default: 'application/json' });
  return FORMAT_OF_TYPE[type] ?? 'json';
}
