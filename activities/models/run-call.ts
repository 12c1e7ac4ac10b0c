/** One model call = one activity = one stored result. Every activity of `activities.ts` is this function. */
import { randomUUID } from 'node:crypto';
import { Context } from '@temporalio/activity';
import type { Analysis, ModelCall, PrismaClient } from '../../generated/prisma/client.ts';
import { DeckhandError, errorText } from '../../domain/errors.ts';
import { thinkingToAsk } from '../../domain/models/probes/findings.ts';
import { MODEL_TASKS, type ModelTask, modelTaskOf } from '../../domain/models/model-tasks.ts';
import { isFinished } from '../../domain/decks/report.ts';
import { plainText } from '../../domain/text/plain-text.ts';
import type { BlobStore } from '../../platform/blobs.ts';
import type { Logger } from '../../platform/log.ts';
import { countCallEnds } from '../metrics/counting.ts';
import { withHeartbeat } from '../support/heartbeat.ts';
import { Memo } from '../../platform/memo.ts';
import { Turns } from './turns.ts';
import { generateStructured, type CallPhase, type ModelReply } from './client/generate.ts';
import type { ModelHost, InspectedModel } from './host/model-host.ts';
import { pinnedSetup, type AnalysisContext, type AnalysisContexts, type PinnedSetup } from './analysis-context.ts';
import { CallInputSource, contentKeyOf, type CallInput } from './call-input.ts';
import { assembleDeckText, deckTextTokenLimit, type DeckText } from './deck-text.ts';
import { applyInTransaction, applyResult, prepareResult, quotePages } from './store-result.ts';
import { lacksSlides } from './built-without.ts';
import { beginAttempt } from './call-attempts.ts';
import { Sends } from './sends.ts';
import { retryStore } from './retry-store.ts';

/** Assembled deck texts kept per process; a text call then costs no reading of the whole deck. */
const DECK_TEXTS_KEPT = 20;

export interface ModelCallDeps {
  readonly db: PrismaClient;
  readonly blobs: BlobStore;
  readonly host: ModelHost;
  readonly contexts: AnalysisContexts;
  readonly log: Logger;
}

/** Message in the log for an attempt without a usable answer; `fault` says its class. */
export const UNUSABLE_ANSWER = 'an attempt gave no usable answer';

/** Input of every model-call activity. */
export interface ModelCallInput {
  readonly callId: string;
  readonly analysisId: string;
  /** Priority of the analysis under which it was scheduled; absent = whatever it is. */
  readonly priority?: number;
}

/** What the workflow learns of a finished call. */
export interface ModelCallOutcome {
  /** True when the result was there already and no model was asked. */
  readonly cached: boolean;
  readonly attempts: number;
  readonly durationMs: number;
  /**
   * Why it was not answered after all and is to be scheduled again: the analysis was paused or got another priority before it began, or what
   * the call reads has changed since it was planned.
   */
  readonly unanswered?: 'taken_back' | 'input_changed';
}

const unanswered = (why: 'taken_back' | 'input_changed'): ModelCallOutcome => ({
  cached: false,
  attempts: 0,
  durationMs: 0,
  unanswered: why,
});

/** Columns of an analysis that decide whether its calls go to a model. */
const standing = { status: true, pausedAt: true, priority: true } as const;

/**
 * True when the run holds its calls, or has scheduled this one again under another priority.
 *
 * @param scheduledPriority absent = whatever it is
 */
function isTakenBack(
  { status, pausedAt, priority }: Pick<Analysis, keyof typeof standing>,
  scheduledPriority?: number,
): boolean {
  // The row of an analysis that was closed from outside does not say what its run wants.
  if (isFinished(status)) return false;
  return pausedAt !== null || (scheduledPriority !== undefined && scheduledPriority !== priority);
}

/** How the requests of a call are counted. */
interface SendSetting {
  readonly signal: AbortSignal;
  readonly sends: Sends;
  /** The signal fired because the call is no longer wanted, as opposed to a lost worker. */
  readonly isWithdrawn: () => boolean;
  readonly onFault: (fault: string) => void;
}

/** Runs model calls on one host. */
export class ModelCallRunner {
  readonly #deps: ModelCallDeps;
  readonly #deckTexts = new Memo<DeckText>({ limit: DECK_TEXTS_KEPT });
  readonly #turns = new Turns();

  constructor(deps: ModelCallDeps) {
    this.#deps = deps;
  }

