/** Contract to start the deletion of a deck: names, ids, input, result. No workflow code. */

/** Workflow type of the deletion of one deck. */
export const DELETION_WORKFLOW = 'deleteDeck';

/** Workflow id of the deletion of a deck. */
export const makeDeletionWorkflowId = (deckId: string): string => `deletion/${deckId}`;

/** How much was removed. A step that was repeated after a crash counts what its last try found. */
export interface RemovedCounts {
  readonly analyses: number;
  readonly slides: number;
  /** Stored answers of models that no other deck uses. */
  readonly modelResults: number;
  /** Runs in Temporal: of analyses, each part of a continued one, and of their notifications. */
  readonly histories: number;
}

export const NOTHING_REMOVED: RemovedCounts = { analyses: 0, slides: 0, modelResults: 0, histories: 0 };

/** Input of {@link DELETION_WORKFLOW}: ids only, because this history stays when all else is gone. */
export interface DeletionInput {
  readonly tenantId: string;
  readonly deckId: string;
  /** What was removed before it continued as new; absent at the start. */
  readonly removed?: RemovedCounts;
  /** Test hook: time that cancelled runs have to end by themselves, instead of a minute. */
  readonly runEndLimitMs?: number;
}
