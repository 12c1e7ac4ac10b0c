/** One request that tries a model: everything of its answer and its times, and nothing repeated or corrected. */
import type { JsonSchema } from '../../../domain/models/json-schema.ts';
import type { Thinking } from '../../../domain/models/attempt-plan.ts';
import type { TrialAnswer } from '../../../domain/models/probes/judge.ts';
import type { ChatEnd, ModelServer } from './model-server.ts';

export interface TrialRequest {
  readonly model: string;
  readonly windowTokens: number;
  readonly system: string;
  readonly user: string;
  /** Bytes of JPEG or PNG images. */
  readonly images?: readonly Uint8Array[];
  /** Null = any text. */
  readonly schema: JsonSchema | null;
  readonly thinking: Thinking;
  /** The answer is cut after so many tokens. */
  readonly mostTokens: number;
  /** 0 by default. */
  readonly temperature?: number;
}

/**
 * Asks once.
 *
 * @throws DeckhandError of the server's fault; the signal's reason
 */
export async function runTrial(server: ModelServer, request: TrialRequest, signal: AbortSignal): Promise<TrialAnswer> {
  const { system, user, images = [], ...asked } = request;
  const messages = [
    { role: 'system', content: system },
    { role: 'user', content: user, ...(images.length > 0 && { images }) },
  ] as const;
  const sentMs = performance.now();
  const sinceMs = (): number => performance.now() - sentMs;
  let firstTokenMs: number | null = null;
  let text = '';
  let thinkingChars = 0;
  let tokens = 0;
  for await (const part of server.chat({ temperature: 0, ...asked, messages, seed: 1 }, signal)) {
    firstTokenMs ??= sinceMs();
    text += part.text;
    thinkingChars += part.thinking.length;
    if (part.end === null) tokens += 1;
    else return { text, thinkingChars, firstTokenMs, endMs: sinceMs(), ...costOf(part.end, tokens) };
  }
  throw new Error('the answer ended without a last part');
}

const costOf = (end: ChatEnd, tokens: number) => ({
  isCut: end.isCut || end.loop !== null,
  promptTokens: end.promptTokens ?? 0,
  outputTokens: end.outputTokens ?? tokens,
  readMs: saidMs(end.readMs),
  writeMs: saidMs(end.writeMs),
});

/** A server that says 0 does not say it. */
const saidMs = (ms: number | null): number | null => (ms === 0 ? null : ms);