  /**
   * Answers a planned call: from a stored result when there is one by now, else by the model, and stores it.
   *
   * @throws DeckhandError permanent kinds when the call fails for good, others to be retried; the signal's reason when cancelled.
   */
  run(input: ModelCallInput): Promise<ModelCallOutcome> {
    const initial: CallPhase = { phase: 'waiting', tokens: 0, attempt: 1 };
    const activity = Context.current();
    const isWithdrawn = (): boolean => activity.cancellationDetails?.cancelRequested === true;
    return withHeartbeat(initial, async ({ signal, report }) => {
      const { db, contexts, host } = this.#deps;
      const found = await db.modelCall.findUnique({
        where: { id: input.callId },
        include: { analysis: { select: standing } },
      });
      if (found === null) throw new DeckhandError('not_found', `model call ${input.callId} does not exist any more`);
      const { analysis, ...call } = found;
      if (call.state === 'stored') return { cached: true, attempts: 0, durationMs: 0 };
      // The row is written before calls are taken back, so a call that begins meanwhile reads it here before it asks a model.
      if (isTakenBack(analysis, input.priority)) return unanswered('taken_back');
      // A slide that was missing when this call was planned has been read since.
      if (lacksSlides(call)) return unanswered('input_changed');
      const context = await contexts.get(input.analysisId);

      // Two runs that need the same result of this host at the same time compute it once.
      return this.#turns.take(call.contentKey, signal, async () => {
        const stored = await db.modelResult.findUnique({
          where: { tenantId_contentKey: { tenantId: context.tenantId, contentKey: call.contentKey } },
        });
        if (stored !== null) {
          await applyResult(db, context, call, stored, { cached: true });
          return { cached: true, attempts: 0, durationMs: 0 };
        }

        const task = modelTaskOf(call.task);
        const setup = pinnedSetup(context, task);
        const request = await this.#inputOf(context, call);
        if (request === null) return unanswered('input_changed');
        const sends = new Sends(db, call, signal);
        sends.throwIfExhausted();
        const answer: Parameters<typeof host.call<ModelCallOutcome>>[1] = async (callSignal, progress) => {
          // It may have waited for a slot: a run that was paused meanwhile sends nothing more to a model.
          const now = await db.analysis.findUniqueOrThrow({ where: { id: input.analysisId }, select: standing });
          if (isTakenBack(now)) return unanswered('taken_back');
          return this.#recorded(call, { context, setup, priority: now.priority }, callSignal, async () => {
            const model = await host.checkPinned(setup, callSignal);
            progress.asks(task);
            const onFault = (fault: string): void => {
              // The class alone: its detail may have words of the deck.
              const { id: callId, analysisId } = call;
              this.#deps.log.info({ analysisId, callId, task, fault }, UNUSABLE_ANSWER);
            };
            const sending = { signal: callSignal, sends, isWithdrawn, onFault };
            const reply = await this.#ask(setup, request, sending, (phase) => {
              report(phase);
              progress.followed(phase);
            });
            // A short absence of the database must not cost a second call.
            await retryStore(callSignal, () => this.#store(context, call, setup, model, reply));
            return reply;
          });
        };
        // Whether a runner ends because of this call shows where no other one runs beside it.
        return host.call(signal, answer, { alone: sends.hasCrashed });
      });
    });
  }

  /** Records for the ledger how long the call holds its slot, however it ends. */
  async #recorded(
    call: ModelCall,
    setting: { readonly context: AnalysisContext; readonly setup: PinnedSetup; readonly priority: number },
    signal: AbortSignal,
    answer: () => Promise<ModelReply<unknown>>,
  ): Promise<ModelCallOutcome> {
    const { context, setup, priority } = setting;
    const place = { instance: this.#deps.host.name, deckId: context.deckId, modelName: setup.modelName, priority };
    const attempt = await beginAttempt(this.#deps, call, place, signal);
    try {
      const reply = await answer();
      await attempt.end({ kind: 'stored', ...reply });
      return { cached: false, attempts: reply.attempts, durationMs: Math.round(reply.totalMs) };
    } catch (error) {
      await attempt.end(signal.aborted ? { kind: 'cut' } : { kind: 'failed', error });
      throw error;
    }
  }

  /** Input of a call; null when it has changed since the call was planned, for example because a failed slide was read at last. */
  async #inputOf(context: AnalysisContext, call: ModelCall): Promise<CallInput | null> {
    const { db } = this.#deps;
    const task = modelTaskOf(call.task);
    const keyOf = (each: ModelTask): string => `${context.analysisId}/${deckTextTokenLimit(context, each)}`;
    const build = async (): Promise<CallInput | null> => {
      const source = new CallInputSource(db, context, {
        deckText: (each) => this.#deckTexts.get(keyOf(each), () => assembleDeckText(db, context, each)),
      });
      const input = await source.build({ task, slideNumber: call.slideNumber, questionId: call.questionId });
      return contentKeyOf(context, task, input) === call.contentKey ? input : null;
    };
    const input = await build();
    if (input !== null) return input;
    // The cached text may be older than the plan.
    this.#deckTexts.forget(keyOf(task));
    return build();
  }

  async #ask(
    setup: PinnedSetup,
    input: CallInput,
    { signal, sends, isWithdrawn, onFault }: SendSetting,
    report: (phase: CallPhase) => void,
  ): Promise<ModelReply<unknown>> {
    const { host, blobs } = this.#deps;
    const images = input.image === null ? [] : [await blobs.get(input.image.blobKey)];
    const { schema } = MODEL_TASKS[setup.task];
    const findings = host.findingsOf(setup.modelName);
    const thinking = thinkingToAsk(findings);
    const pictureTokens = findings?.tokensPerPicture ?? null;
    const asked = generateStructured<unknown>(
      {
        server: host.server,
        model: setup.modelName,
        system: setup.system,
        user: input.user,
        images,
        ...(pictureTokens !== null && { pictureTokens }),
        schema: setup.schema,
        schemaName: setup.task,
        ...(thinking !== undefined && { thinking }),
        options: {
          numCtx: setup.numCtx,
          numPredict: setup.numPredict,
          temperature: setup.temperature,
          topP: setup.topP,
        },
        limits: {
          ofAttempt: (work) => host.limitsOf(setup.modelName, work),
          loadTimeoutMs: setup.loadTimeoutMs,
          maxAttempts: sends.left,
        },
      },
      (json) => schema.parse(json),
      {
        signal,
        onPhase: report,
        onFault,
        onSend: () => sends.begin(),
        onSent: async (work, end) => {
          host.learn(setup.modelName, work, end);
          if (end.kind === 'answered') await sends.end();
          else if (!signal.aborted) await sends.end(end.error);
          else if (isWithdrawn()) await sends.withdraw();
          else await sends.end(this.#lossOf(signal));
        },
      },
    );
    return asked.catch((error: unknown) => {
      throw sends.finalError(error);
    });
  }

  /** The error of a request that was taken away from its machine. */
  #lossOf({ reason }: AbortSignal): DeckhandError {
    const { host } = this.#deps;
    const why = errorText(reason);
    // It had been silent for too long when the machine was taken away for that.
    if (host.isOverdue) {
      const userMessage = 'The model said nothing for longer than it needs, and its machine was taken out of service.';
      return new DeckhandError('model_stalled', `silent on ${host.name}: ${why}`, { userMessage });
    }
    const userMessage = `Its machine was taken away: ${why}.`;
    return new DeckhandError('host_not_ready', `lost with ${host.name}: ${why}`, { userMessage });
  }

  async #store(
    context: AnalysisContext,
    call: ModelCall,
    setup: PinnedSetup,
    model: InspectedModel,
    reply: ModelReply<unknown>,
  ): Promise<void> {
    const { db, host } = this.#deps;
    const { tenantId } = context;
    const { contentKey } = call;
    const id = randomUUID();
    const output = JSON.stringify(reply.value);
    const own = await prepareResult(db, context, call, { id, output, engineKind: model.engineKind });
    await db.$transaction(async (tx) => {
      const { count } = await tx.modelResult.createMany({
        data: {
          id,
          tenantId,
          contentKey,
          task: setup.task,
          modelName: setup.modelName,
          modelDigest: setup.modelDigest,
          promptVersion: setup.promptVersion,
          language: context.language,
          numCtx: setup.numCtx,
          numPredict: setup.numPredict,
          temperature: setup.temperature,
          topP: setup.topP,
          temperatureUsed: reply.temperatureUsed,
          seedUsed: reply.seedUsed,
          attempts: reply.attempts,
          output,
          engineKind: model.engineKind,
          serverVersion: versionWith(model.serverVersion, reply.fingerprint),
          host: host.name,
          outsideHost: host.server.outsideHost(),
          promptTokens: reply.promptTokens,
          outputTokens: reply.outputTokens,
          loadMs: Math.round(reply.loadMs),
          durationMs: Math.round(reply.totalMs),
        },
        // Another run may have stored the same result meanwhile: that one stays.
        skipDuplicates: true,
      });
      let result = own;
      if (count === 0) {
        const where = { tenantId_contentKey: { tenantId, contentKey } };
        const stored = await tx.modelResult.findUniqueOrThrow({ where });
        result = { ...own, ...stored, pages: await quotePages(tx, context, [{ call, result: stored }]) };
      }
      await applyInTransaction(tx, context, call, result, { cached: false });
    });
    countCallEnds([call], 'stored', false);
  }
}

const FINGERPRINT_CHARS = 80;

/** A server's version with the fingerprint of the answer, unless it has it already. */
function versionWith(version: string, fingerprint: string | null): string {
  const shown = fingerprint === null ? '' : plainText(fingerprint, FINGERPRINT_CHARS);
  return shown === '' || version.includes(shown) ? version : `${version}, fingerprint ${shown}`;
}
