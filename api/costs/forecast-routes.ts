/** What the coming days are expected to bring and to cost, against the month's budget, and what warming ahead would come to. */
import { createRoute, z } from '@hono/zod-openapi';
import { readCostForecast, type CostForecast, type ForecastPool } from '../../activities/costs/report/forecast.ts';
import { providersOfPool, STATIC } from '../../clouds/fleet.ts';
import { loadFleet } from '../../clouds/fleet-file.ts';
import { providerEntry } from '../../clouds/providers.ts';
import { LEAST_HISTORY_DAYS } from '../../domain/costs/forecast/days.ts';
import { amountSchema, costReportSchema } from '../../domain/costs/report/document.ts';
import { PREWARM_MODES } from '../../domain/fleet/pool/pool-config.ts';
import { OUTLOOK_VERDICTS } from '../../domain/fleet/prewarm/outlook.ts';
import type { Replay } from '../../domain/fleet/prewarm/replay.ts';
import type { RouteDeps } from '../context.ts';
import { createRoutes, json, problems, type Routes } from '../http/routes.ts';

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

const forecastRoute = createRoute({
  method: 'get',
  path: '/costs/forecast',
  summary: 'Expected decks, machine hours and costs of the coming days, and the month against its budget.',
  description:
    'For operators. Also says for each pool what warming instances ahead of decks would have come to lately.',
  request: { query: z.object({ days: z.coerce.number().int().min(1).max(MOST_DAYS).default(7) }) },
  responses: { 200: json(forecastSchema, 'The forecast.'), ...problems(400, 403) },
});

/** The route of the forecast. */
export function costForecastRoutes({ db, config }: RouteDeps): Routes {
  const routes = createRoutes();
  routes.openapi(forecastRoute, async (c) => {
    const { days } = c.req.valid('query');
    const { timezone } = loadFleet(config).accounting;
    const asked = { timezone, setups: poolsOf(config), nowMs: Date.now() };
    return c.json(documentOf(await readCostForecast(db, days, asked)), 200);
  });
  return routes;
}

/** Pools that may warm instances ahead: those that rent, for slides. */
function poolsOf(config: RouteDeps['config']): ForecastPool[] {
  const fleet = loadFleet(config);
  if (fleet.provider === STATIC) return [];
  return fleet.pools
    .filter(({ classes }) => classes.includes('gpu-visual'))
    .map((pool) => {
      const [provider = fleet.provider] = providersOfPool(pool, fleet.provider);
      return { config: pool, capabilities: providerEntry(provider).capabilities, slots: config.modelConcurrency };
    });
}

function documentOf({
  timezone,
  forecast,
  historyDays,
  month,
  softUsd,
  hardUsd,
  pools,
}: CostForecast): CostForecastDocument {
  return {
    timezone,
    historyDays,
    leastHistoryDays: LEAST_HISTORY_DAYS,
    days: [...(forecast?.days ?? [])],
    total: forecast?.total ?? null,
    month: { ...month, softUsd: softUsd?.toFixed() ?? null, hardUsd: hardUsd?.toFixed() ?? null },
    prewarm: pools.map(({ pool, mode, outlook: { verdict, words, windows }, replay }) => ({
      pool,
      mode,
      verdict,
      words,
      replay: replay === null ? null : replayDocument(replay),
      next: windows.map(({ readyAtMs, chance, gainUsd }) => ({ readyAt: iso(readyAtMs), chance, gainUsd })),
    })),
  };
}

function replayDocument(replay: Replay): NonNullable<CostForecastDocument['prewarm'][number]['replay']> {
  const { fromMs, untilMs, warmed, hits, misses, savedSec, savedUsd, costUsd, netUsd, regretUsd } = replay;
  const sums = { savedUsd, costUsd, netUsd, regretUsd };
  const counts = { warmed: warmed.length, hits, misses, savedSec: Math.round(savedSec) };
  return { from: iso(fromMs), until: iso(untilMs), ...counts, ...sums };
}

const iso = (atMs: number): string => new Date(atMs).toISOString();
