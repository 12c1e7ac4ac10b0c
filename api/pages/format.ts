/** Which form of a document a request wants: `?format=` or the Accept header. */
import type { Context } from 'hono';
import { accepts } from 'hono/accepts';

/** Forms of a review and of a comparison. */
export const FORMATS = ['json', 'md', 'html'] as const;
/** Forms of a cost report and of tables of costs. */
export const REPORT_FORMATS = [...FORMATS, 'csv'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

const TYPES: Readonly<Record<ReportFormat, string>> = {
  json: 'application/json',
  md: 'text/markdown',
  html: 'text/html',
  csv: 'text/csv',
};

/** Content type of Markdown answers. */
export const MARKDOWN = { 'content-type': 'text/markdown; charset=utf-8' } as const;

/** The form to answer in, one of `formats`; JSON when the request asks for none of them. */
export function formatOf<F extends ReportFormat>(c: Context, asked: F | undefined, formats: readonly F[]): F | 'json' {
  if (asked !== undefined) return asked;
  const type = accepts(c, { header: 'Accept', supports: formats.map((format) => TYPES[format]), default: TYPES.json });
  return formats.find((format) => TYPES[format] === type) ?? 'json';
}
