/** Whether the pool that answered an analysis can answer a replay of it: only that pool holds the models of another profile. */
import type { OwnPool } from '../../fleet/pool/pool-config.ts';

/** Where a rollout sent an analysis. */
export interface OriginPlace {
  readonly modelProfile: string;
  /** Null = the queues of all pools. */
  readonly poolName: string | null;
}

/** The pool that a replay goes to; null = the queues of all pools, which hold the models of the installation's profile. */
export const poolOfReplay = ({ modelProfile, poolName }: OriginPlace, installed: string): string | null =>
  modelProfile === installed ? null : poolName;

/**
 * Null when the pool can answer; else why not, and what to do.
 *
 * @param configured pools of the fleet file that have queues of their own
 * @param looks whether a workflow looks after the pool: one was started with this fleet file
 */
export function refusePool(
  pool: string,
  profile: string,
  configured: readonly OwnPool[],
  looks: boolean,
): { readonly message: string; readonly hint: string } | null {
  const held = configured.find(({ name }) => name === pool);
  const restart =
    'restart Deckhand (`./deckhand down`, `./deckhand up`), then replay it; or start a new analysis of the deck.';
  if (held === undefined)
    return {
      message: `Pool ${pool}, which answered this analysis with the models of profile ${profile}, is not configured any more.`,
      hint: `Add a pool "${pool}" with "ownQueues": true and "models": "${profile}" to the fleet file and ${restart}`,
    };
  if (held.profile !== profile)
    return {
      message: `Pool ${pool}, which answered this analysis with the models of profile ${profile}, holds those of ${held.profile} now.`,
      hint: `Set "models": "${profile}" of the pool in the fleet file and ${restart}`,
    };
  if (looks) return null;
  return {
    message: `Pool ${pool}, which is to answer this replay, is in the fleet file but has not started.`,
    hint: `Wait until \`./deckhand fleet\` shows it. If it was added while Deckhand ran, ${restart}`,
  };
}
