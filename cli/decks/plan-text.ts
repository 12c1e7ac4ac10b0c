/**
 * The plan of a replay as a person reads it in a terminal: what is computed, why and how sure, what is kept. Equal calls share a line.
 */
import type { ReplayBatch } from '../../api/client.ts';
import { type ReplayCall, type ReplayPlan, slidesInWords } from '../../domain/decks/replay/plan.ts';
import { counted } from '../../domain/text/words.ts';
import { clean } from '../terminal/style.ts';
import { tableLines } from '../terminal/table.ts';

const MISSING = 'stays missing';

const REASONS: Readonly<Record<ReplayCall['reason'], string>> = {
  missing: 'missing',
  input_changes: 'its input changes',
  recomputed: 'asked for anew',
  failed_before: 'failed before',
};

/** Calls of one task that share everything but what they are about. */
function groupsOf(calls: readonly ReplayCall[]): ReplayCall[][] {
  const groups = new Map<string, ReplayCall[]>();
  for (const call of calls) {
    const key = JSON.stringify([call.task, call.model, call.reason, call.condition]);
    groups.set(key, [...(groups.get(key) ?? []), call]);
  }
  return [...groups.values()];
}

function subjectOf(calls: readonly ReplayCall[]): string {
  const slides = calls.flatMap((c) => c.slide ?? []);
  if (slides.length > 0) return slidesInWords(slides);
  const questions = calls.flatMap((c) => c.question ?? []);
  if (questions.length > 3) return counted(questions.length, 'question');
  return questions.map(clean).join(', ');
}

function rowOf(calls: readonly ReplayCall[]): readonly string[] {
  const [first] = calls;
  if (first === undefined) return [];
  const condition = first.condition === null ? '' : `, ${first.condition}`;
  return [first.task, subjectOf(calls), `${REASONS[first.reason]}${condition}`];
}

/** The plan, without a trailing newline. */
export function describePlan(plan: ReplayPlan): string {
  const kept = plan.kept.reduce((sum, k) => sum + k.results, 0);
  const { total, rendered } = plan.pages;
  const certain = plan.conditional === 0 ? '' : `, ${plan.certain} of them certain`;
  const head =
    plan.calls.length === 0
      ? `A replay of ${plan.replayOf} would make no call; ${counted(kept, 'stored result is', 'stored results are')} kept.`
      : `A replay of ${plan.replayOf} would make ${counted(plan.calls.length, 'call')}${certain}; ${counted(kept, 'stored result is', 'stored results are')} kept.`;
  return [
    total === null ? `${plan.replayOf}: its file was never read, so its pages and calls are not known.` : head,
    ...(total !== null && rendered < total ? [`${counted(total - rendered, 'page')} of ${total} to be drawn.`] : []),
    ...plan.models.map(({ task, model }) => `${task} by ${clean(model)}`),
    ...tableLines(groupsOf(plan.calls).map(rowOf), { indent: '  ', least: [MISSING.length] }),
    ...plan.staysMissing.map(({ message }) => `  ${MISSING}  ${clean(message)}`),
  ].join('\n');
}

const OUTCOMES: Readonly<Record<ReplayBatch['items'][number]['outcome'], string>> = {
  started: 'started',
  planned: 'would start',
  running: 'runs already',
  replayed: 'replayed before',
  is_replay: 'is such a replay',
  unreadable: 'left out',
  refused: 'refused',
};

/** Outcome for each analysis, one line each, with the plan in a dry run. */
export function describeBatch(batch: ReplayBatch): string {
  const lines = batch.items.map((item) => {
    const { replay, refusal } = item;
    const more = [
      ...(replay === null ? [] : [`as ${replay.analysisId} (${replay.status})`]),
      ...(refusal === null ? [] : [clean(refusal.message)]),
    ];
    const head = `${OUTCOMES[item.outcome].padEnd(18)}${item.analysisId}  ${clean(item.fileName)}  ${more.join(' ')}`;
    return item.plan === null ? head.trimEnd() : `${head.trimEnd()}\n${describePlan(item.plan)}`;
  });
  const skipped = batch.items.filter((i) => i.outcome === 'is_replay' || i.outcome === 'replayed').length;
  const unreadable = batch.items.filter((i) => i.outcome === 'unreadable').length;
  return [
    ...lines,
    ...(batch.items.length === 0 ? ['No analysis fits.'] : []),
    ...(skipped === 0
      ? []
      : ['Analyses that were replayed with the same choices are skipped; --again replays those replays.']),
    ...(unreadable === 0
      ? []
      : [
          `${counted(unreadable, 'analysis is', 'analyses are')} left out: the file itself cannot be read, and would fail again. deckhand replay ID tries one all the same.`,
        ]),
    ...(batch.more ? ['There are more; run the command again for the next ones, or raise --limit.'] : []),
  ].join('\n');
}
