/**
 * What every model call of one analysis shares and what never changes during it: the deck, the language, the model and prompt of each
 * task. Loaded once per process and analysis.
 */
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { DeckhandError } from '../../../domain/errors.ts';
import { toModelSchema, type JsonSchema } from '../../../domain/json-schema.ts';
import {
  LANGUAGES,
  MODEL_TASKS,
  MODEL_TASK_NAMES,
  type Language,
  type ModelTask,
} from '../../../domain/model-tasks.ts';
import { systemMessage } from '../../../domain/prompt-assembly.ts';
import { sha256Hex } from '../../../platform/hash.ts';
import { Memo } from '../../support/memo.ts';

/** Model, options and prompt of one task under one analysis. */
export interface TaskSetup {
  readonly task: ModelTask;
  readonly modelName: string;
  /** Digest an operator pinned; the only one this analysis accepts. */
  readonly modelDigest: string;
  readonly numCtx: number;
  readonly numPredict: number;
  readonly temperature: number;
  readonly topP: number;
  readonly attemptTimeoutMs: number;
  readonly idleTokenTimeoutMs: number;
  readonly loadTimeoutMs: number;
  readonly promptVersion: number;
  /** Prompt body with its placeholders filled. */
  readonly system: string;
  readonly schema: JsonSchema;
  readonly schemaSha256: string;
}

/** A setup whose model no host has shown yet. */
type UnpinnedSetup = Omit<TaskSetup, 'modelDigest'> & { readonly modelDigest: null };

/** A host that has booted shows its models once; whoever waited for it goes on at once. */
const PIN_RETRY_MS = 1000;

export interface AnalysisContext {
  readonly analysisId: string;
  readonly tenantId: string;
  readonly deckId: string;
  readonly language: Language;
  readonly profile: string;
  readonly priority: number;
  readonly createdAt: Date;
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
 * Loads the context of an analysis.
 *
 * @throws DeckhandError `not_found` (analysis deleted), `prompt_missing`, `model_not_configured`; `model_not_ready` (retried) while a
 *   model's digest has not been pinned because no host has shown it yet.
 */
export async function loadAnalysisContext(db: PrismaClient, analysisId: string): Promise<AnalysisContext> {
  const analysis = await db.analysis.findUnique({ where: { id: analysisId } });
  if (analysis === null) throw new DeckhandError('not_found', `analysis ${analysisId} does not exist`);
  const language = LANGUAGES.find((l) => l === analysis.language);
  if (language === undefined)
    throw new DeckhandError('invalid_request', `language ${analysis.language} is not offered`);
  const { tenantId } = analysis;
  const [configurations, prompts] = await Promise.all([
    db.modelConfiguration.findMany({ where: { tenantId, profile: analysis.modelProfile } }),
    db.prompt.findMany({ where: { tenantId }, include: { versions: true } }),
  ]);
  const setups = MODEL_TASK_NAMES.map((task): TaskSetup | UnpinnedSetup => {
    const configuration = configurations.find((c) => c.task === task);
    if (configuration === undefined) {
      throw new DeckhandError(
        'model_not_configured',
        `profile ${analysis.modelProfile} has no model for task ${task}`,
        {
          userMessage: `No model is configured for ${task}.`,
          hint: 'Run `./deckhand migrate` to seed the default model configuration.',
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
    return {
      task,
      modelName: configuration.modelName,
      modelDigest: configuration.pinnedDigest,
      numCtx: configuration.numCtx,
      numPredict: configuration.numPredict,
      temperature: configuration.temperature,
      topP: configuration.topP,
      attemptTimeoutMs: configuration.attemptTimeoutMs,
      idleTokenTimeoutMs: configuration.idleTokenTimeoutMs,
      loadTimeoutMs: configuration.loadTimeoutMs,
      promptVersion: version.version,
      system: systemMessage(version.body, language),
      schema,
      schemaSha256: sha256,
    };
  });
  // Looked at last: what an operator has to correct is told before anything waits for a host.
  const unpinned = setups.find((s) => s.modelDigest === null);
  if (unpinned !== undefined) {
    throw new DeckhandError('model_not_ready', `model ${unpinned.modelName} has not been seen on any host yet`, {
      userMessage: `Waiting for a host that serves ${unpinned.modelName}.`,
      retryAfterMs: PIN_RETRY_MS,
    });
  }
  return {
    analysisId,
    tenantId,
    deckId: analysis.deckId,
    language,
    profile: analysis.modelProfile,
    priority: analysis.priority,
    createdAt: analysis.createdAt,
    tasks: Object.fromEntries(setups.map((s) => [s.task, s])) as Record<ModelTask, TaskSetup>,
  };
}

const CONTEXTS_KEPT = 200;

/** Contexts of this process, by analysis. */
export class AnalysisContexts {
  readonly #db: PrismaClient;
  readonly #memo = new Memo<AnalysisContext>(CONTEXTS_KEPT);

  constructor(db: PrismaClient) {
    this.#db = db;
  }

  get(analysisId: string): Promise<AnalysisContext> {
    return this.#memo.get(analysisId, () => loadAnalysisContext(this.#db, analysisId));
  }
}
