/** What the coming days are expected to bring and to cost, against the month's budget, and what warming ahead would come to. */
import { readCostForecast, type CostForecast, type ForecastPool } from '../../activities/costs/report/forecast.ts';
import { providersOfPool, STATIC } from '../../clouds/fleet.ts';
import { loadFleet } from '../../clouds/fleet-file.ts';
import { providerEntry } from '../../clouds/providers.ts';
import { LEAST_HISTORY_DAYS } from '../../domain/costs/forecast/days.ts';
import type { Replay } from '../../domain/fleet/prewarm/replay.ts';
import type { RouteDeps } from '../context.ts';
import { group } from '../http/routes.ts';
import { type CostForecastDocument, forecastRoute } from './forecast-schemas.ts';

/** The route of the forecast. */
export const costForecastRoutes = group(({ db, config }, routes) => {
  routes.openapi(forecastRoute, async (c) => {
    const { days } = c.req.valid('query');
    const { timezone } = loadFleet(config).accounting;
    const asked = { timezone, setups: poolsOf(config), nowMs: Date.now() };
    return c.json(documentOf(await readCostForecast(db, days, asked)), 200);
  });
});

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
