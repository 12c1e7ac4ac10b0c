/**
 * Calls on SSH keys and startup scripts.
 */
import { z } from 'zod';
import { command, create, getOne, listAll, segment } from '../http/reading.ts';
import type { Transport } from '../http/transport.ts';
import { id, nullableText, nullableTime, text } from '../schemas/lenient.ts';

export const sshKeySchema = z.looseObject({ id, name: text, key: z.string().catch(''), fingerprint: nullableText });

export const scriptSchema = z.looseObject({ id, name: text, script: z.string().catch(''), created_at: nullableTime });

/** SSH keys. Names and keys need not be unique at the provider. */
export function sshKeyCalls(http: Transport) {
  return {
    list: () => listAll(http, '/ssh-keys', sshKeySchema),
    get: (keyId: string) => getOne(http, `/ssh-keys/${segment(keyId)}`, sshKeySchema),
    create: (name: string, key: string): Promise<string> => create(http, '/ssh-keys', { name, key }),
    delete: (keyId: string): Promise<void> =>
      command(http, { kind: 'change', method: 'DELETE', path: `/ssh-keys/${segment(keyId)}` }),
    deleteMany: (keys: readonly string[]): Promise<void> =>
      command(http, { kind: 'change', method: 'DELETE', path: '/ssh-keys', body: { keys } }),
  };
}

/** Startup scripts: every member of the project can read them, so they never hold a secret. */
export function scriptCalls(http: Transport) {
  return {
    /** All scripts, over all pages. `name` = part of the name. */
    list: (name?: string) => listAll(http, '/scripts', scriptSchema, { paged: true, query: { name } }),
    get: (scriptId: string) => getOne(http, `/scripts/${segment(scriptId)}`, scriptSchema),
    create: (name: string, script: string): Promise<string> => create(http, '/scripts', { name, script }),
    delete: (scriptId: string): Promise<void> =>
      command(http, { kind: 'change', method: 'DELETE', path: `/scripts/${segment(scriptId)}` }),
    deleteMany: (scripts: readonly string[]): Promise<void> =>
      command(http, { kind: 'change', method: 'DELETE', path: '/scripts', body: { scripts } }),
  };
}
