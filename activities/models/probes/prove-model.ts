/** A model's part of the readiness check: what it can do, how fast it is, and whether it can be used at all. */
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { DeckhandError } from '../../../domain/errors.ts';
import { type ModelFindings, newFindings } from '../../../domain/models/probes/findings.ts';
import { ensureLoaded } from '../client/model-server.ts';
import type { ModelHost } from '../host/model-host.ts';
import type { RequiredModel } from '../host/required-models.ts';
import { probeModel, type ProbedModel } from './probe-model.ts';
import { loadFindings, loadSpeed, storeFindings, storeSpeed } from './store.ts';

/** Settings of a model that its proof needs. */
export type ProvedModel = Pick<RequiredModel, 'name' | 'numCtx' | 'loadTimeoutMs'>;

export interface ProveContext {
  readonly db: PrismaClient;
  readonly host: ModelHost;
  readonly signal: AbortSignal;
  /** Calls that it is given at a time. */
  readonly slots: number;
  /** A speed that was measured longer ago is measured again, ms. */
  readonly speedValidMs: number;
  readonly onStep: (step: string) => void;
  /** Time for the probes, ms. */
  readonly budgetMs: number;
}

/** A model that can be used. Times in ms. */
export interface Proved {
  readonly loadMs: number;
  readonly trialMs: number;
  readonly findings: ModelFindings;
}

/**
 * Proves a model. What is known of its digest on this version of the server is not found out again, nor a speed that was measured lately.
 *
 * @throws DeckhandError `model_cannot_answer` with the reason; `model_stalled` when the server does not answer; errors of the server
 */
export async function proveModel(model: ProvedModel, context: ProveContext): Promise<Proved> {
  const { db, host, signal, slots, speedValidMs, onStep, budgetMs } = context;
  const { loadMs, version, probed } = await lookAtModel(model, context);
  const machine = { instance: host.name, digest: version.digest };
  const [stored, measured] = await Promise.all([loadFindings(db, version), loadSpeed(db, machine)]);
  // A refusal is found anew: its reason may be gone.
  const known = stored !== null && stored.answers !== null && stored.refusal === null ? stored : null;
  const isFresh = measured !== null && Date.now() - measured.measuredAt.getTime() < speedValidMs;
  let startedMs = performance.now();
  const { askedWindowTokens, windowTokens, trainedWindowTokens } = probed;
  if (known === null || !isFresh) onStep('waiting until nothing else runs on its server');
  const { findings, speed } =
    known !== null && isFresh
      ? { findings: { ...known, askedWindowTokens, windowTokens, trainedWindowTokens }, speed: measured.speed }
      : await host.prove(signal, () => {
          // Waiting for its turn takes nothing of the time for probes.
          startedMs = performance.now();
          return probeModel(host.server, probed, { parallel: slots, signal, budgetMs, onStep, known });
        });
  const trialMs = Math.round(performance.now() - startedMs);
  await storeFindings(db, version, findings);
  if (speed !== null && !(known !== null && isFresh))
    await storeSpeed(db, { ...machine, modelName: model.name }, speed);
  if (findings.refusal !== null) throw cannotAnswer(model.name, host.name, findings.refusal);
  host.noteFindings(model.name, findings);
  if (speed !== null) {
    host.speeds.measured(model.name, speed);
    if (speed.slots !== null) host.limitSlots(speed.slots);
  }
  return { loadMs, trialMs, findings };
}

/**
 * Looks at the window of a model before its digest is pinned: decks are planned as soon as it is, and their text has to fit.
 *
 * @throws DeckhandError errors of the server
 */
export async function storeWindow(
  model: ProvedModel,
  context: Pick<ProveContext, 'db' | 'host' | 'signal'>,
): Promise<void> {
  const { version, probed } = await lookAtModel(model, context);
  const { askedWindowTokens, seesPictures, windowTokens, trainedWindowTokens } = probed;
  const stored = (await loadFindings(context.db, version)) ?? newFindings(askedWindowTokens, seesPictures);
  await storeFindings(context.db, version, { ...stored, askedWindowTokens, windowTokens, trainedWindowTokens });
}

async function lookAtModel(
  { name, numCtx, loadTimeoutMs }: ProvedModel,
  { host, signal }: Pick<ProveContext, 'host' | 'signal'>,
): Promise<{
  readonly loadMs: number;
  readonly version: { readonly digest: string; readonly serverVersion: string; readonly modelName: string };
  readonly probed: ProbedModel;
}> {
  const { digest, serverVersion, capabilities, trainedWindowTokens } = await host.server.inspect(name, { signal });
  const { loadMs, windowTokens } = await ensureLoaded(host.server, name, { numCtx, loadTimeoutMs }, { signal });
  return {
    loadMs,
    version: { digest, serverVersion, modelName: name },
    probed: {
      name,
      askedWindowTokens: numCtx,
      windowTokens,
      trainedWindowTokens,
      seesPictures: capabilities.includes('vision'),
      canThink: capabilities.includes('thinking'),
    },
  };
}

function cannotAnswer(model: string, instance: string, reason: string): DeckhandError {
  return new DeckhandError('model_cannot_answer', `${model} on ${instance} cannot be used: ${reason}`, {
    userMessage: `${model} cannot be used: ${reason}.`,
    hint: 'Choose another model, or another version of the model server; `./deckhand models check` shows what was found out.',
  });
}
