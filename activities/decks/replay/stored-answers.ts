/**
 * Whether a stored result could answer a call whose input is not known yet: one of the same item of the deck, by the same model under the
 * same prompt and language.
 */
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import type { AnalysisContext } from '../../models/plan/analysis-context.ts';
import type { CallSubject } from '../../models/plan/call-input.ts';
import { gapItemOf, modelTaskOf } from '../../models/store/gaps.ts';

/** Results of one deck, read once. */
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
    // Nothing is stored under an edition that has just begun.
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
