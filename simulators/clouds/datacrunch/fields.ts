/** Fields that bodies of several routes have, with the limits of the provider. Each message follows the name of its field. */
import { z } from 'zod';
import { oneOrMany, optional } from './body.ts';
import { ApiError } from './errors.ts';

const LONGEST_HOSTNAME = 60;
/** RFC 1123 labels, with dots between. */
const HOSTNAME = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/iu;

const hostname = z
  .string()
  .min(1, 'should not be empty')
  .max(LONGEST_HOSTNAME, `must be shorter than or equal to ${LONGEST_HOSTNAME} characters`)
  .regex(HOSTNAME, 'must be a valid hostname');

/** Fields that orders of machines and of clusters share. */
export const orderFields = {
  image: z.string().min(1),
  hostname,
  location_code: z.string().min(1),
  description: optional(z.string()),
  ssh_key_ids: oneOrMany,
  startup_script_id: optional(z.string()),
};

const SMALLEST_DISK_GIB = 40;

/** Size of a volume, GiB. */
export const diskSize = z.int().min(SMALLEST_DISK_GIB, `must not be less than ${SMALLEST_DISK_GIB}`);

const ORDERED_VOLUME_TYPES = ['NVMe', 'NVMe_Shared', 'HDD', 'HDD_Shared'] as const;

/** Type of a volume that can be ordered or cloned. Refuse discontinued types with {@link refuseHdd}. */
export const volumeType = z.enum(
  ORDERED_VOLUME_TYPES,
  `must be one of the following values: ${ORDERED_VOLUME_TYPES.join(', ')}`,
);

/** @throws ApiError 400 for a type that the provider makes no more */
export function refuseHdd(type: string): void {
  if (type.startsWith('HDD')) throw new ApiError('invalid_request', 'HDD volumes are no longer supported');
}

const KEY_TYPES: ReadonlySet<string> = new Set([
  'ssh-ed25519',
  'ssh-rsa',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'sk-ssh-ed25519@openssh.com',
  'sk-ecdsa-sha2-nistp256@openssh.com',
]);

/** True for a line in OpenSSH's format whose blob begins with the type that the line names. The numbers of the key are not checked. */
function isPublicKey(line: string): boolean {
  const [type = '', blob = ''] = line.trim().split(/\s+/u);
  if (!KEY_TYPES.has(type) || !/^[A-Za-z0-9+/]+={0,3}$/u.test(blob)) return false;
  const bytes = Buffer.from(blob, 'base64');
  const head = Buffer.alloc(4 + type.length);
  head.writeUInt32BE(type.length);
  head.write(type, 4);
  return bytes.subarray(0, head.length).equals(head);
}

export const publicKey = z.string().refine(isPublicKey, 'must be a valid SSH public key');
