/**
 * The choices of a replay request, and the row they make: the origin's values, unless the request overrides them.
 */
import { DeckhandError } from '../../errors.ts';
import { MODEL_TASK_NAMES, type ModelTask } from '../../models/model-tasks.ts';
import type { Stage } from '../stage-graph.ts';

/**
 * `full`: everything is planned again, stored results stand. `gaps`: only what failed is computed, what was built without it stays as it is.
 */
export const REPLAY_KINDS = ['full', 'gaps'] as const;
export type ReplayKind = (typeof REPLAY_KINDS)[number];

/** The choices of a request. */
export interface ReplayChoices {
  readonly kind: ReplayKind;
  /** Stage from which everything is computed anew although results are stored; null = nothing is. */
  readonly from: Stage | null;
  /** Another model for a task; null = the configured one again. Tasks that are not named keep what the origin used. */
  readonly models: Readonly<Partial<Record<ModelTask, string | null>>>;
  /** Template slug, null to let the sector decide, undefined for the origin's choice. */
  readonly template: string | null | undefined;
  /** 1 (critical) … 5 (batch); undefined for the origin's. */
  readonly priority: number | undefined;
  /** Gap items a replay of kind gaps is limited to; empty = all. */
  readonly items: readonly string[];
}

/** A model that an analysis uses instead of the configured one. */
export interface ModelOverrideRow {
  readonly task: string;
  readonly modelName: string;
}

/** The columns of an analysis that a replay takes over or sets. */
export interface ReplayColumns {
  readonly replayOfId: string | null;
  readonly replayKind: string | null;
  readonly replayItems: string[];
  readonly recomputeFrom: string | null;
  readonly edition: string | null;
  readonly priority: number;
  readonly requestedTemplate: string | null;
}

/** The analysis that is replayed. */
export interface ReplayOrigin extends ReplayColumns {
  readonly id: string;
  readonly overrides: readonly ModelOverrideRow[];
}

const refuse = (message: string, hint: string): DeckhandError =>
  new DeckhandError('invalid_request', message, { userMessage: message, hint });

/**
 * Columns and overrides of a replay under the id `id`.
 *
 * @throws DeckhandError `invalid_request` for choices that exclude each other
 */
export function resolveReplay(
  id: string,
  origin: ReplayOrigin,
  choices: ReplayChoices,
): { readonly columns: ReplayColumns; readonly overrides: ModelOverrideRow[] } {
  const { kind, from, template, items } = choices;
  if (kind === 'gaps' && from !== null) {
    throw refuse(
      'A replay that fills gaps computes nothing else anew.',
      `Leave out one of the two: gaps, or from ${from}.`,
    );
  }
  if (kind === 'gaps' && template !== undefined && template !== origin.requestedTemplate) {
    throw refuse(
      'A replay that fills gaps keeps the answers there are, and with them their template.',
      'Leave out one of the two: gaps, or the template.',
    );
  }
  if (kind === 'full' && items.length > 0) {
    throw refuse('Only a replay that fills gaps can be limited to items.', 'Ask for kind gaps.');
  }
  const inherited = { recomputeFrom: origin.recomputeFrom, edition: origin.edition };
  return {
    columns: {
      replayOfId: origin.id,
      replayKind: kind,
      replayItems: items.toSorted((a, b) => a.localeCompare(b)),
      ...(from === null ? inherited : { recomputeFrom: from, edition: id }),
      priority: choices.priority ?? origin.priority,
      requestedTemplate: template === undefined ? origin.requestedTemplate : template,
    },
    overrides: overridesOf(origin.overrides, choices.models),
  };
}

/** In the order of the tasks, so that equal choices give equal rows. */
function overridesOf(origin: readonly ModelOverrideRow[], asked: ReplayChoices['models']): ModelOverrideRow[] {
  return MODEL_TASK_NAMES.flatMap((task) => {
    const said = asked[task];
    const modelName = said === undefined ? origin.find((o) => o.task === task)?.modelName : said;
    return modelName === undefined || modelName === null ? [] : [{ task, modelName }];
  });
}

/**
 * True when an existing replay was requested with these columns and overrides. Priority is not compared: it changes no result and may have been
 * changed since.
 */
export function isSameReplay(
  row: ReplayColumns & { readonly id: string; readonly overrides: readonly ModelOverrideRow[] },
  asked: { readonly columns: ReplayColumns; readonly overrides: readonly ModelOverrideRow[] },
  askedId: string,
): boolean {
  // A replay's own edition is its id.
  const shape = (columns: ReplayColumns, id: string, overrides: readonly ModelOverrideRow[]): string =>
    JSON.stringify([
      columns.replayOfId,
      columns.replayKind,
      columns.replayItems,
      columns.recomputeFrom,
      columns.edition === id ? 'own' : columns.edition,
      columns.requestedTemplate,
      overrides.map((o) => `${o.task}=${o.modelName}`).toSorted((a, b) => a.localeCompare(b)),
    ]);
  return shape(row, row.id, row.overrides) === shape(asked.columns, askedId, asked.overrides);
}
