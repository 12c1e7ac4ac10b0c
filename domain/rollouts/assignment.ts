/**
 * Which decks a rollout gives to its candidate: by a hash of the rollout, the tenant and the deck, so that the same deck is always on the same
 * side, and a higher percentage only adds decks to the candidate.
 */

import { memberOf } from '../text/member-of.ts';

/** `baseline`: what the installation does without the rollout. */
export const ROLLOUT_SIDES = ['candidate', 'baseline'] as const;
export type RolloutSide = (typeof ROLLOUT_SIDES)[number];

/** Life of a rollout, as stored. */
export const ROLLOUT_STATES = ['active', 'ended'] as const;

/** The part of a rollout that decides. */
export interface RolloutShare {
  readonly name: string;
  /** Of the decks of its tenants, 0 to 100. */
  readonly percent: number;
  /** Empty = every tenant. */
  readonly tenants: readonly string[];
}

interface DeckOfTenant {
  readonly tenantId: string;
  readonly deckId: string;
}

/** A hash of 32 bits, evenly spread: FNV-1a over the code units, then the last mixing step of MurmurHash3. */
function hash32(text: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01_00_01_93);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85_eb_ca_6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2_b2_ae_35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Place of a deck between 0 and 100 (exclusive): decks below the percentage are the candidate's. It never changes. */
export const placeOf = (rollout: string, { tenantId, deckId }: DeckOfTenant): number =>
  (hash32(JSON.stringify([rollout, tenantId, deckId])) / 2 ** 32) * 100;

/** Side of a deck; null for a tenant that the rollout does not name. */
export function sideOf({ name, percent, tenants }: RolloutShare, deck: DeckOfTenant): RolloutSide | null {
  if (tenants.length > 0 && !tenants.includes(deck.tenantId)) return null;
  return placeOf(name, deck) < percent ? 'candidate' : 'baseline';
}

/** The rollout that an analysis was started in, as its documents name it; null outside of one. */
export function rolloutOf(row: {
  readonly rollout: { readonly name: string } | null;
  readonly rolloutSide: string | null;
}): { readonly name: string; readonly side: RolloutSide } | null {
  const side = memberOf(ROLLOUT_SIDES, row.rolloutSide);
  return row.rollout === null || side === null ? null : { name: row.rollout.name, side };
}
