/** Which form of a table of costs or a cost report a request wants: `?format=` or the Accept header. */
import type { Context } from 'hono';
import { accepts } from 'hono/accepts';

export const REPORT_FORMATS = ['json', 'md', 'html', 'csv'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

const FORMAT_OF_TYPE: Readonly<Record<string, ReportFormat>> = {
  'application/json': 'json',
  'text/markdown': 'md',
  'text/html': 'html',
  'text/csv': 'csv',
};

/** The form to answer in; JSON when nothing else is asked for. */
export function reportFormatOf(c: Context, asked: ReportFormat | undefined): ReportFormat {
  if (asked !== undefined) return asked;
  const type = accepts(c, { header: 'Accept', supports: Object.keys(FORMAT_OF_TYPE), default: 'application/json' });
  return FORMAT_OF_TYPE[type] ?? 'json';
}
