/** Names and figures of an evaluation as people read them, on a terminal and on the page. */
import { verdictName } from '../../domain/decks/report.ts';
import type { EvaluationComparison } from '../../domain/evaluation/compare.ts';
import type { DeckEvaluation, QuoteCounts, Usage } from '../../domain/evaluation/deck-evaluation.ts';
import type { Evaluation } from '../../domain/evaluation/evaluation.ts';
import type { FieldFigures, Figures } from '../../domain/evaluation/figures.ts';
import type { Field, Outcome } from '../../domain/evaluation/judge.ts';
import type { MakingChange } from '../../domain/evaluation/provenance.ts';
import type { Share } from '../../domain/evaluation/statistics.ts';
import { counted, usdText } from '../../domain/text/words.ts';

export const FIELD_NAMES: Readonly<Record<Field, string>> = {
  company: 'company',
  company_in_picture: 'company, name in a picture only',
  offering: 'offering',
  ask: 'ask',
  date: 'date',
  sector: 'sector',
};

export const OUTCOME_NAMES: Readonly<Record<Outcome, string>> = {
  right: 'right',
  partly: 'partly right',
  wrong: 'wrong',
  missed: 'missed',
  rightly_none: 'rightly none',
  invented: 'invented',
  not_graded: 'not graded',
};

/** Columns of the table of fields. */
export const FIELD_HEAD = [
  '',
  'right',
  'share (95 %)',
  'right or partly',
  'wrong',
  'missed',
  'not graded',
  'rightly none',
  'share (95 %)',
  'invented',
];
/** Columns of `FIELD_HEAD` that are figures. */
export const FIELD_FIGURES = [1, 3, 4, 5, 6, 7, 9];

const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** `11/28`. */
export const fraction = ({ right, of }: Share): string => (of === 0 ? '–' : `${right}/${of}`);

/** `39 % (24–58 %)`; empty where nothing was counted. */
export const interval = ({ right, of, low, high }: Share): string =>
  low === null || high === null ? '' : `${percent(right / of)} (${Math.round(low * 100)}–${percent(high)})`;

/** Cells of a field under `FIELD_HEAD`; `3/?` where not every value is graded. */
export function fieldCells({ field, counts, right, rightOrPartly, rightlyNone }: FieldFigures): string[] {
  const count = (outcome: Outcome): string => String(counts[outcome] ?? 0);
  return [
    FIELD_NAMES[field],
    counts.not_graded === undefined ? fraction(right) : `${count('right')}/?`,
    interval(right),
    fraction(rightOrPartly),
    count('wrong'),
    count('missed'),
    count('not_graded'),
    fraction(rightlyNone),
    interval(rightlyNone),
    count('invented'),
  ];
}

/** Columns of the table of fields of two runs. */
export const COMPARED_HEAD = [
  '',
  'A right (95 %)',
  'B right (95 %)',
  'A rightly none',
  'B rightly none',
  'A invented',
  'B invented',
];

/** A row under `COMPARED_HEAD` for each field that one of them judged. */
export function comparedRows({ a, b }: EvaluationComparison): string[][] {
  const fields = [...new Set([...a.figures.fields, ...b.figures.fields].map(({ field }) => field))];
  return fields.map((field) => {
    const of = [a, b].map(({ figures }) => figures.fields.find((each) => each.field === field));
    return [
      FIELD_NAMES[field],
      ...of.map((each) => (each === undefined ? '–' : `${fraction(each.right)} ${interval(each.right)}`.trim())),
      ...of.map((each) => (each === undefined ? '–' : fraction(each.rightlyNone))),
      ...of.map((each) => String(each?.counts.invented ?? 0)),
    ];
  });
}

/** `410 verified, 34 verified (OCR), 12 unverified`. */
export function quoteWords(counts: QuoteCounts): string {
  const parts = Object.entries(counts).toSorted(([, a = 0], [, b = 0]) => b - a);
  return parts.length === 0 ? 'none' : parts.map(([verdict, n]) => `${n} ${verdictName(verdict)}`).join(', ');
}

/** `–` for a figure that there is none of. */
export const figure = (value: number | null, digits = 2): string => (value === null ? '–' : value.toFixed(digits));

/** `3 decks, 3 with a review, 3 labelled; 0 invented values`. */
export const countWords = ({ decks, finished, labelled, invented }: Figures): string =>
  `${counted(decks, 'deck')}, ${finished} with a review, ${labelled} labelled; ${counted(invented, 'invented value')}`;

/** How far scores are from their labels; null where none has one. */
export const gradingWords = ({ scores: { compared, meanDistance, kappa } }: Figures['questions']): string | null =>
  compared === 0 ? null : `${compared}, mean distance ${figure(meanDistance)}, kappa ${figure(kappa)}`;

