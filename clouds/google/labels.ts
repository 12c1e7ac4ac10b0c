/**
 * Our tags as labels of Compute Engine, which hold lower-case letters, digits, `-` and `_` only, and at most 63 of them. Every other character is
 * written as `_` with the two hexadecimal digits of each of its bytes. Pure.
 */
import { providerError } from '../errors.ts';

const PREFIX = 'deckhand-';
const LONGEST = 63;

const encoded = (text: string): string =>
  text.replaceAll(/[^a-z0-9-]+/gu, (part) =>
    [...Buffer.from(part, 'utf8')].map((byte) => `_${byte.toString(16).padStart(2, '0')}`).join(''),
  );

const decoded = (text: string): string =>
  text.replaceAll(/(?:_[0-9a-f]{2})+/gu, (part) => Buffer.from(part.replaceAll('_', ''), 'hex').toString('utf8'));

/** @throws DeckhandError `provider_config` for a tag that is too long as a label */
export function toLabels(tags: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const labels = Object.entries(tags).map(([key, value]) => [`${PREFIX}${encoded(key)}`, encoded(value)] as const);
  const tooLong = labels.find(([key, value]) => key.length > LONGEST || value.length > LONGEST);
  if (tooLong !== undefined)
    throw providerError('config', `"${tooLong.join('=')}" is too long for a label of Compute Engine (${LONGEST})`);
  return Object.fromEntries(labels);
}

/** Tags of ours among the labels of a resource, as they were given. */
export const ownTags = (labels: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(labels).flatMap(([key, value]) =>
      key.startsWith(PREFIX) ? [[decoded(key.slice(PREFIX.length)), decoded(value)]] : [],
    ),
  );
