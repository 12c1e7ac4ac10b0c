/**
 * One generation call, from the accepted request to the last byte. Every endpoint shares it.
 *
 * As in Ollama, nothing is written before the first token, not even headers; a client that disconnects ends the call at once; the last line
 * of a stream has counts and durations.
 */
import type { ServerResponse } from 'node:http';
import { answerText, outputFormat, taskOf, traitsOf, type OutputFormat } from './answer.ts';
import type { ReaderModel } from './catalog.ts';
import { obeyed, CHARS_PER_TOKEN, planText, type Plan } from './faults.ts';
import {
  callOptions,
  isDecodableImage,
  OllamaRefusal,
  pictureSize,
  type CallOptions,
  type ChatMessage,
} from './protocol.ts';
import type { Hold, Scheduler } from './scheduler.ts';
import { messageForStatus, type Fault, type ScriptPlayer, type ThinkingWish } from './script.ts';
import type { StatsKeeper } from './stats.ts';
import { forever, sleep } from './waiting.ts';

/** Tokens per image in the window, as for gemma3. */
const TOKENS_PER_IMAGE = 256;
/** Tokens per line without a set speed: fewer lines cost less CPU time on both sides. */
const TOKENS_PER_LINE = 8;
/** Thinking text before the answer. */
const THINKING_TEXT = 'First the text is read. ';
/** Speed of a model that fell back to the CPU. */
const CPU_TOKENS_PER_SECOND = 5;

/** A request of either endpoint. */
export interface GenerationRequest {
  /** Model name as the client sent it. */
  readonly requestedModel: string;
  readonly model: ReaderModel;
  readonly messages: readonly ChatMessage[];
  readonly format: unknown;
  readonly options: unknown;
  readonly keepAliveMs: number | undefined;
  readonly stream: boolean;
  readonly truncate: boolean;
  readonly thinking: ThinkingWish;
  readonly wire: AnswerWire;
}

/** How the parts of an answer are written by one endpoint. */
export interface AnswerWire {
  /** Type of a stream. */
  readonly contentType: string;
  /** One piece of a stream; that of thinking stands beside the content. */
  piece(text: string): string;
  thought(text: string): string;
  /** The end of a stream, or the whole answer where there is none. @param text what no piece has said */
  end(text: string, figures: AnswerFigures): string;
}

/** Counts and durations of a call. */
export interface AnswerFigures {
  readonly isCut: boolean;
  readonly promptTokens: number;
  readonly outputTokens: number;
  readonly totalMs: number;
  readonly loadMs: number;
  readonly readMs: number;
  readonly writeMs: number;
}

/** The parts of the server that a call uses. */
export interface GenerationContext {
  readonly scheduler: Scheduler;
  readonly stats: StatsKeeper;
  readonly script: ScriptPlayer;
  /** Time of a load if the script sets none. */
  readonly loadMs: number;
}

const tokensOf = (text: string): number => Math.ceil(text.length / CHARS_PER_TOKEN);

/** Runs the call and writes the answer to `response`. `signal` aborts when the client disconnects. @throws OllamaRefusal before the first byte */
export async function runGeneration(
  request: GenerationRequest,
  context: GenerationContext,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const format = outputFormat(request.format);
  const vision = request.model.capabilities.includes('vision');
  const options = callOptions(request.options, vision ? 2048 : 4, context.script.script.windowTokens);
  const task = taskOf(format);
  const call = context.stats.accepted(task, request.model.name, inputOf(request));
  let ended: 'completed' | 'cancelled' | 'refused' = 'refused';
  try {
    const fault = context.script.faultFor(traitsOf(task, request.requestedModel, request.messages));
    if (Object.keys(fault).length > 0) context.stats.faulted();
    await generate(request, context, { format, options, fault, vision }, response, signal);
    ended = 'completed';
  } catch (error) {
    if (signal.aborted) ended = 'cancelled';
    if (error instanceof OllamaRefusal && error.status === 503) context.stats.busy();
    throw error;
  } finally {
    context.stats.closed(call, ended);
  }
}

function inputOf(request: GenerationRequest): string {
  const parts = [request.model.name, JSON.stringify(request.format ?? null)];
  for (const message of request.messages) {
    parts.push(message.role, message.content, ...message.images.map((image) => image.toString('latin1')));
  }
  return parts.join('\0');
}

