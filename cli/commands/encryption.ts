/**
 * `deckhand encryption`: which keys encrypt what Temporal holds, a new key, and a key for several machines. Works on the data directory
 * itself: keys are never sent over the API, and running processes reload the file.
 */
import type { Command } from 'commander';
import { DeckhandError } from '../../domain/errors.ts';
import { loadConfig } from '../../platform/config.ts';
import type { EncryptionStatus } from '../../platform/temporal/encryption-status.ts';
import { type JsonOption, printResult, printingCommand } from '../terminal/output.ts';

export function registerEncryption(program: Command): void {
  const encryption = program
    .command('encryption')
    .description('see and rotate the keys that encrypt what Temporal holds');
  printingCommand(encryption, 'status', 'whether encryption is on, and which keys there are').action(status);
  printingCommand(encryption, 'rotate', 'add a new key that encrypts from now on; older ones stay and decrypt').action(
    rotate,
  );
  printingCommand(
    encryption,
    'key',
    'print a new entry for DECKHAND_PAYLOAD_KEYS, for a deployment over several machines',
  ).action(key);
}

async function status(options: JsonOption): Promise<void> {
  const { encryptionStatus } = await import('../../platform/temporal/encryption-status.ts');
  const found = encryptionStatus(loadConfig());
  printResult(options, found, () => statusLines(found).join('\n'));
}

function statusLines({ encryption, source, file, keys, readableByOthers }: EncryptionStatus): string[] {
  const place = source === 'file' ? `in ${file}` : `in ${source}`;
  return [
    encryption === 'on'
      ? 'Encryption is on.'
      : 'Encryption is off (DECKHAND_ENCRYPTION=off): Temporal holds payloads unencrypted.',
    keys.length === 0
      ? `There is no key yet: the first one is made ${place} when something is encrypted.`
      : `Keys ${place}:`,
    ...keys.map(({ id, createdAt }, index) => {
      const role = index === 0 && encryption === 'on' ? 'encrypts and decrypts' : 'decrypts';
      return `  ${id}  ${role}${createdAt === null ? '' : `, made ${createdAt}`}`;
    }),
    ...(readableByOthers ? [`Others may read ${file}: chmod 600 ${file}`] : []),
  ];
}

async function rotate(options: JsonOption): Promise<void> {
  const { rotateKeyFile } = await import('../../platform/temporal/key-file.ts');
  const { encryptionStatus } = await import('../../platform/temporal/encryption-status.ts');
  const { ensureHome } = await import('../../platform/config.ts');
  const config = loadConfig();
  if (config.payloadKeys !== undefined) {
    throw new DeckhandError('usage', 'DECKHAND_PAYLOAD_KEYS is set', {
      userMessage: 'The keys come from DECKHAND_PAYLOAD_KEYS, which this command cannot change.',
      hint: 'Put the entry that `deckhand encryption key` prints behind the others on every machine and restart, then move it to the front and restart again.',
    });
  }
  ensureHome(config);
  const { id } = await rotateKeyFile(config.home);
  const { keys, file } = encryptionStatus(config);
  const others = keys.length === 1 ? 'It is the only key' : `The ${keys.length - 1} older keys still decrypt`;
  printResult(
    options,
    { id, file, keys: keys.length },
    () => `Key ${id} encrypts from now on; running processes load it within seconds.\n${others}. Back up ${file}.`,
  );
}

async function key(options: JsonOption): Promise<void> {
  const { keyEntry, makePayloadKey } = await import('../../platform/temporal/key-ring.ts');
  const made = makePayloadKey();
  printResult(options, { id: made.id, entry: keyEntry(made) }, () => keyEntry(made));
}
