/** Rollouts as a person reads them in a terminal. */
import type { RolloutComparison, RolloutDocument } from '../../api/client.ts';
import { MAX_SCORE } from '../../domain/decks/scoring.ts';
import { counted, usdText } from '../../domain/text/words.ts';
import { clean, type TerminalStyle } from '../terminal/style.ts';
import { table } from '../terminal/table.ts';

/** What the candidate has: `profile ollama, score_answer by gemma3:12b, pool canary`. */
function candidateWords({ candidate: { profile, models, pool } }: RolloutDocument): string {
  return [
    ...(profile === null ? [] : [`profile ${profile}`]),
    ...models.map(({ task, model }) => `${task} by ${clean(model)}`),
    ...(pool === null ? [] : [`pool ${clean(pool)}`]),
  ].join(', ');
}

/** Which decks it gets. */
function shareWords({ percent, tenants }: RolloutDocument): string {
  const whose = tenants.length === 0 ? 'all tenants' : tenants.map(clean).join(', ');
  return `${percent} % of the decks of ${whose}`;
}

/** One rollout in two lines. */
export function describeRollout(rollout: RolloutDocument): string {
  const { name, state, startedBy, startedAt, endedBy, endedAt } = rollout;
  const end =
    state === 'active'
      ? `Take it back with: deckhand rollout stop ${clean(name)}`
      : `Ended by ${clean(endedBy ?? '')} at ${endedAt ?? ''}: new analyses are as before it, running ones finish as they began.`;
  return [
    `${clean(name)}  ${state}  ${shareWords(rollout)}: ${candidateWords(rollout)}`,
    `Started by ${clean(startedBy)} at ${startedAt}. ${end}`,
  ].join('\n');
}

/** All rollouts. */
export function renderRollouts(items: readonly RolloutDocument[], style: TerminalStyle): string {
  if (items.length === 0)
    return 'There are no rollouts.\nStart one with: deckhand rollout start NAME --model score_answer=gemma3:12b --percent 10';
  return table(
    items.map((rollout) => [
      clean(rollout.name),
      rollout.state,
      shareWords(rollout),
      candidateWords(rollout),
      clean(rollout.startedBy),
    ]),
    { head: ['NAME', 'STATE', 'SHARE', 'CANDIDATE', 'BY'], style },
  );
}

type Side = RolloutComparison['sides']['candidate'];

const NOTHING = '–';
const number = (value: number | null, digits: number): string => (value === null ? NOTHING : value.toFixed(digits));
const percent = (share: number | null): string => (share === null ? NOTHING : `${(share * 100).toFixed(1)} %`);

/** The rows of the comparison. */
const ROWS: readonly (readonly [string, (side: Side) => string])[] = [
  ['full reviews', (side) => String(side.analyses)],
  ['running or queued', (side) => String(side.open)],
  ['complete', (side) => String(side.completed)],
  ['with gaps', (side) => String(side.completedWithGaps)],
  ['failed', (side) => String(side.failed)],
  ['cancelled', (side) => String(side.cancelled)],
  ['seconds a slide', (side) => number(side.secondsPerSlide, 1)],
  ['model seconds a slide', (side) => number(side.modelSecondsPerSlide, 1)],
  ['cost a slide', (side) => (side.costUsdPerSlide === null ? NOTHING : usdText(side.costUsdPerSlide.toFixed(6)))],
  [`mean score of ${MAX_SCORE}`, (side) => number(side.score, 2)],
  ['quotes found on their slide', (side) => `${percent(side.verifiedShare)} of ${side.quotes}`],
  [
    'scores that people share',
    ({ verdicts: { compared, equal } }) => (compared === 0 ? NOTHING : `${equal} of ${compared}`),
  ],
];

/** One rollout with both sides beside each other. */
export function renderComparison(rollout: RolloutComparison, style: TerminalStyle): string {
  const { candidate, baseline } = rollout.sides;
  const { decks, scoreDifference } = rollout.sameDecks;
  const same =
    scoreDifference === null
      ? 'No deck has a scored review of both sides.'
      : `${counted(decks, 'deck')} with a scored review of both sides: the candidate scores ${scoreDifference >= 0 ? '+' : ''}${scoreDifference.toFixed(2)}.`;
  return [
    describeRollout(rollout),
    table(
      ROWS.map(([name, value]) => [name, value(candidate), value(baseline)]),
      { head: ['', 'CANDIDATE', 'BASELINE'], style },
    ),
    same,
  ].join('\n\n');
}
