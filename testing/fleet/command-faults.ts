/**
 * What may go wrong with a command between the reducer that sends it and the event that answers it, as data: a run can be repeated and shrunk.
 */
import type { FaultRuleInput } from '../../simulators/clouds/core/faults.ts';

/** A fault of the simulated provider: it refuses these calls in its own words. */
export const refusal = (
  match: FaultRuleInput['match'],
  status: number,
  code: string,
  message: string,
): FaultRuleInput => ({ match, effect: 'error', status, code, message });

/** `lost_before`: the process dies first, nothing is done. `lost_after`: it is done, the answer is lost. `crash`: as that, and every other
 * answer under way is lost too. `twice`: the answer is delivered twice. `executed_twice`: done twice (creates: answered twice).
 * `late`: the answer comes after so many seconds (of a create: after it was already taken for unknown). */
export type CommandFault =
  | { readonly kind: 'fine' }
  | { readonly kind: 'lost_before' }
  | { readonly kind: 'lost_after' }
  | { readonly kind: 'crash' }
  | { readonly kind: 'twice' }
  | { readonly kind: 'executed_twice' }
  | { readonly kind: 'late'; readonly seconds: number };

export const FINE: CommandFault = { kind: 'fine' };
