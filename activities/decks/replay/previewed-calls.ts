/** The calls of a dry run: those that the replay would make, those that the replayed analysis made, and those that stored results could answer. */
import type { ModelCall, PrismaClient } from '../../../generated/prisma/client.ts';
import { editionOf } from '../../../domain/decks/replay/edition.ts';
import {
  conditionInWords,
  reasonOf,
  type CallBefore,
  type Condition,
  type ReplayCall,
} from '../../../domain/decks/replay/plan.ts';
import {
  gapItemOf,
  MODEL_TASKS,
  modelTaskOf,
  type CallSubject,
  type ModelTask,
} from '../../../domain/models/model-tasks.ts';
import { loadMarks, type AnalysisContext } from '../../models/analysis-context.ts';
import type { TemplateQuestions } from '../template.ts';
import { callByItem } from './origin.ts';

/** The analysis that is replayed, as far as a plan goes. */
export interface ReplayedAnalysis {
  readonly analysisId: string;
  readonly editionOf: (task: ModelTask) => string | null;
  /** Null when the profile has no model for the task. */
  readonly modelNameOf: (task: ModelTask) => string | null;
}

/**
 * Reads what its calls were made with from its rows alone: a model that it used may have left the profile since, and it can be replayed with
 * another one all the same.
 */
export async function loadReplayedAnalysis(db: PrismaClient, analysisId: string): Promise<ReplayedAnalysis> {
  const analysis = await db.analysis.findUniqueOrThrow({
    where: { id: analysisId },
    include: { modelOverrides: true },
  });
  const { tenantId, modelProfile: profile } = analysis;
  const configured = await db.modelConfiguration.findMany({
    where: { tenantId, profile },
    select: { task: true, modelName: true },
  });
  const marks = await loadMarks(db, analysis);
  const models = [...analysis.modelOverrides, ...configured];
  return {
    analysisId,
    editionOf: (task) => editionOf(task, marks),
    modelNameOf: (task) => models.find((m) => m.task === task)?.modelName ?? null,
  };
}

/** Collects calls in the order they are found. */
export class PreviewedCalls {
  readonly #now: AnalysisContext;
  readonly #then: ReplayedAnalysis;
  #made: ReadonlyMap<string, CallBefore> = new Map();
  readonly #slugs = new Map<string, string>();
  readonly #calls: ReplayCall[] = [];
  readonly #outstanding: CallSubject[] = [];

  /** @param before the analysis that is replayed */
  constructor(context: AnalysisContext, before: ReplayedAnalysis) {
    this.#now = context;
    this.#then = before;
  }

  /** Calls found so far. */
  get list(): readonly ReplayCall[] {
    return this.#calls;
  }

  /** Subjects of these calls: calls that read their results have no known input. */
  get outstanding(): readonly CallSubject[] {
    return this.#outstanding;
  }

  /** The calls of the analysis that is replayed. */
  madeBefore(rows: readonly ModelCall[]): void {
    this.#made = callByItem(rows);
  }

  nameQuestions(questions: TemplateQuestions): void {
    for (const { id, slug } of questions) this.#slugs.set(id, slug);
  }

  /** What that analysis stored of a call. */
  before(subject: CallSubject): CallBefore | null {
    return this.#made.get(gapItemOf(subject)) ?? null;
  }

  /** Adds a call. `contentKey`: null while its input is not known. */
  add(
    { task, slideNumber, questionId }: CallSubject,
    before: CallBefore | null,
    contentKey: string | null,
    conditions: readonly Condition[],
  ): void {
    const setup = this.#now.tasks[task];
    const recomputed = setup.edition !== this.#then.editionOf(task) || setup.modelName !== this.#then.modelNameOf(task);
    this.#calls.push({
      task,
      stage: MODEL_TASKS[task].stage,
      slide: slideNumber,
      question: questionId === null ? null : (this.#slugs.get(questionId) ?? questionId),
      model: setup.modelName,
      reason: reasonOf(before, { contentKey, recomputed }),
      certainty: conditions.length === 0 ? 'certain' : 'conditional',
      condition: conditionInWords(conditions),
    });
    this.#outstanding.push({ task, slideNumber, questionId });
  }
}

/**
 * Whether a stored result could answer a call whose input is not known yet: one of the same item of the deck, by the same model under the
 * same prompt and language. Results of one deck, read once.
 */
export class StoredAnswers {
  readonly #db: PrismaClient;
  readonly #context: AnalysisContext;
  #items: Promise<ReadonlySet<string>> | undefined;

  constructor(db: PrismaClient, context: AnalysisContext) {
    this.#db = db;
    this.#context = context;
  }

  /** False when the call is made whatever its input turns out to be. */
  async mayAnswer(subject: CallSubject): Promise<boolean> {
    const { analysisId, tasks } = this.#context;
    // Nothing is stored under a new edition.
    if (tasks[subject.task].edition === analysisId) return false;
    return (await (this.#items ??= this.#load())).has(gapItemOf(subject));
  }

  async #load(): Promise<ReadonlySet<string>> {
    const { tenantId, deckId, language, tasks } = this.#context;
    const calls = await this.#db.modelCall.findMany({
      where: { state: 'stored', analysis: { deckId } },
      select: { task: true, slideNumber: true, questionId: true, contentKey: true },
    });
    const results = await this.#db.modelResult.findMany({
      where: { tenantId, language, contentKey: { in: [...new Set(calls.map((c) => c.contentKey))] } },
      select: { contentKey: true, modelDigest: true, promptVersion: true },
    });
    const resultOf = new Map(results.map((r) => [r.contentKey, r]));
    const usable = calls.filter((call) => {
      const { modelDigest, promptVersion } = tasks[modelTaskOf(call.task)];
      const result = resultOf.get(call.contentKey);
      return result?.modelDigest === modelDigest && result.promptVersion === promptVersion;
    });
    return new Set(usable.map(gapItemOf));
  }
}
