/**
 * What the Temporal UI shows of runs: one-line summaries and the details in Markdown. Pure text.
 *
 * Names of files, and reasons that quote a deck or a provider, are untrusted: what Markdown would act on is taken out of them.
 */
import { MODEL_TASKS, type ModelTask } from '../models/model-tasks.ts';
import type { DeckStatus } from './search-attributes.ts';
import { type StageCount } from '../decks/progress.ts';
import { STAGES, type Stage } from '../decks/stage-graph.ts';

/** A summary may have 400 bytes on the server, of which encryption takes about 130. */
export const MAX_SUMMARY_BYTES = 250;
/** Details may have 20,000 bytes there. */
export const MAX_DETAILS_BYTES = 12_000;

const MAX_GAPS = 10;
const MAX_REASON_CHARACTERS = 240;
/** Wider bars have their percentage wrap in the UI. */
const BAR_CELLS = 10;

const encoder = new TextEncoder();
/** Bytes of a text as it travels. */
const sizeOf = (text: string): number => encoder.encode(JSON.stringify(text)).length;

/** One line that fits a summary; what is too long ends in `…`. */
export function boundedSummary(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();
  if (sizeOf(line) <= MAX_SUMMARY_BYTES) return line;
  const characters = Array.from(line).slice(0, MAX_SUMMARY_BYTES);
  while (sizeOf(`${characters.join('')}…`) > MAX_SUMMARY_BYTES) characters.pop();
  return `${characters.join('').trimEnd()}…`;
}

/** `page 3`, `pages 9–16`, `pages 1, 4, 9`, `7 pages from 2`. */
export function pagesText(pages: readonly number[]): string {
  const [first, last] = [pages[0], pages.at(-1)];
  if (first === undefined || last === undefined) return 'no pages';
  if (pages.length === 1) return `page ${first}`;
  if (last - first === pages.length - 1) return `pages ${first}–${last}`;
  return pages.length <= 4 ? `pages ${pages.join(', ')}` : `${pages.length} pages from ${first}`;
}

/**
 * The line of a model call: `slide 7 of 30 · gemma3:12b`, `score of question 12 of 34 (market_size) · phi4:latest`.
 *
 * @param call.place position of its question in the template
 */
export function callSummary(
  call: {
    readonly task: ModelTask;
    readonly slideNumber: number | null;
    readonly modelName: string;
    readonly place?: { readonly number: number; readonly of: number; readonly slug: string };
  },
  pageCount: number,
): string {
  const { subject, summary } = MODEL_TASKS[call.task];
  const { place, slideNumber, modelName } = call;
  const question = place === undefined ? 'a question' : `question ${place.number} of ${place.of} (${place.slug})`;
  return `${summary(subject === 'question' ? question : `slide ${slideNumber ?? '?'} of ${pageCount}`)} · ${modelName}`;
}

/** Breaks what a renderer would take for an address, and cannot be seen. */
const JOINER = '\u2060';

/**
 * A text within Markdown: nothing of it is markup, and it stays on its line and in its table cell. No entities: the UI shows them as they
 * are written.
 */
