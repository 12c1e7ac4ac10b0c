/** Is an alert open, and does anybody look? Asked of the API where one runs. */
import { durationWords } from '../../domain/fleet/sleep/duration.ts';
import type { Config } from '../../platform/config.ts';
import { readControlFile } from '../../platform/runtime/runtime-info.ts';
import { clientOf } from '../api-client.ts';
import { runningApiUrl } from '../fleet/running-api.ts';
import type { Check } from './check.ts';

const ANSWER_LIMIT_MS = 2_000;
/** Alerts that are looked at to tell how bad it is. */
const READ = 200;
/** Rounds come every minute unless configured otherwise; longer without one is worth saying. */
const QUIET_MS = 15 * 60_000;

/** Nothing where no API runs, or where the key does not reach: the check of the keys says so. */
export async function checkAlerts(config: Config): Promise<readonly Check[]> {
  if (config.apiUrl === undefined && readControlFile(config.home) === undefined) return [];
  const base = { name: 'alerts', required: false, neededFor: 'knowing what is wrong' } as const;
  try {
    const client = clientOf(config, runningApiUrl(config));
    const { open, items, judgedAt } = await client.alerts({ limit: READ }, AbortSignal.timeout(ANSWER_LIMIT_MS));
    const quietMs = judgedAt === null ? null : Date.now() - Date.parse(judgedAt);
    if (quietMs !== null && quietMs > QUIET_MS) {
      const hint = 'Does the control process run? The schedule `alerts` in the Temporal UI says when it last did.';
      return [{ ...base, status: 'note', found: `not looked for in ${durationWords(quietMs)}`, hint }];
    }
    if (open === 0) return [{ ...base, status: 'ok', found: quietMs === null ? 'none looked for yet' : 'none open' }];
    const critical = items.filter(({ severity }) => severity === 'critical').length;
    const found = `${open} open${critical === 0 ? '' : `, ${critical} critical`}`;
    return [{ ...base, status: 'note', found, hint: 'What they are and what to do: deckhand alerts' }];
  } catch {
    return [];
  }
}
