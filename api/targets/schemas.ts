/** What the routes of targets and performance take and give. */
import { z } from '@hono/zod-openapi';
import { PERFORMANCE_BUCKETS, PERFORMANCE_BY } from '../../domain/metrics/performance.ts';
import { TARGET_NAMES } from '../../domain/metrics/targets.ts';
import { json, problems, route } from '../http/definition.ts';

/** A period in words, or two instants. Without any of them: the last 30 days. */
export const periodQuerySchema = z.object({
  period: z
    .string()
    .max(80)
    .optional()
    .openapi({ description: 'Such as 2026-11, 2026-W47, 2026-11-22, 2026-11-01/2026-11-15, this-month, or 24h, 30d.' }),
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional(),
});
export type PeriodQuery = z.infer<typeof periodQuerySchema>;

const spanFields = {
  from: z.iso.datetime(),
  until: z.iso.datetime(),
  timezone: z.string(),
};

export const targetListSchema = z
  .object({
    ...spanFields,
    items: z.array(
      z.object({
        target: z.enum(TARGET_NAMES),
        title: z.string(),
        unit: z.enum(['seconds', 'ratio', 'usd']),
        value: z.number().nullable(),
        limit: z.object({ comparison: z.enum(['below', 'above', 'at_least']), value: z.number() }).nullable(),
        state: z.enum(['met', 'not_met', 'no_data', 'told']),
        samples: z.int(),
        sampleOf: z.string(),
      }),
    ),
  })
  .openapi('TargetList');
export type TargetList = z.infer<typeof targetListSchema>;

export const performanceQuerySchema = periodQuerySchema.extend({
  by: z.enum(PERFORMANCE_BY).default('stage'),
  bucket: z.enum(PERFORMANCE_BUCKETS).default('day'),
});

const figures = {
  stored: z.int(),
  failed: z.int(),
  cut: z.int(),
  meanSeconds: z.number().nullable(),
  failureRate: z.number().nullable(),
};

export const performanceSchema = z
  .object({
    ...spanFields,
    by: z.enum(PERFORMANCE_BY),
    bucket: z.enum(PERFORMANCE_BUCKETS),
    items: z.array(
      z.object({
        group: z.string(),
        ...figures,
        points: z.array(
          z.object({
            at: z.iso.datetime(),
            ...figures,
            medianSeconds: z.number().nullable(),
            p95Seconds: z.number().nullable(),
          }),
        ),
      }),
    ),
  })
  .openapi('Performance');
export type PerformanceDocument = z.infer<typeof performanceSchema>;

export const targetsRoute = route('get', '/targets', {
  summary: 'The targets over a period: met, not met, or no data, each with its figure and what it is made of.',
  request: { query: periodQuerySchema },
  responses: { 200: json(targetListSchema, 'All targets.'), ...problems(400) },
});

export const performanceRoute = route('get', '/performance', {
  summary: 'How long model calls took and how many failed, over time, by model, task or stage.',
  request: { query: performanceQuerySchema },
  responses: { 200: json(performanceSchema, 'One series for each group.'), ...problems(400) },
});
