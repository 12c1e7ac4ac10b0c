/**
 * The port to a model server: everything that Deckhand asks of one, in words that no protocol owns. Each kind of server has an adapter in a
 * folder of its own; `open.ts` chooses it.
 *
 * Every function throws a DeckhandError of the server's fault, or the reason of its cancelled signal.
 */
import type { Thinking } from '../../../domain/models/attempt-plan.ts';
import type { LoopFault } from '../../../domain/models/repetition.ts';
import type { JsonSchema } from '../../../domain/models/json-schema.ts';
import type { ServerKind } from '../../../domain/models/server-kind.ts';

/** A model as a server has it on disk. */
export interface ModelInfo {
  readonly name: string;
  /** The identity that is pinned and stored with results: hex SHA-256, or a weak one; see domain/models/identity.ts. */
  readonly digest: string;
  /** "completion", "vision", "thinking", … */
  readonly capabilities: readonly string[];
  readonly family: string;
  readonly serverVersion: string;
  /** Window that it was trained with, in tokens; null where its file does not say. */
  readonly trainedWindowTokens: number | null;
}

/** A model in memory, with its identity. */
export interface RunningModel extends MemoryEntry {
  readonly digest: string;
}

/** A model in memory. */
export interface MemoryEntry {
  readonly name: string;
  /** Of its bytes those in the memory of a GPU; null where the server does not say. */
  readonly vramBytes: number | null;
  readonly sizeBytes: number;
  /** Window it was loaded with, in tokens; null where the server does not say. */
  readonly windowTokens: number | null;
}

/** Facts from the file of a model. */
export interface ModelFile {
  /** Values by their names in the GGUF format, such as `gemma3.block_count`. */
  readonly info: Readonly<Record<string, unknown>>;
  /** The template of a conversation; null where the model has none, undefined where the server does not say. */
  readonly template: string | null | undefined;
}

export interface AskContext {
  readonly signal: AbortSignal;
}

export interface LoadOptions {
  /** Window in tokens, fixed per model. */
  readonly numCtx: number;
  readonly loadTimeoutMs: number;
}

/** One step of a pull. Bytes are null while the server has not said them. */
export interface PullProgress {
  readonly status: string;
  readonly completedBytes: number | null;
  readonly totalBytes: number | null;
}

export interface ChatMessage {
  readonly role: 'system' | 'user';
  readonly content: string;
  /** Bytes of JPEG or PNG images. */
  readonly images?: readonly Uint8Array[];
}

/** One request for an answer. A prompt that does not fit is an error, never cut in silence. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  /** Null = any text. */
  readonly schema: JsonSchema | null;
  /** Window that the model is loaded with, in tokens. */
  readonly windowTokens: number;
  /** The answer is cut after so many tokens. */
  readonly mostTokens: number;
  readonly temperature: number;
  readonly topP?: number;
  readonly seed: number;
  /** `leave` = nothing is said of it, as models that cannot think refuse the wish. */
  readonly thinking: Thinking;
}

/** A part of an answer as it comes: about a token. */
export interface ChatPart {
  readonly text: string;
  /** Text that the model thinks with; it is no part of the answer. */
  readonly thinking: string;
  /** In the last part only. */
  readonly end: ChatEnd | null;
}

/** How an answer ended, and what it cost as far as the server says; null = it does not. */
export interface ChatEnd {
  /** Cut at the most tokens, or at the end of the window. */
  readonly isCut: boolean;
  /** Ended by the server because it repeats itself; null = it was not. */
  readonly loop: LoopFault | null;
  readonly promptTokens: number | null;
  readonly outputTokens: number | null;
  readonly loadMs: number | null;
  readonly readMs: number | null;
  readonly writeMs: number | null;
  /** Tokens of the prompt that it took from its cache, as part of those it counted. */
  readonly cachedTokens: number;
  /** By which a hosted server tells its configurations apart; null = it does not. */
  readonly fingerprint?: string | null;
}

