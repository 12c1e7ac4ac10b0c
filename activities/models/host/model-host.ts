/**
 * One Ollama server a gateway serves: its address, its slots, and which model digests it has proved to hold.
 */
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { DeckhandError } from '../../../domain/errors.ts';
import { inspectModel } from '../client/inspect.ts';
import type { TaskSetup } from '../plan/analysis-context.ts';
import { Slots } from './slots.ts';

/** What a host said of one of its models. */
export interface ProvenModel {
  readonly digest: string;
  readonly capabilities: readonly string[];
  /** `rules` for the built-in reader, else `language model`. */
  readonly engineKind: EngineKind;
  readonly serverVersion: string;
}

export type EngineKind = 'rules' | 'language model';

/** Model family by which the built-in reader shows that it is no language model. */
const RULES_FAMILY = 'deckhand-rules';
/** A host is asked again after this time; a model replaced behind our back is noticed within it. */
const PROOF_VALID_MS = 60_000;

/** One model server and the calls in flight on it. */
export class ModelHost {
  /** Deckhand's own name of the host, such as `static-0`. */
  readonly name: string;
  /** Base URL. */
  readonly url: string;
  readonly slots: Slots;
  readonly #proofs = new Map<string, { readonly atMs: number; readonly model: Promise<ProvenModel> }>();

  constructor(options: { readonly name: string; readonly url: string; readonly parallel: number }) {
    this.name = options.name;
    this.url = options.url;
    this.slots = new Slots(options.parallel);
  }

  /** What the host says of a model, at most a minute old. */
  inspect(modelName: string, signal: AbortSignal): Promise<ProvenModel> {
    const known = this.#proofs.get(modelName);
    if (known !== undefined && Date.now() - known.atMs < PROOF_VALID_MS) return known.model;
    const model = this.#ask(modelName, signal);
    this.#proofs.set(modelName, { atMs: Date.now(), model });
    model.catch(() => this.#proofs.delete(modelName));
    return model;
  }

  /** Asks anew next time: what is pinned must be what the host holds now. */
  forget(modelName: string): void {
    this.#proofs.delete(modelName);
  }

  /** Proof that the host holds the pinned digest of a task's model. @throws DeckhandError `model_not_ready` when it holds another. */
  async prove(setup: Pick<TaskSetup, 'modelName' | 'modelDigest'>, signal: AbortSignal): Promise<ProvenModel> {
    const model = await this.inspect(setup.modelName, signal);
    if (model.digest !== setup.modelDigest) {
      this.#proofs.delete(setup.modelName);
      throw new DeckhandError(
        'model_not_ready',
        `${this.name} holds ${setup.modelName} with digest ${model.digest.slice(0, 12)}, pinned is ${setup.modelDigest.slice(0, 12)}`,
        {
          userMessage: `${setup.modelName} on ${this.name} is not the pinned version.`,
          hint: 'Run `./deckhand models --pin` to accept it.',
        },
      );
    }
    return model;
  }

  async #ask(modelName: string, signal: AbortSignal): Promise<ProvenModel> {
    const found = await inspectModel(this.url, modelName, { signal });
    return {
      digest: found.digest,
      capabilities: found.capabilities,
      engineKind: found.family === RULES_FAMILY ? 'rules' : 'language model',
      serverVersion: found.serverVersion,
    };
  }
}

/**
 * Pins the digests of a profile's models to what a host holds. Models without a pin get one; a pin that differs is left alone, because
 * changing it is an operator's act, except for the built-in reader, which is part of Deckhand and changes with it.
 *
 * @returns Models whose pin differs from what the host holds.
 */
export async function pinModels(
  db: PrismaClient,
  host: ModelHost,
  profile: string,
  options: { readonly repin: boolean; readonly signal: AbortSignal },
): Promise<{ readonly modelName: string; readonly pinned: string; readonly found: string }[]> {
  const configurations = await db.modelConfiguration.findMany({ where: { profile } });
  const differing: { modelName: string; pinned: string; found: string }[] = [];
  for (const modelName of new Set(configurations.map((c) => c.modelName))) {
    const unpinned = configurations.some((c) => c.modelName === modelName && c.pinnedDigest === null);
    if (unpinned) host.forget(modelName);
    const { digest, engineKind } = await host.inspect(modelName, options.signal);
    const pinned =
      configurations.find((c) => c.modelName === modelName && c.pinnedDigest !== null)?.pinnedDigest ?? null;
    const mayPin = options.repin || engineKind === 'rules';
    const data = { pinnedDigest: digest, pinnedAt: new Date() };
    if (mayPin) {
      await db.modelConfiguration.updateMany({ where: { profile, modelName, NOT: { pinnedDigest: digest } }, data });
    }
    // NOT … equals does not match NULL in SQL, so models without a pin are a case of their own.
    await db.modelConfiguration.updateMany({ where: { profile, modelName, pinnedDigest: null }, data });
    if (!mayPin && pinned !== null && pinned !== digest) differing.push({ modelName, pinned, found: digest });
  }
  return differing;
}
