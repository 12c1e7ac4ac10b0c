/**
 * The end of a deck that no server can finish: nothing serves a class of calls that it waits for, and no machine can be rented for it. Waiting for
 * a machine that can be rented has no limit.
 */
import { momentText } from '../temporal/run-details.ts';
import { counted } from '../text/words.ts';
import { plainSpaces } from '../text/plain-spaces.ts';

/** Code of the gaps of such a run, and the item of the gap that says so of the whole run. */
export const UNSERVED_CODE = 'unserved';

/** Why one call of a run was not made. @param sinceMs since when nothing served it */
export const unservedText = (sinceMs: number): string =>
  `no model server has answered for this deck since ${plainSpaces(momentText(sinceMs))}, and none can be rented`;

/** The sentence about the missing part of the run. @param cancelledCalls planned calls that were cancelled */
export const unservedGapText = (sinceMs: number, stage: string, cancelledCalls: number): string =>
  `In stage ${stage} ${unservedText(sinceMs)}. ${counted(cancelledCalls, 'planned call')} cancelled; later stages were not run. Start a server that has the models and replay the gaps.`;