interface CallSetting {
  readonly format: OutputFormat;
  readonly options: CallOptions;
  readonly fault: Fault;
  readonly vision: boolean;
}

async function generate(
  request: GenerationRequest,
  context: GenerationContext,
  setting: CallSetting,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const { options, fault } = setting;
  const startedAt = performance.now();
  if (fault.disconnectAfterBytes === 0) {
    response.destroy();
    return;
  }
  if (fault.status !== undefined) {
    const words = fault.error ?? messageForStatus(fault.status);
    const asked = request.messages.map((message) => message.content).join('\n');
    throw new OllamaRefusal(fault.status, fault.quote === true ? `${words}: ${asked}` : words);
  }
  const hold = await context.scheduler.acquire(
    {
      name: request.model.name,
      sizeBytes: request.model.sizeBytes,
      numCtx: options.numCtx,
      reloadKey: options.reloadKey,
      keepAliveMs: request.keepAliveMs,
      loadMs: fault.loadMs ?? context.script.script.loadMs ?? context.loadMs,
      cpu: fault.cpuFallback === true,
    },
    signal,
  );
  try {
    const { messages, promptTokens } = fitWindow(request, setting);
    const giveSlot = await hold.takeSlot(signal);
    context.stats.slotTaken();
    try {
      await writeAnswer(request, context, setting, { hold, messages, promptTokens, startedAt }, response, signal);
    } finally {
      context.stats.slotGiven();
      giveSlot();
    }
  } finally {
    hold.release();
  }
}

/** Checks images and window. A prompt that is too long is refused or, as Ollama does by default, silently loses its beginning. */
function fitWindow(
  request: GenerationRequest,
  setting: CallSetting,
): { messages: readonly ChatMessage[]; promptTokens: number } {
  const { messages } = request;
  const images = setting.vision ? messages.flatMap((message) => message.images) : [];
  if (images.some((image) => !isDecodableImage(image))) {
    throw new OllamaRefusal(500, 'Failed to create new sequence: failed to process inputs: image: unknown format');
  }
  if (images.length > 0) refuseMissingImages(messages, images.length);
  const leastPx = setting.fault.smallestSidePx ?? 0;
  const tooSmall = images.map(pictureSize).find((size) => size !== null && Math.min(size.width, size.height) < leastPx);
  if (tooSmall !== undefined && tooSmall !== null)
    throw new OllamaRefusal(
      500,
      `model runner has unexpectedly stopped: panic: height:${tooSmall.height} or width:${tooSmall.width} must be larger than factor:${leastPx}`,
    );
  const promptTokens =
    messages.reduce((sum, message) => sum + tokensOf(message.content) + 4, 0) + images.length * TOKENS_PER_IMAGE;
  const { numCtx } = setting.options;
  if (promptTokens <= numCtx) return { messages, promptTokens };
  if (!request.truncate) throw new OllamaRefusal(400, 'the input length exceeds the context length');
  const last = messages.at(-1);
  const kept = last === undefined ? [] : [{ ...last, content: last.content.slice(-numCtx * CHARS_PER_TOKEN) }];
  return {
    messages: [...messages.slice(0, -1).filter((message) => message.role === 'system'), ...kept],
    promptTokens: numCtx,
  };
}

/** In a prompt with images `[img-1]` is the place of the second one, also in the text of a deck. */
function refuseMissingImages(messages: readonly ChatMessage[], images: number): void {
  for (const { content } of messages) {
    for (const [, index] of content.matchAll(/\[img-(\d+)\]/gu)) {
      if (Number(index) >= images) throw new OllamaRefusal(500, `invalid image index: ${index}`);
    }
  }
}

interface PreparedCall {
  readonly hold: Hold;
  readonly messages: readonly ChatMessage[];
  readonly promptTokens: number;
  readonly startedAt: number;
}

