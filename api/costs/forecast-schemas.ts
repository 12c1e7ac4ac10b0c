/** Documents of the forecast of costs, and the definition of its route. */
import { z } from '@hono/zod-openapi';
import { amountSchema, costReportSchema } from '../../domain/costs/report/document.ts';
import { PREWARM_MODES } from '../../domain/fleet/pool/pool-config.ts';
import { OUTLOOK_VERDICTS } from '../../domain/fleet/prewarm/outlook.ts';
import { json, problems, route } from '../http/definition.ts';

/** Days that are forecast at most. */
const MOST_DAYS = 31;

const expectedSchema = z.object({
  mean: z.number(),
  /** Range of most days of the past; null where too few are known. */
  low: z.number().nullable(),
  high: z.number().nullable(),
});
const figures = { decks: expectedSchema, gpuHours: expectedSchema, usd: expectedSchema };

const replaySchema = z.object({
  from: z.iso.datetime(),
  until: z.iso.datetime(),
  warmed: z.int(),
  hits: z.int(),
  misses: z.int(),
  /** Waiting for machines that would have been saved, and what it is worth. */
  savedSec: z.int(),
  savedUsd: z.number(),
  costUsd: z.number(),
  netUsd: z.number(),
  /** How much more a clairvoyant would have gained. */
  regretUsd: z.number(),
});

const poolSchema = z.object({
  pool: z.string(),
  mode: z.enum(PREWARM_MODES),
  verdict: z.enum(OUTLOOK_VERDICTS),
  /** The verdict as a sentence. */
  words: z.string(),
  /** The rule over the last weeks; null where there is too little to replay. */
  replay: replaySchema.nullable(),
  /** Times of the next two hours at which an instance would be warm. */
  next: z.array(z.object({ readyAt: z.iso.datetime(), chance: z.number(), gainUsd: z.number() })),
});

const forecastSchema = z
  .object({
    timezone: z.string(),
    /** Whole days that the forecast goes by, 56 at most. */
    historyDays: z.int(),
    /** Fewer days than these say too little: then there are no figures. */
    leastHistoryDays: z.int(),
    days: z.array(z.object({ day: z.string(), ...figures })),
    /** Of all days; its range is that of sums over as many days in a row. */
    total: z.object(figures).nullable(),
    month: z.object({
      ...costReportSchema.shape.forecast.unwrap().shape,
      /** Caps of the installation for a month. */
      softUsd: amountSchema.nullable(),
      hardUsd: amountSchema.nullable(),
    }),
    prewarm: z.array(poolSchema),
  })
  .openapi('CostForecast');
export type CostForecastDocument = z.infer<typeof forecastSchema>;

export const forecastRoute = route('get', '/costs/forecast', {
  summary: 'Expected decks, machine hours and costs of the coming days, and the month against its budget.',
  description:
    'For operators. Also says for each pool what warming instances ahead of decks would have come to lately.',
  request: { query: z.object({ days: z.coerce.number<number>().int().min(1).max(MOST_DAYS).default(7) }) },
  responses: { 200: json(forecastSchema, 'The forecast.'), ...problems(400, 403) },
});
