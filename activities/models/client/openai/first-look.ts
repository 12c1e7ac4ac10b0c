/** Facts of a model that only an answer shows: whether it thinks, and whether it takes pictures. Each is found out by an answer of a few tokens. */
import { DeckhandError, type ErrorCode } from '../../../../domain/errors.ts';
import { getShared, Memo } from '../../../../platform/memo.ts';
import type { ServerAddress } from '../connection.ts';
import type { AskContext, ChatEnd } from '../model-server.ts';
import { chat } from './chat.ts';

/** Facts that an answer to plain text shows. */
interface PlainLook {
  /** It thinks where nothing is said of it. */
  readonly thinks: boolean;
  readonly promptTokens: number | null;
}

const VALID_MS = 3_600_000;
/** A slow server may read the picture for minutes; one that is stuck must not hold the look for ever. */
const LIMIT_MS = 600_000;
const plainLooks = new Memo<PlainLook>({ limit: 500, keptMs: VALID_MS });
const pictureLooks = new Memo<boolean>({ limit: 500, keptMs: VALID_MS });

/** Side of the picture, px: every model that takes pictures takes one of this size. */
const SIDE_PX = 224;
const MOST_TOKENS = 16;
/** A server may put a word for a picture that its model cannot see; one that looks at it counts more tokens. */
const FEWEST_PICTURE_TOKENS = 12;
/** Errors with which servers answer a picture that their model does not take: 400, 404 of gateways, 500 and 501. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set(['model_input_rejected', 'model_not_ready', 'model_crashed']);

const keyOf = (address: ServerAddress, model: string): string => JSON.stringify([address.url, address.key, model]);

/** Whether a model thinks before it answers where nothing is said of it. @throws DeckhandError of the server's fault; the signal's reason */
export const thinksByItself = async (address: ServerAddress, model: string, context: AskContext): Promise<boolean> =>
  (await plainLook(address, model, context)).thinks;

const plainLook = (address: ServerAddress, model: string, { signal }: AskContext): Promise<PlainLook> =>
  getShared(plainLooks, keyOf(address, model), signal, async () => {
    const { end, thinks } = await ask(address, model, [], signal);
    return { thinks, promptTokens: end.promptTokens };
  });

/** Whether a model takes pictures. @throws DeckhandError of the server's fault; the signal's reason */
export async function takesPictures(address: ServerAddress, model: string, context: AskContext): Promise<boolean> {
  const { promptTokens } = await plainLook(address, model, context);
  return getShared(pictureLooks, keyOf(address, model), context.signal, async () => {
    try {
      const { end } = await ask(address, model, [await picture()], context.signal);
      return (end.promptTokens ?? Infinity) - (promptTokens ?? 0) >= FEWEST_PICTURE_TOKENS;
    } catch (error) {
      // The same server has just answered plain text.
      if (error instanceof DeckhandError && REFUSALS.has(error.code)) return false;
      throw error;
    }
  });
}

async function ask(
  address: ServerAddress,
  model: string,
  images: readonly Uint8Array[],
  signal: AbortSignal,
): Promise<{ readonly end: ChatEnd; readonly thinks: boolean }> {
  const request = {
    model,
    messages: [{ role: 'user', content: 'Answer with one word.', images }],
    schema: null,
    windowTokens: 0,
    mostTokens: MOST_TOKENS,
    temperature: 0,
    seed: 1,
    thinking: 'leave',
  } as const;
  let text = '';
  let thinks = false;
  const limit = AbortSignal.timeout(LIMIT_MS);
  try {
    for await (const part of chat(address, request, AbortSignal.any([signal, limit]))) {
      text += part.text;
      thinks ||= part.thinking !== '';
      // Hosted models do not show what they think.
      const isHidden = text === '' && (part.end?.outputTokens ?? 0) > 1;
      if (part.end !== null)
        return { end: part.end, thinks: thinks || isHidden || text.trimStart().startsWith('<think') };
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!limit.aborted) throw error;
    const message = `${model} at ${address.url} did not answer a few words within ${LIMIT_MS} ms`;
    throw new DeckhandError('model_stalled', message, { userMessage: 'The model stopped answering.', cause: error });
  }
  throw new Error('the answer ended without a last part');
}

async function picture(): Promise<Uint8Array> {
  const { default: sharp } = await import('sharp');
  return sharp({ create: { width: SIDE_PX, height: SIDE_PX, channels: 3, background: '#c8d0d8' } })
    .jpeg()
    .toBuffer();
}