export function markdownText(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();
  const short = line.length <= MAX_REASON_CHARACTERS ? line : `${line.slice(0, MAX_REASON_CHARACTERS - 1)}…`;
  return short
    .replaceAll(/[\\`*_{}[\]()#!~|]/gu, String.raw`\$&`)
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .replaceAll('://', `:${JOINER}//`)
    .replaceAll(/\b(www)\./giu, `$1${JOINER}.`)
    .replaceAll('@', `@${JOINER}`);
}

/** `████░░░░░░ 40 %`, in one piece and with room behind it: the UI gives columns none. Empty and zero where there is nothing to do yet. */
function bar({ done, failed, total }: StageCount): string {
  // Numbers that do not fit together make an odd bar, and no run fails by it.
  const share = total === 0 ? 0 : Math.max(0, Math.min(1, (done + failed) / total));
  const filled = Math.floor(share * BAR_CELLS);
  return unbroken(`${'█'.repeat(filled)}${'░'.repeat(BAR_CELLS - filled)} ${Math.floor(share * 100)} % `);
}

/** Details of these lines. The UI cuts the last line of details in half: that one may be lost. */
export const detailsOfLines = (lines: readonly string[]): string => [...lines, '', '\u00A0'].join('\n');

/** `2026-11-20 10:00:07 UTC`, in one piece. */
export const momentText = (ms: number): string =>
  unbroken(`${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`);

const unbroken = (text: string): string => text.replaceAll(' ', '\u00A0');

/** Something that could not be computed, as far as the run knows of it. */
export interface DetailsGap {
  /** `slide 7 · gemma3:12b`. */
  readonly item: string;
  readonly reason: string;
}

/** A place to go on reading. */
export interface DetailsLink {
  readonly name: string;
  /** Made of ids by ourselves; null = not known. */
  readonly url: string | null;
}

/** A deck's run at one moment. */
export interface DeckDetails {
  readonly status: DeckStatus;
  readonly stage: Stage;
  /** Kinds of work by the name that people read. */
  readonly work: readonly { readonly name: string; readonly count: StageCount }[];
  readonly modelCalls: number;
  readonly cachedCalls: number;
  /** All of them; the list holds the latest that the run knows the reason of. */
  readonly gapCount: number;
  readonly gaps: readonly DetailsGap[];
  /** What it waits for, in words; null = it moves. */
  readonly waitingFor: string | null;
  readonly links: readonly DetailsLink[];
}

/** Heads of a run's details. */
const STATUS_WORDS: Readonly<Record<DeckStatus, string>> = {
  running: 'Running',
  waiting_for_capacity: 'Waiting for capacity',
  paused: 'Paused by an operator',
  completed: 'Completed',
  completed_with_gaps: 'Completed with gaps',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

/** The current details of a deck's run. */
export function deckDetails(run: DeckDetails): string {
  const { status, stage, waitingFor, gaps, gapCount } = run;
  const isOver = !['running', 'waiting_for_capacity', 'paused'].includes(status);
  const at = `stage ${STAGES.indexOf(stage) + 1} of ${STAGES.length}: ${stage}`;
  const rows = run.work.filter(({ count }) => count.total > 0);
  const shown = gaps.slice(-MAX_GAPS);
  const calls = run.modelCalls === 1 ? 'model call' : 'model calls';
  const gapWord = gapCount === 1 ? 'gap' : 'gaps';
  return detailsOfLines([
    `**${STATUS_WORDS[status]}**${isOver && status !== 'failed' ? '' : ` · ${at}`}`,
    ...(waitingFor === null ? [] : ['', `Waiting for ${markdownText(waitingFor)}`]),
    ...(rows.length === 0 ? [] : ['', '| work | progress | done | failed |', '|---|---|---|---|']),
    ...rows.map(
      ({ name, count }) =>
        `| ${name} | ${bar(count)} | ${unbroken(`${count.done} of ${count.total} `)} | ${count.failed} |`,
    ),
    '',
    `${run.modelCalls} ${calls}, ${run.cachedCalls} answered from stored results, ${gapCount} ${gapWord}`,
    ...(shown.length === 0 ? [] : ['', '**What is missing**', '']),
    ...shown.map(({ item, reason }) => `- ${markdownText(item)}: ${markdownText(reason)}`),
    ...(gapCount > shown.length && shown.length > 0
      ? [`- … and ${gapCount - shown.length} more, with their reasons in the report`]
      : []),
    ...(run.links.length === 0 ? [] : ['', run.links.map(({ name, url }) => linkText(name, url)).join(' · ')]),
  ]);
}

/** What does not change of a deck's run, as its static details. */
export function deckFacts(facts: {
  readonly label: string;
  readonly task: string;
  readonly language: string;
  readonly models: string;
  readonly template: string | null;
  readonly priority: number;
  readonly analysisId: string;
  readonly deckId: string;
  readonly replayOf: string | null;
  readonly reportUrl: string | null;
}): string {
  const replay = facts.replayOf === null ? [] : [['replay of', `\`${facts.replayOf}\``]];
  const rows = [
    ['deck', `${markdownText(facts.label)} (\`${facts.deckId}\`)`],
    ['analysis', `\`${facts.analysisId}\``],
    ...replay,
    ['asked for', markdownText(facts.task)],
    ['template', markdownText(facts.template ?? 'chosen by the sector')],
    ['language', facts.language],
    ['models', markdownText(facts.models)],
    ['priority at the start', `${facts.priority} (1 critical … 5 batch)`],
  ];
  return detailsOfLines([
    '| | |',
    '|---|---|',
    ...rows.map(([name, value]) => `| ${name} | ${value} |`),
    ...(facts.reportUrl === null ? [] : ['', `[Read the report](${facts.reportUrl})`]),
  ]);
}

/** Where pages of workflows are. */
export interface UiPlace {
  /** Of the Temporal UI; undefined = not configured. */
  readonly uiUrl: string | undefined;
  readonly namespace: string;
}

/** Address of a workflow's page in the Temporal UI; null where its address is not configured. */
export const workflowUrl = ({ uiUrl, namespace }: UiPlace, workflowId: string): string | null =>
  uiUrl === undefined
    ? null
    : `${uiUrl}/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(workflowId)}`;

/** A name as a link, where it leads anywhere. Whole addresses only: the UI opens any other within the frame of the details. */
export const linkText = (name: string, url: string | null): string =>
  url === null ? markdownText(name) : `[${markdownText(name)}](${url})`;
