/**
 * What all model calls of one analysis share and what does not change during it: the deck, the language, the model and prompt of each
 * task. Loaded once per process and analysis.
 */
import type { Analysis, PrismaClient } from '../../generated/prisma/client.ts';
import { DeckhandError } from '../../domain/errors.ts';
import { toModelSchema, type JsonSchema } from '../../domain/models/json-schema.ts';
import {
  LANGUAGES,
  MODEL_TASKS,
  MODEL_TASK_NAMES,
  type Language,
  type ModelTask,
  modelTaskOf,
} from '../../domain/models/model-tasks.ts';
import { usableWindow } from '../../domain/models/probes/findings.ts';
import { systemMessage } from '../../domain/models/prompt-assembly.ts';
import { STAGES } from '../../domain/decks/stage-graph.ts';
import { editionOf, marksOf, type EditionMark } from '../../domain/decks/replay/edition.ts';
import { configurationOfModel } from '../../domain/decks/replay/override.ts';
import { sha256Hex } from '../../platform/hash.ts';
import { Memo } from '../../platform/memo.ts';
import { servedWindows } from './probes/store.ts';

/** Model, options and prompt of one task under one analysis. */
export interface TaskSetup {
  readonly task: ModelTask;
  readonly modelName: string;
  /** Pinned digest, the only one this analysis accepts; null until a host has shown the model. See {@link pinnedSetup}. */
  readonly modelDigest: string | null;
  /** ISO 639-1 of the languages that the model reads; empty = all. */
  readonly languages: readonly string[];
  readonly numCtx: number;
  /** Window of the configured model; another than `numCtx` only where the analysis uses another model for this task. */
  readonly configuredNumCtx: number;
  readonly numPredict: number;
  readonly temperature: number;
  readonly topP: number;
  readonly loadTimeoutMs: number;
  readonly promptVersion: number;
  /** Prompt body with its placeholders filled. */
  readonly system: string;
  readonly schema: JsonSchema;
  readonly schemaSha256: string;
  /** Set when a replay computes this task anew although results are stored: stands in the content keys. */
  readonly edition: string | null;
}

/** The analysis whose gaps another one fills. */
export interface GapsOrigin {
  readonly analysisId: string;
  /** Gap items to fill; empty = all. */
  readonly items: readonly string[];
}

/** A setup whose model is pinned. */
export type PinnedSetup = TaskSetup & { readonly modelDigest: string };

/** A host shows its models once when it has booted; calls that wait for one of them are retried after this time. */
const PIN_RETRY_MS = 1000;

export interface AnalysisContext {
  readonly analysisId: string;
  readonly tenantId: string;
  readonly deckId: string;
  readonly language: Language;
  readonly profile: string;
  readonly createdAt: Date;
  /** Set when this analysis fills the gaps of another and takes over what that one has. */
  readonly gapsOf: GapsOrigin | null;
  readonly tasks: Readonly<Record<ModelTask, TaskSetup>>;
}

const schemas = new Map<ModelTask, { schema: JsonSchema; sha256: string }>();

function schemaOf(task: ModelTask): { schema: JsonSchema; sha256: string } {
  const known = schemas.get(task);
  if (known !== undefined) return known;
  const schema = toModelSchema(MODEL_TASKS[task].schema, task);
  const made = { schema, sha256: sha256Hex(JSON.stringify(schema)) };
  schemas.set(task, made);
  return made;
}

/**
 * Loads the context of an analysis. Models that no host has shown yet are in it without a digest, so that a stage waits for its own only.
 *
 * @throws DeckhandError `not_found` (analysis deleted), `prompt_missing`, `model_not_configured`
 */