/** Where a server's version stands relative to those that Deckhand is made for. */
export type VersionSupport = 'older' | 'supported' | 'newer' | 'unknown';

/** A model server of any kind. */
export interface ModelServer {
  readonly kind: ServerKind;
  /** Base URL. */
  readonly url: string;
  /** Host outside the network to which its calls went, for the provenance of results; null = none has left the network. */
  outsideHost(): string | null;
  /** Also says that it is ready: a server that is loading, or cannot answer, has no version. */
  version(context: AskContext): Promise<string>;
  /** Versions that Deckhand is made for, for people. */
  readonly supportedVersions: string;
  supportOf(version: string): VersionSupport;
  /** True when both names mean the same model on such a server. */
  isSameModel(one: string, other: string): boolean;
  /** Names of the models that it has, in memory or not. */
  names(context: AskContext): Promise<readonly string[]>;
  /** Digest, capabilities and family of a model. @throws DeckhandError `model_not_ready` if the server does not have it */
  inspect(model: string, context: AskContext): Promise<ModelInfo>;
  capabilities(model: string, context: AskContext): Promise<readonly string[]>;
  /**
   * Facts from the file of a model.
   *
   * @param withLists with the values of lists, such as those with one for each layer; they come with the vocabulary, which may be megabytes
   * @throws DeckhandError `model_not_ready` if the server does not have it
   */
  file(model: string, context: AskContext, withLists?: boolean): Promise<ModelFile>;
  /** Bytes of a model on the server's disk; null = it does not have it, or does not say. */
  bytesOnDisk(model: string, context: AskContext): Promise<number | null>;
  /** The models in memory. */
  running(context: AskContext): Promise<readonly MemoryEntry[]>;
  /** The model in memory, with the window that is asked for or the one that this server gives for it; null = it has to be loaded. */
  findLoaded(model: string, windowTokens: number, context: AskContext): Promise<RunningModel | null>;
  /**
   * Loads a model.
   *
   * @returns how long that took, ms
   * @throws DeckhandError `model_not_ready` if it is missing, does not load within the limit, or the server loads none
   */
  load(model: string, options: LoadOptions, context: AskContext): Promise<number>;
  /** Downloads a model onto the server. @throws DeckhandError `model_not_ready` with the server's reason, or where it takes none */
  pull(model: string, context: AskContext & { readonly onProgress?: (progress: PullProgress) => void }): Promise<void>;
  /** Asks for an answer, which comes in parts. A caller that stops reading, or whose signal fires, ends the request on the server. */
  chat(request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatPart>;
  /** Calls inside the server and waiting before it, and its counters; absent or null = it does not say. */
  metrics?(context: AskContext): Promise<ServerMetrics | null>;
}

/** Figures of a server about itself, as far as it says them. */
export interface ServerMetrics {
  readonly runningCalls: number | null;
  readonly waitingCalls: number | null;
  /** Part of the memory for prompts that is in use, 0 to 1. */
  readonly cacheUsed: number | null;
  /** Since it was started. */
  readonly promptTokens: number | null;
  readonly outputTokens: number | null;
}

/** A model in memory, as calls find it. */
export interface LoadedWindow {
  /** 0 when it was loaded already. */
  readonly loadMs: number;
  /** Window that the server gave, tokens; null where it does not say. */
  readonly windowTokens: number | null;
}

/** Loads a model where it has to be. @throws DeckhandError `model_not_ready` as loading does */
export async function ensureLoaded(
  server: ModelServer,
  model: string,
  options: LoadOptions,
  context: AskContext,
): Promise<LoadedWindow> {
  const loaded = await server.findLoaded(model, options.numCtx, context);
  if (loaded !== null) return { loadMs: 0, windowTokens: loaded.windowTokens };
  const loadMs = await server.load(model, options, context);
  const now = await server.findLoaded(model, options.numCtx, context);
  return { loadMs, windowTokens: now?.windowTokens ?? null };
}
