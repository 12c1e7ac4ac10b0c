/** The targets over a period, read and judged. */
import { judgeTargets } from '../../domain/metrics/targets.ts';
import { loadFleet } from '../../clouds/fleet-file.ts';
import type { RouteDeps } from '../context.ts';
import { readTargetFacts } from '../../activities/metrics/targets.ts';
import { spanOf } from './period.ts';
import type { PeriodQuery, TargetList } from './schemas.ts';

/** See the file's header. @throws DeckhandError `invalid_request` for what is no period */
export async function loadTargets(
  { db, config }: Pick<RouteDeps, 'db' | 'config'>,
  query: PeriodQuery,
  now: Date,
): Promise<TargetList> {
  const { targets, accounting } = loadFleet(config);
  const { timezone } = accounting;
  const span = spanOf(query, timezone, now);
  const facts = await readTargetFacts(db, span, config.slaMs, now);
  const settings = { ...targets, slaMs: config.slaMs };
  const items = judgeTargets(facts, settings, { fromMs: span.from.getTime(), untilMs: span.until.getTime() });
  return { from: span.from.toISOString(), until: span.until.toISOString(), timezone, items };
}
