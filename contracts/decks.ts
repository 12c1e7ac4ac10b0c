/** Contract to start, query and cancel a deck's run: names, ids, input. No workflow code, so that the API can import it. */
import type { CallShare } from '../domain/decks/admission/shares.ts';
import type { Language, TaskType } from '../domain/models/model-tasks.ts';
import { PRIORITIES } from '../domain/decks/priority.ts';

/** Workflow type of one run over a deck. */
export const DECK_WORKFLOW = 'deckAnalysis';
/** Query that answers {@link DeckProgress}. */
export const PROGRESS_QUERY = 'progress';

/** Signal: schedule nothing more, take back what has not started. Payload {@link Held}. */
export const PAUSE_SIGNAL = 'pause';
/** Signal: go on. */
export const RESUME_SIGNAL = 'resume';
/** Signal: another priority, also for what is scheduled and has not started. Payload {@link PriorityChange}. */
export const PRIORITY_SIGNAL = 'changePriority';
/** Signal: try the failed calls of one slide or question again. Payload {@link ItemRetry}. */
export const RETRY_SIGNAL = 'retryItem';

/** Signal: another number of calls that the run may have scheduled. Payload {@link ToldShare}. */
export const SHARE_SIGNAL = 'share';

/** A share with its version: of two, the run follows the newer one, whichever arrives first. */
export interface ToldShare {
  readonly share: CallShare;
  readonly version: number;
}

/** Signal: nothing can serve the run any more, so it ends with what it has. Payload {@link Unserved}. */
export const UNSERVED_SIGNAL = 'unserved';

/** Since when nothing has served a run, ms since 1970. */
export interface Unserved {
  readonly sinceMs: number;
}

/** Who holds a run. */
export interface Held {
  readonly by: string;
}
export interface PriorityChange {
  /** 1 (critical) … 5 (batch). */
  readonly priority: number;
}
/** Exactly one of the two. */
export interface ItemRetry {
  readonly slide: number | null;
  /** Question id. */
  readonly questionId: string | null;
}

/** True for what {@link PRIORITY_SIGNAL} can follow: signals may be sent by hand. */
export const isPriorityChange = (payload: unknown): payload is PriorityChange =>
  isObject(payload) && 'priority' in payload && PRIORITIES.some((priority) => priority === payload.priority);

/** True for what {@link RETRY_SIGNAL} can follow. */
export function isItemRetry(payload: unknown): payload is ItemRetry {
  if (!isObject(payload) || !('slide' in payload) || !('questionId' in payload)) return false;
  const { slide, questionId } = payload;
  return slide === null ? typeof questionId === 'string' : Number.isInteger(slide) && questionId === null;
}

/** True for what {@link SHARE_SIGNAL} can follow. */
export const isToldShare = (payload: unknown): payload is ToldShare =>
  isObject(payload) &&
  'version' in payload &&
  Number.isInteger(payload.version) &&
  'share' in payload &&
  isObject(payload.share) &&
  'gpu-visual' in payload.share &&
  Number.isInteger(payload.share['gpu-visual']) &&
  'gpu-text' in payload.share &&
  Number.isInteger(payload.share['gpu-text']);

const isObject = (payload: unknown): payload is object => typeof payload === 'object' && payload !== null;

/** Workflow id of an analysis; one analysis is one workflow, continued as new. */
export const makeDeckWorkflowId = (analysisId: string): string => `analysis/${analysisId}`;
/** The analysis of such a workflow. */
export const analysisIdOf = (workflowId: string): string => workflowId.replace(/^analysis\//u, '');

/** Input of {@link DECK_WORKFLOW}: ids and choices, never content. */
export interface DeckWorkflowInput {
  readonly tenantId: string;
  readonly analysisId: string;
  readonly deckId: string;
  readonly language: Language;
  readonly profile: string;
  /** 1 (critical) … 5 (batch). */
  readonly priority: number;
  readonly requestedTemplate: string | null;
  /** Null for the full review. */
  readonly taskType: TaskType | null;
  /** Share of the tenant beside others that have work queued; 1 when absent. */
  readonly fairnessWeight?: number;
  /** Within this time a deck is to be done; a call that waits for twice as long moves up a class. 10 minutes when absent. */
  readonly slaMs?: number;
  /** The run ends at this time with what is stored by then, ms since 1970; absent = without one. */
  readonly deadlineAtMs?: number;
  /** Pool whose own queues the model calls wait in; absent = the queues of all pools. */
  readonly poolName?: string;
  /** Where people read the report, for the Temporal UI; null or absent = not known. */
  readonly reportUrl?: string | null;
  /** Where the Temporal UI is, for links to other workflows; absent = not known. */
  readonly uiUrl?: string;
  /** File name and number of pages for summaries; encrypted like every payload. */
  readonly deckLabel?: string;
  /** Test hook: continue as new at this history length instead of the server's suggestion. */
  readonly maxHistoryLength?: number;
  /** Test hook: how long nothing moves before it is looked into whether the run waits for capacity. */
  readonly firstLookMs?: number;
  /** Where a continued run goes on; absent at the start. */
  readonly resume?: DeckResumeState;
}

/** State carried through continue-as-new: plain JSON, counts and positions only; results are in the database. */
export interface DeckResumeState {
  readonly pageCount: number;
  /** Windows of pages already rendered and described. */
  readonly windowsDone: number;
  /** Slide stage finished; the text stages re-plan from stored results. */
  readonly slidesDone: boolean;
  /** Held by an operator; absent = not. */
  readonly paused?: boolean;
  /** Priority an operator gave it meanwhile; absent = the input's. */
  readonly priority?: number;
  /** Absent = nothing limits its calls. */
  readonly share?: ToldShare;
  readonly counts: {
    readonly pagesRendered: number;
    readonly pagesFailed: number;
    readonly slidesDone: number;
    readonly slidesFailed: number;
    readonly cachedCalls: number;
    readonly modelCalls: number;
    readonly gaps: number;
  };
}
