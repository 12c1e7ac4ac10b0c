/**
 * SSH keys and startup scripts.
 */
import { z } from 'zod';
import { id, nullableText, nullableTime, text } from './lenient.ts';

export const sshKeySchema = z.looseObject({ id, name: text, key: text, fingerprint: nullableText });
export type SshKeyData = z.infer<typeof sshKeySchema>;

export const scriptSchema = z.looseObject({ id, name: text, script: text, created_at: nullableTime });
export type ScriptData = z.infer<typeof scriptSchema>;
