/** Does the API ask for keys, and which one would a command here show? */
import { existsSync, statSync } from 'node:fs';
import { asDeckhandError } from '../../domain/errors.ts';
import type { Config } from '../../platform/config.ts';
import { ownKeyPath } from '../../platform/own-api-key.ts';
import { readControlFile } from '../../platform/runtime-info.ts';
import { clientOf } from '../../api/client/home-client.ts';
import { runningApiUrl } from '../../platform/runtime-info.ts';
import type { Check } from './check.ts';

const ANSWER_LIMIT_MS = 2_000;
const OTHERS_MAY_READ = 0o077;

/** Asks the API, where one runs, whether the key is good. */
export async function checkApiKeys(config: Config): Promise<Check> {
  const base = { name: 'API keys', required: false, neededFor: 'the API' } as const;
  if (config.auth === 'open') {
    const hint =
      'Whoever can open a connection to this machine’s loopback is an operator. Unset DECKHAND_AUTH to ask for keys.';
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
      await clientOf(config, runningApiUrl(config)).session(AbortSignal.timeout(ANSWER_LIMIT_MS));
      const hint = 'Whoever can open a connection to this machine’s loopback is an operator while it runs.';
      return { ...base, status: 'note', found: 'off: the API that runs asks for none', hint };
    }
    const { role, name } = await clientOf(config, runningApiUrl(config)).session(AbortSignal.timeout(ANSWER_LIMIT_MS));
    return { ...base, status: 'ok', found: `on; ${source} is a key of the role ${role} (${name})` };
  } catch (thrown) {
    const { userMessage, hint } = asDeckhandError(thrown);
    return { ...base, status: 'note', found: `on; ${source}: ${userMessage}`, ...(hint === undefined ? {} : { hint }) };
  }
}
