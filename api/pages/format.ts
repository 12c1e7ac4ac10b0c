/** Which form of a document a request wants, by `?format=` or the Accept header. */
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { accepts } from 'hono/accepts';

/** Forms of a comparison; as HTML it is a page of the workspace. */
export const FORMATS = ['json', 'md', 'html'] as const;
/** Forms of a review. */
export const REVIEW_FORMATS = [...FORMATS, 'pdf'] as const;
/** Forms of a cost report. */
export const REPORT_FORMATS = [...FORMATS, 'csv'] as const;
export type ReportFormat = (typeof REPORT_FORMATS | typeof REVIEW_FORMATS)[number];

const TYPES: Readonly<Record<ReportFormat, string>> = {
  json: 'application/json',
  md: 'text/markdown',
  html: 'text/html',
  csv: 'text/csv',
  pdf: 'application/pdf',
};

/** The parameter `format`. */
export const formatParam = <const F extends readonly ReportFormat[]>(formats: F) =>
  z.enum(formats).optional().openapi({ description: 'Instead of an Accept header.' });

/** The form to answer in, one of `formats`; JSON when the request asks for none of them. Sets the headers of such an answer. */
export function formatOf<F extends ReportFormat>(c: Context, asked: F | undefined, formats: readonly F[]): F | 'json' {
  c.header('vary', 'accept');
  c.header('cache-control', 'no-store');
  if (asked !== undefined) return asked;
  const type = accepts(c, { header: 'Accept', supports: formats.map((format) => TYPES[format]), default: TYPES.json });
  return formats.find((format) => TYPES[format] === type) ?? 'json';
}
