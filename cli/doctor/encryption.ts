/** The check of encryption: on or off, with how many keys, and who may read them. */
import { asDeckhandError } from '../../domain/errors.ts';
import type { Config } from '../../platform/config.ts';
import { encryptionStatus } from '../../platform/temporal/encryption-status.ts';
import type { Check } from './check.ts';

/** Whether what Temporal holds is encrypted, and by keys that can be used. */
export function checkEncryption(config: Config): Check {
  const base = { name: 'encryption', required: true, neededFor: 'keeping decks from whoever reads Temporal' } as const;
  try {
    const { encryption, source, file, keys, readableByOthers } = encryptionStatus(config);
    const counted = keys.length === 1 ? '1 key' : `${keys.length} keys`;
    const found = `${encryption}, ${counted} in ${source === 'file' ? file : source}`;
    if (encryption === 'off') {
      return { ...base, status: 'note', found, hint: 'Unset DECKHAND_ENCRYPTION: what Temporal holds is in clear.' };
    }
    if (readableByOthers) return { ...base, status: 'note', found, hint: `Others may read them: chmod 600 ${file}` };
    return { ...base, status: 'ok', found };
  } catch (error) {
    const { message, hint } = asDeckhandError(error);
    return { ...base, status: 'missing', found: message, ...(hint === undefined ? {} : { hint }) };
  }
}