/** How far the scores of two runs agree. */
export const agreementWords = (all: EvaluationComparison['allQuestions']): string =>
  `${all.scored} given by both, ${all.same} the same, mean distance ${figure(all.meanDistance)}, mean change ${figure(all.meanChange)}, kappa ${figure(all.kappa)}`;

/** How far two runs agree on a question: decks, same, mean distance, mean change, kappa. */
export const questionCells = (each: EvaluationComparison['questions'][number]): string[] => [
  each.slug,
  String(each.scored),
  String(each.same),
  figure(each.meanDistance),
  figure(each.meanChange),
  figure(each.kappa),
];

/** `company: 1 deck with another value`. */
export const changedTitle = (field: Field, changed: readonly unknown[]): string =>
  `${FIELD_NAMES[field]}: ${counted(changed.length, 'deck')} with another value`;

/** Columns of what a review took. */
export const USAGE_HEAD = ['calls', 'stored', 'tokens in', 'tokens out', 'model s', 'wall s', 'money'];

/** Cells under `USAGE_HEAD`. */
export const usageCells = (usage: Usage): string[] => [
  String(usage.calls),
  String(usage.storedCalls),
  usage.promptTokens.toLocaleString('en-US'),
  usage.outputTokens.toLocaleString('en-US'),
  figure(usage.modelSeconds, 1),
  figure(usage.seconds, 1),
  usage.usd === null ? '–' : usdText(usage.usd),
];

/** Sentences about what the figures leave out. */
export function noticesOf({ decks, labelsWithoutPdf, deletedDecks, run }: Evaluation): string[] {
  const list = (names: readonly string[]): string => names.join(', ');
  const withStatus = (...statuses: readonly DeckEvaluation['status'][]): DeckEvaluation[] =>
    decks.filter(({ status }) => statuses.includes(status));
  const unlabelled = decks.filter(({ labelled }) => !labelled).map(({ file }) => file);
  const fault = ({ file, failure }: DeckEvaluation): string =>
    `${file}${failure === null ? '' : ` (${failure.code}: ${failure.message})`}`;
  const unread = withStatus('refused', 'failed').map(fault);
  const unreviewed = withStatus('not_reviewed', 'cancelled', 'queued', 'running').map(fault);
  const unknown = decks.flatMap(({ file, unknownQuestions }) => unknownQuestions.map((slug) => `${slug} (${file})`));
  const sentence = (names: readonly string[], text: string): string[] =>
    names.length === 0 ? [] : [`${text} ${list(names)}.`];
  return [
    ...(run.finishedAt === null ? ['This run was interrupted. The same command goes on with it.'] : []),
    ...sentence(unlabelled, 'Reviewed and not judged, because the labels do not name it:'),
    ...sentence(labelsWithoutPdf, 'Labelled, and without a PDF in the folder:'),
    ...sentence(unknown, 'Not judged, because the template does not ask these labelled questions:'),
    ...sentence(
      decks.filter(({ hasNoProfile }) => hasNoProfile).map(({ file }) => file),
      'Topics not judged, because the review was made without a profile:',
    ),
    ...sentence(unread, 'Could not be read, and counts as a review that found nothing:'),
    ...sentence(unreviewed, 'Not reviewed, and left out of the figures:'),
    ...(deletedDecks === 0
      ? []
      : [`${counted(deletedDecks, 'deck')} of this run ${deletedDecks === 1 ? 'was' : 'were'} deleted since.`]),
  ];
}

/** What differs between two runs: `prompt of answer_question`. */
export const makingName = ({ what, task }: MakingChange): string => {
  const names: Readonly<Record<MakingChange['what'], string>> = {
    code: 'code',
    engine: 'engine',
    server: 'version of the model server',
    template: 'template',
    model: 'model',
    prompt: 'prompt',
  };
  return task === null ? names[what] : `${names[what]} of ${task}`;
};

/** What is wrong in a deck, one sentence each. */
export const faultsOf = ({ fields }: DeckEvaluation): string[] =>
  fields.flatMap(({ field, outcome, wanted, found }) => {
    switch (outcome) {
      case 'right':
      case 'rightly_none':
        return [];
      case 'missed':
        return [`${FIELD_NAMES[field]} missed: ${wanted}`];
      case 'invented':
        return [`${FIELD_NAMES[field]} invented: ${found}`];
      case 'not_graded':
        return [`${FIELD_NAMES[field]} not graded: ${found}; the label says: ${wanted}`];
      case 'partly':
      case 'wrong':
        return [`${FIELD_NAMES[field]} ${OUTCOME_NAMES[outcome]}: ${found} instead of ${wanted}`];
    }
  });