async function writeAnswer(
  request: GenerationRequest,
  context: GenerationContext,
  setting: CallSetting,
  prepared: PreparedCall,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const { fault, options } = setting;
  const slotAt = performance.now();
  if (fault.wedge === true) await forever(signal);
  const right = answerText(setting.format, prepared.messages);
  const answer = obeyed(right, fault.obeys ?? [], setting.format, prepared.messages);
  const planned = planText(answer, fault, options.numPredict, options.stop);
  const isThinkingOnly = fault.answersWhenAsked?.includes(request.thinking) === false;
  const plan: Plan = isThinkingOnly ? { text: '', ends: true, cut: false } : planned;
  const { callSeconds } = context.script.script;
  if (callSeconds !== undefined) await sleep(callSeconds * 1000 - (performance.now() - slotAt), signal);
  if (fault.latencyMs !== undefined) await sleep(fault.latencyMs, signal);
  if (fault.readTokensPerSecond !== undefined)
    await sleep((prepared.promptTokens / fault.readTokensPerSecond) * 1000, signal);
  const writer = new PieceWriter(request, response, fault.disconnectAfterBytes ?? null);
  const firstTokenAt = performance.now();
  const thinks = fault.answersWhenAsked !== undefined && (isThinkingOnly || request.thinking !== 'off');
  if (thinks) writer.think(THINKING_TEXT);
  await pace(plan, fault, prepared.hold.model.cpu, writer, signal);
  if (writer.disconnected) return;
  const endedAt = performance.now();
  writer.end({
    isCut: plan.cut,
    promptTokens: prepared.promptTokens,
    outputTokens: tokensOf(plan.text),
    totalMs: endedAt - prepared.startedAt,
    loadMs: prepared.hold.loadedAfterMs,
    readMs: firstTokenAt - slotAt,
    writeMs: endedAt - firstTokenAt,
  });
}

/** Writes the planned text at the set speed. */
async function pace(plan: Plan, fault: Fault, cpu: boolean, writer: PieceWriter, signal: AbortSignal): Promise<void> {
  const perSecond = fault.tokensPerSecond ?? (cpu ? CPU_TOKENS_PER_SECOND : null);
  const tokensPerPiece = perSecond === null ? TOKENS_PER_LINE : Math.max(1, Math.round(perSecond / 50));
  const startedAt = performance.now();
  let tokens = 0;
  for (const piece of pieces(plan.text, tokensPerPiece * CHARS_PER_TOKEN)) {
    if (fault.stallAfterTokens !== undefined && tokens >= fault.stallAfterTokens) await forever(signal);
    tokens += tokensPerPiece;
    if (perSecond !== null) await sleep((tokens / perSecond) * 1000 - (performance.now() - startedAt), signal);
    // Without this pause an endless text would keep the event loop from noticing that the client disconnected.
    else if (!plan.ends) await sleep(1, signal);
    signal.throwIfAborted();
    writer.write(piece);
    if (writer.disconnected) return;
  }
  if (fault.stallAfterTokens !== undefined) await forever(signal);
}

function* pieces(text: string, size: number): Generator<string> {
  let at = 0;
  while (at < text.length) {
    let end = Math.min(at + size, text.length);
    // A surrogate pair is never split between two lines.
    if (end < text.length && /[\uD800-\uDBFF]/u.test(text.charAt(end - 1))) end += 1;
    yield text.slice(at, end);
    at = end;
  }
}

/** Writes pieces of a stream, or collects them for one body. */
class PieceWriter {
  disconnected = false;
  readonly #request: GenerationRequest;
  readonly #response: ServerResponse;
  readonly #disconnectAfterBytes: number | null;
  #gathered = '';
  #bytes = 0;

  constructor(request: GenerationRequest, response: ServerResponse, disconnectAfterBytes: number | null) {
    this.#request = request;
    this.#response = response;
    this.#disconnectAfterBytes = disconnectAfterBytes;
  }

  write(text: string): void {
    if (!this.#request.stream) this.#gathered += text;
    else this.#send(this.#request.wire.piece(text));
  }

  /** Thinking text as a model that thinks sends it, beside its content. */
  think(text: string): void {
    if (this.#request.stream) this.#send(this.#request.wire.thought(text));
  }

  end(figures: AnswerFigures): void {
    this.#send(this.#request.wire.end(this.#gathered, figures));
    if (!this.disconnected) this.#response.end();
  }

  #send(text: string): void {
    const response = this.#response;
    if (!response.headersSent) {
      response.writeHead(200, {
        'content-type': this.#request.stream ? this.#request.wire.contentType : 'application/json; charset=utf-8',
      });
    }
    const bytes = Buffer.from(text);
    const limit = this.#disconnectAfterBytes;
    if (limit !== null && this.#bytes + bytes.length >= limit) {
      this.disconnected = true;
      response.write(bytes.subarray(0, limit - this.#bytes), () => response.destroy());
      return;
    }
    this.#bytes += bytes.length;
    response.write(bytes);
  }
}