async function loadAnalysisContext(db: PrismaClient, analysisId: string): Promise<AnalysisContext> {
  const analysis = await db.analysis.findUnique({ where: { id: analysisId } });
  if (analysis === null) throw new DeckhandError('not_found', `analysis ${analysisId} does not exist`);
  const language = LANGUAGES.find((l) => l === analysis.language);
  if (language === undefined)
    throw new DeckhandError('invalid_request', `language ${analysis.language} is not offered`);
  const { tenantId } = analysis;
  const [configurations, prompts, overrides, marks] = await Promise.all([
    db.modelConfiguration.findMany({ where: { tenantId, profile: analysis.modelProfile } }),
    db.prompt.findMany({ where: { tenantId }, include: { versions: true } }),
    db.modelOverride.findMany({ where: { analysisId } }),
    loadMarks(db, analysis),
  ]);
  const windows = await servedWindows(
    db,
    configurations.flatMap(({ pinnedDigest: digest, pinnedAt }) =>
      digest === null ? [] : [{ digest, knownAt: latest(analysis.createdAt, pinnedAt) }],
    ),
  );
  // Calls ask for the window that is really there, and decks are condensed to it.
  const known = configurations.map((c) => ({
    ...c,
    task: modelTaskOf(c.task),
    numCtx: usableWindow(c.numCtx, windows.get(c.pinnedDigest ?? '') ?? null),
  }));
  const setups = MODEL_TASK_NAMES.map((task): TaskSetup => {
    const configuration = known.find((c) => c.task === task);
    if (configuration === undefined) {
      throw new DeckhandError(
        'model_not_configured',
        `profile ${analysis.modelProfile} has no model for task ${task}`,
        {
          userMessage: `The profile ${analysis.modelProfile} has no model for ${task}.`,
          hint: '`./deckhand models list` shows the profiles; one that was removed can be added again under its name.',
        },
      );
    }
    const prompt = prompts.find((p) => p.task === task);
    const version = prompt?.versions.find((v) => v.version === prompt.activeVersion);
    if (version === undefined) {
      throw new DeckhandError('prompt_missing', `task ${task} has no active prompt version`, {
        userMessage: `The prompt of ${task} is missing.`,
        hint: 'Run `./deckhand migrate` to seed the prompts.',
      });
    }
    const { schema, sha256 } = schemaOf(task);
    // Window, digest and loading belong to the model; length and warmth of the answer to the task.
    const override = overrides.find((o) => o.task === task)?.modelName;
    const model = override === undefined ? configuration : configurationOfModel(task, override, known);
    if (model === null) {
      throw new DeckhandError('model_not_configured', `profile ${analysis.modelProfile} has no model ${override}`, {
        userMessage: `${override} is not a model of this profile any more.`,
        hint: 'Replay the analysis with a model that `./deckhand models` shows.',
      });
    }
    return {
      task,
      modelName: model.modelName,
      modelDigest: model.pinnedDigest,
      languages: model.languages,
      numCtx: model.numCtx,
      configuredNumCtx: configuration.numCtx,
      numPredict: configuration.numPredict,
      temperature: configuration.temperature,
      topP: configuration.topP,
      loadTimeoutMs: model.loadTimeoutMs,
      promptVersion: version.version,
      system: systemMessage(version.body, language),
      schema,
      schemaSha256: sha256,
      edition: editionOf(task, marks),
    };
  });
  return {
    analysisId,
    tenantId,
    deckId: analysis.deckId,
    language,
    profile: analysis.modelProfile,
    createdAt: analysis.createdAt,
    gapsOf:
      analysis.replayKind === 'gaps' && analysis.replayOfId !== null
        ? { analysisId: analysis.replayOfId, items: analysis.replayItems }
        : null,
    tasks: Object.fromEntries(setups.map((s) => [s.task, s])) as Record<ModelTask, TaskSetup>,
  };
}

const latest = (one: Date, other: Date | null): Date => (other !== null && other > one ? other : one);

/**
 * Setup of a task whose content keys or calls are asked for.
 *
 * @throws DeckhandError `model_not_ready` (retried) while no host has shown its model
 */
export function pinnedSetup(context: AnalysisContext, task: ModelTask): PinnedSetup {
  const setup = context.tasks[task];
  if (isPinned(setup)) return setup;
  throw new DeckhandError('model_not_ready', `model ${setup.modelName} has not been seen on any host yet`, {
    userMessage: `Waiting for a host that serves ${setup.modelName}.`,
    retryAfterMs: PIN_RETRY_MS,
  });
}

/** True when a host has shown the model. */
export const isPinned = (setup: TaskSetup): setup is PinnedSetup => setup.modelDigest !== null;

/** Editions that hold for an analysis, nearest first: its own and those of what it replays. */
export async function loadMarks(
  db: PrismaClient,
  analysis: Pick<Analysis, 'id' | 'deckId' | 'replayOfId' | 'edition'>,
): Promise<EditionMark[]> {
  if (analysis.replayOfId === null && analysis.edition === null) return [];
  const rows = await db.analysis.findMany({
    where: { deckId: analysis.deckId },
    select: { id: true, replayOfId: true, recomputeFrom: true, edition: true },
  });
  const links = rows.map(({ id, replayOfId, recomputeFrom, edition }) => {
    const from = STAGES.find((stage) => stage === recomputeFrom);
    return { id, replayOfId, mark: edition === null || from === undefined ? null : { edition, from } };
  });
  return marksOf(analysis.id, links);
}

const CONTEXTS_KEPT = 200;

/** Contexts of this process, by analysis. A context that lacks a digest is not kept: a host may show the model at any time. */
export class AnalysisContexts {
  readonly #db: PrismaClient;
  readonly #memo = new Memo<AnalysisContext>({ limit: CONTEXTS_KEPT });

  constructor(db: PrismaClient) {
    this.#db = db;
  }

  /** @throws DeckhandError as {@link loadAnalysisContext} */
  async get(analysisId: string): Promise<AnalysisContext> {
    const context = await this.#memo.get(analysisId, () => loadAnalysisContext(this.#db, analysisId));
    if (!Object.values(context.tasks).every(isPinned)) this.#memo.forget(analysisId);
    return context;
  }
}
