/**
 * The details of a run in the Temporal UI, and its search attributes.
 *
 * Details are state of the run and make no event, so they are written whenever something moved. A search attribute is an event: it is
 * written when the stage, the status or the template changed.
 */
import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { RunSummary } from '../../activities/decks/stages.ts';
import type { Stage } from '../../domain/decks/stage-graph.ts';
import { DECK_STATUSES, type DeckStatus } from '../../domain/temporal/search-attributes.ts';
import { deckDetails, workflowUrl, type DetailsGap } from '../../domain/temporal/run-details.ts';
import { makePoolWorkflowId } from '../../contracts/pool.ts';
import { ATTRIBUTES } from '../../contracts/search-attributes.ts';
import type { DeckWorkflowInput } from '../../contracts/decks.ts';

/** Gaps whose reason is kept for the details. */
const GAPS_KEPT = 10;

/** The kinds of work as people read them. */
const WORK_NAMES = {
  rendered: 'pages drawn',
  slides: 'slides read',
  condensed: 'slides condensed',
  extractions: 'values and sector',
  answers: 'questions answered',
  scores: 'answers scored',
  specialised: 'specialised readings',
} as const;

type Tallies = Readonly<Record<keyof typeof WORK_NAMES, Tally>>;

/** Counts one kind of work; the numbers the progress query shows. */
export interface Tally {
  done: number;
  failed: number;
  total: number;
}

/** Counts over all calls of the run. */
export interface CallCounts {
  cachedCalls: number;
  modelCalls: number;
  gaps: number;
}

/** What a run waits for while nothing of it moves. */
export interface Waiting {
  readonly reason: string;
  readonly pools: readonly string[];
}

/** The details of one run. */
export class RunDetails {
  readonly #input: DeckWorkflowInput;
  readonly #tallies: Tallies;
  readonly #counts: CallCounts;
  #stage: Stage;
  #paused: boolean;
  #waiting: Waiting | null = null;
  #end: RunSummary | null = null;
  #template: string | null = null;
  readonly #gaps: DetailsGap[] = [];
  #moves = 0;
  /** As the server has it; a continued run begins with what the one before it wrote. */
  #written: { stage: string | undefined; status: DeckStatus | undefined; template: string | undefined };

  constructor(input: DeckWorkflowInput, stage: Stage, tallies: Tallies, counts: CallCounts) {
    this.#input = input;
    this.#stage = stage;
    this.#paused = input.resume?.paused ?? false;
    this.#tallies = tallies;
    this.#counts = counts;
    const { typedSearchAttributes: known } = workflowInfo();
    const status = known.get(ATTRIBUTES.deckStatus);
    this.#written = {
      stage: known.get(ATTRIBUTES.stage),
      status: DECK_STATUSES.find((s) => s === status),
      template: known.get(ATTRIBUTES.template),
    };
    this.#publish();
  }

  /** The stage it is in. */
  get stage(): Stage {
    return this.#stage;
  }

  /** Pages of the deck; 0 before the probe. */
  get pageCount(): number {
    return this.#tallies.rendered.total;
  }

  /** Grows whenever something of the run ends or begins. */
  get moves(): number {
    return this.#moves;
  }

  /** What it waits for; null while it moves, or is held. */
  get waiting(): Waiting | null {
    return this.#waiting;
  }

  /** Whether it was told that an operator holds it. */
  get isHeld(): boolean {
    return this.#paused;
  }

  enter(stage: Stage): void {
    this.#stage = stage;
    this.moved();
  }

  /** Something ended: it does not wait. */
  moved(): void {
    this.#moves++;
    this.#waiting = null;
    // What was asked for while the end was written is tried all the same.
    this.#end = null;
    this.#publish();
  }

  waitsFor(waiting: Waiting | null): void {
    this.#waiting = waiting;
    this.#publish();
  }

  holds(paused: boolean): void {
    this.#paused = paused;
    if (paused) this.#waiting = null;
    this.#publish();
  }

  /** Something failed for good. */
  misses(gap: DetailsGap): void {
    this.#gaps.push(gap);
    if (this.#gaps.length > GAPS_KEPT) this.#gaps.shift();
    this.moved();
  }

  /** The template was chosen: `seven_chapter_review@2`. */
  uses(template: string): void {
    this.#template = template;
    this.#publish();
  }

  ends(summary: RunSummary): void {
    this.#end = summary;
    if (summary.status === 'completed' || summary.status === 'completed_with_gaps') this.#stage = 'review';
    this.#waiting = null;
    this.#publish();
  }

  get #status(): DeckStatus {
    if (this.#end !== null) return this.#end.status;
    if (this.#paused) return 'paused';
    return this.#waiting === null ? 'running' : 'waiting_for_capacity';
  }

  #publish(): void {
    const status = this.#status;
    const { namespace } = workflowInfo();
    const { reportUrl, uiUrl } = this.#input;
    const work = Object.entries(WORK_NAMES) as [keyof typeof WORK_NAMES, string][];
    setCurrentDetails(
      deckDetails({
        status,
        stage: this.#stage,
        work: work.map(([kind, name]) => ({ name, count: this.#tallies[kind] })),
        modelCalls: this.#counts.modelCalls,
        cachedCalls: this.#counts.cachedCalls,
        gapCount: this.#end?.gaps ?? this.#counts.gaps,
        gaps: this.#gaps,
        waitingFor: this.#waiting?.reason ?? null,
        links: [
          ...(reportUrl === null || reportUrl === undefined ? [] : [{ name: 'Report', url: reportUrl }]),
          ...(this.#waiting?.pools ?? []).map((pool) => ({
            name: `Pool ${pool}`,
            url: workflowUrl({ uiUrl, namespace }, makePoolWorkflowId(pool)),
          })),
        ],
      }),
    );
    const wanted = { stage: this.#stage, status, template: this.#template ?? this.#written.template };
    const same = (field: keyof typeof wanted): boolean => wanted[field] === this.#written[field];
    if (same('stage') && same('status') && same('template')) return;
    this.#written = wanted;
    upsertSearchAttributes([
      { key: ATTRIBUTES.stage, value: wanted.stage },
      { key: ATTRIBUTES.deckStatus, value: wanted.status },
      ...(wanted.template === undefined ? [] : [{ key: ATTRIBUTES.template, value: wanted.template }]),
    ]);
  }
}
