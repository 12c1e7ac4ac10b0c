/** Scripted faults of the simulators: rules are tried in order, and the first that fits a call and is not used up applies. */

interface ScriptRule {
  readonly match: {
    /** 1-based number (or numbers) of the call among those that fit the other fields of the match. */
    readonly nth?: number | readonly number[] | undefined;
  };
  /** The rule applies to at most this many calls. */
  readonly times?: number | undefined;
}

/** For each rule, by index: how many calls fitted it, and to how many it applied. Plain JSON. */
export interface RuleCounts {
  readonly seen: number[];
  readonly applied: number[];
}

/**
 * The rule that applies to a call, or null. Counts the call in every rule that it fits.
 *
 * @param applies further conditions; `count` is the number of the call among those that fit the rule
 */
export function chooseRule<Rule extends ScriptRule>(
  rules: readonly Rule[],
  { seen, applied }: RuleCounts,
  fits: (match: Rule['match']) => boolean,
  applies: (match: Rule['match'], count: number) => boolean = () => true,
): Rule | null {
  let chosen: Rule | null = null;
  for (const [index, rule] of rules.entries()) {
    const { match, times = Infinity } = rule;
    if (!fits(match)) continue;
    const count = (seen[index] ?? 0) + 1;
    seen[index] = count;
    if (chosen !== null || (match.nth !== undefined && ![match.nth].flat().includes(count))) continue;
    const appliedBefore = applied[index] ?? 0;
    if (appliedBefore >= times || !applies(match, count)) continue;
    applied[index] = appliedBefore + 1;
    chosen = rule;
  }
  return chosen;
}
