/** Checks that ask the running API: whether a key is good, and whether alerts are open. */
import { existsSync, statSync } from 'node:fs';
import type { DeckhandClient } from '../../api/client.ts';
import { clientOf } from '../../api/client/home-client.ts';
import { ALERT_SCHEDULE_ID } from '../../contracts/alerts.ts';
import { asDeckhandError } from '../../domain/errors.ts';
import { durationWords } from '../../domain/text/words.ts';
import type { Config } from '../../platform/config.ts';
import { ownKeyPath } from '../../platform/own-api-key.ts';
import { readControlFile, runningApiUrl } from '../../platform/runtime-info.ts';
import type { Check } from './check.ts';

const ANSWER_LIMIT_MS = 2_000;
const OTHERS_MAY_READ = 0o077;

/** Asks the API, where one runs, whether the key is good. */
export async function checkApiKeys(config: Config): Promise<Check> {
  const base = { name: 'API keys', required: false, neededFor: 'the API' } as const;
  if (config.auth === 'open') {
    const hint =
      'Every program that can connect to this machine’s loopback is an operator. Unset DECKHAND_AUTH to ask for keys.';
    return { ...base, status: 'note', found: 'off (DECKHAND_AUTH=open)', hint };
  }
  const path = ownKeyPath(config.home);
  const source = config.apiKey === undefined ? path : 'DECKHAND_API_KEY';
  if (config.apiKey === undefined && existsSync(path) && (statSync(path).mode & OTHERS_MAY_READ) !== 0) {
    return { ...base, status: 'note', found: `on; others may read ${path}`, hint: `chmod 600 ${path}` };
  }
  if (config.apiUrl === undefined && readControlFile(config.home) === undefined) {
    const found = config.apiKey !== undefined || existsSync(path) ? `on; ${source}` : 'on; the first start makes one';
    return { ...base, status: 'ok', found };
  }
  try {
    if (config.apiKey === undefined && !existsSync(path)) {
      // An answer without a key: what runs was started so, as the demo is.
      await clientOf(config, runningApiUrl(config)).GET('/session', { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) });
      const hint = 'Every program that can connect to this machine’s loopback is an operator while it runs.';
      return { ...base, status: 'note', found: 'off: the API that runs asks for none', hint };
    }
    const { role, name } = await clientOf(config, runningApiUrl(config)).GET('/session', {
      signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
    });
    return { ...base, status: 'ok', found: `on; ${source} is a key of the role ${role} (${name})` };
  } catch (thrown) {
    const { userMessage, hint } = asDeckhandError(thrown);
    return { ...base, status: 'note', found: `on; ${source}: ${userMessage}`, ...(hint === undefined ? {} : { hint }) };
  }
}

/** Alerts that are read to count the critical ones. */
const READ = 200;
/** Rounds come every minute unless configured otherwise; longer without one is reported. */
const QUIET_MS = 15 * 60_000;

/** Why there are no rounds, as far as the API tells: the schedule is paused, or no control worker runs. */
async function whyQuiet(client: DeckhandClient): Promise<string> {
  const unknown = 'Does the control process run? The schedule `alerts` in the Temporal UI says when it last did.';
  try {
    const schedules = (await client.GET('/schedules', { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) })).items;
    const rounds = schedules.find(({ id }) => id === ALERT_SCHEDULE_ID);
    if (rounds?.paused !== true) return unknown;
    const note = rounds.note === null ? '' : ` (${rounds.note})`;
    return `Their schedule is paused${note}. Let it go on: deckhand schedules resume ${ALERT_SCHEDULE_ID}`;
  } catch {
    // Temporal does not answer: then no process that looks for alerts gets any work.
    return unknown;
  }
}

/** Nothing where no API runs, or where the key does not reach: the check of the keys says so. */
export async function checkAlerts(config: Config): Promise<readonly Check[]> {
  if (config.apiUrl === undefined && readControlFile(config.home) === undefined) return [];
  const base = { name: 'alerts', required: false, neededFor: 'knowing what is wrong' } as const;
  try {
    const client = clientOf(config, runningApiUrl(config));
    const { open, items, judgedAt } = await client.GET('/alerts', {
      params: { query: { limit: READ } },
      signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
    });
    const quietMs = judgedAt === null ? null : Date.now() - Date.parse(judgedAt);
    if (quietMs !== null && quietMs > QUIET_MS) {
      const found = `not looked for in ${durationWords(quietMs)}`;
      return [{ ...base, status: 'note', found, hint: await whyQuiet(client) }];
    }
    if (open === 0) return [{ ...base, status: 'ok', found: quietMs === null ? 'none looked for yet' : 'none open' }];
    const critical = items.filter(({ severity }) => severity === 'critical').length;
    const found = `${open} open${critical === 0 ? '' : `, ${critical} critical`}`;
    return [{ ...base, status: 'note', found, hint: 'What they are and what to do: deckhand alerts' }];
  } catch {
    return [];
  }
}
