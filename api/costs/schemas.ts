/** Documents of the cost routes. */
import { z } from '@hono/zod-openapi';
import { BREAKDOWNS, kindsSchema, type Costs, type Breakdown } from '../../activities/costs/report/breakdown.ts';
import { amountSchema, costReportSchema, type CostReport } from '../../domain/costs/report/document.ts';
import { REPORT_KINDS, type ReportPeriod } from '../../domain/costs/report/period.ts';
import { LEDGER_CURRENCY } from '../../domain/costs/ledger/facts.ts';
import type { CostReport as CostReportRow } from '../../generated/prisma/client.ts';
import { formatParam } from '../pages/format.ts';
import { documentOf, jsonOr, named, problems, route, texts } from '../http/definition.ts';

/** Lines of one answer at most. */
export const MOST_LINES = 10_000;

export const costsSchema = z
  .object({
    by: z.enum(BREAKDOWNS),
    /** A tenant, or * for the installation. */
    scope: z.string(),
    from: z.iso.datetime(),
    /** The first instant after it. */
    until: z.iso.datetime(),
    timezone: z.string(),
    currency: z.string(),
    /** Exact decimals, as all amounts. */
    totalUsd: amountSchema,
    kinds: kindsSchema,
    items: z.array(
      z.object({
        /** Date, task, deck, analysis or tenant; null for time without an owner, and for deleted documents. */
        key: z.string().nullable(),
        /** File name of a deck of one's own tenant. */
        name: z.string().nullable(),
        /** Whose a document or an analysis is. */
        tenantId: z.string().nullable(),
        usd: amountSchema,
        hours: z.number(),
        kinds: kindsSchema,
      }),
    ),
    /** Number and sum of the lines that were left out. */
    more: z.int(),
    moreUsd: amountSchema,
  })
  .openapi('Costs');
export type CostsDocument = z.infer<typeof costsSchema>;

export const costReportDocumentSchema = named(costReportSchema, 'CostReport');

export const costReportLineSchema = z
  .object({
    id: z.string(),
    kind: z.enum(REPORT_KINDS),
    period: z.string(),
    scope: z.string(),
    from: z.iso.datetime(),
    until: z.iso.datetime(),
    timezone: z.string(),
    currency: z.string(),
    totalUsd: amountSchema,
    /** Nothing of the period is missing in it. */
    complete: z.boolean(),
    createdAt: z.iso.datetime(),
    /** When it was last made. */
    updatedAt: z.iso.datetime(),
  })
  .openapi('CostReportLine');
export type CostReportLine = z.infer<typeof costReportLineSchema>;

export const costReportPageSchema = z
  .object({ items: z.array(costReportLineSchema), nextCursor: z.string().nullable() })
  .openapi('CostReportPage');
export type CostReportPage = z.infer<typeof costReportPageSchema>;

/** A request for a report. */
export const makeReportSchema = z.strictObject({
  period: z.string().min(1).max(100).openapi({
    description: '2026-03-29, 2026-W13, 2026-03, 2026-03-01/2026-03-15 (both days), yesterday, last-week, last-month.',
  }),
  again: z.boolean().default(false).openapi({ description: 'Make it again even if there is a complete one.' }),
});

/** The document of costs. @param names file names by deck, of one's own tenant */
export function costsDocument(
  costs: Costs,
  {
    by,
    scope,
    period,
    names,
  }: {
    readonly by: Breakdown;
    readonly scope: string;
    readonly period: ReportPeriod;
    readonly names: ReadonlyMap<string, string>;
  },
): CostsDocument {
  return documentOf(costsSchema, {
    ...costs,
    by,
    scope,
    from: new Date(period.fromMs),
    until: new Date(period.untilMs),
    timezone: period.timezone,
    currency: LEDGER_CURRENCY,
    items: costs.lines.map((line) => ({ ...line, name: names.get(line.key ?? '') ?? null })),
  });
}

/** A line of the list. */
export const costReportLine = (row: CostReportRow, { complete, kind }: CostReport): CostReportLine =>
  documentOf(costReportLineSchema, {
    ...row,
    kind,
    from: row.fromAt,
    until: row.untilAt,
    totalUsd: row.totalUsd.toFixed(),
    complete,
  });

export const COST_FORMATS = ['json', 'csv', 'html'] as const;
export const costsRoute = route('get', '/costs', {
  summary: 'Costs of a time range by day, task, document, analysis or tenant, from the current ledger.',
  description:
    'An operator sees the installation or any tenant, an analyst the own tenant. The HTML format is a page with charts for the whole range.',
  request: {
    query: z.object({
      from: z
        .string()
        .max(20)
        .optional()
        .openapi({ description: 'First local day; the first of this month by default.' }),
      to: z.string().max(20).optional().openapi({ description: 'Last local day, included; today by default.' }),
      by: z.enum(BREAKDOWNS).default('day'),
      tenant: z.string().min(1).max(100).optional(),
      limit: z.coerce.number<number>().int().min(1).max(MOST_LINES).default(200),
      format: formatParam(COST_FORMATS),
    }),
  },
  responses: {
    200: jsonOr(costsSchema, 'The costs.', texts('text/csv', 'text/html')),
    ...problems(400, 403, 404),
  },
});
