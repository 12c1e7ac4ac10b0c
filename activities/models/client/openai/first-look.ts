/**
 * Facts of a model that only an answer shows: whether it takes pictures and thinks, and the fingerprint by which a hosted server tells its
 * configurations apart. They are found out by answers of a few tokens, once an hour: gateways with several configurations behind them would change
 * otherwise in the middle of a deck.
 */
import { DeckhandError } from '../../../../domain/errors.ts';
import { getShared, Memo } from '../../../../platform/memo.ts';
import type { ServerAddress } from '../connection.ts';
import type { AskContext, ChatEnd } from '../model-server.ts';
import { chat } from './chat.ts';

/** What a first look finds. */
export interface FirstLook {
  readonly takesPictures: boolean;
  /** It thinks where nothing is said of it. */
  readonly thinks: boolean;
  readonly fingerprint: string | null;
}

const VALID_MS = 3_600_000;
const looks = new Memo<FirstLook>({ limit: 500, keptMs: VALID_MS });

/** Side of the picture, px: every model that takes pictures takes one of this size. */
const SIDE_PX = 224;
const MOST_TOKENS = 16;
/** A server may put a word for a picture that its model cannot see; one that looks at it counts more tokens. */
const FEWEST_PICTURE_TOKENS = 12;

/** See the file's header. @throws DeckhandError of the server's fault; the signal's reason */
export function firstLook(address: ServerAddress, model: string, { signal }: AskContext): Promise<FirstLook> {
  return getShared(looks, JSON.stringify([address, model]), signal, () => lookOnce(address, model, { signal }));
}

async function lookOnce(address: ServerAddress, model: string, context: AskContext): Promise<FirstLook> {
  const plain = await ask(address, model, [], context);
  const { thinks } = plain;
  const { fingerprint = null, promptTokens } = plain.end;
  try {
    const seen = await ask(address, model, [await picture()], context);
    const more = (seen.end.promptTokens ?? Infinity) - (promptTokens ?? 0);
    return { thinks, fingerprint, takesPictures: more >= FEWEST_PICTURE_TOKENS };
  } catch (error) {
    if (error instanceof DeckhandError && error.code === 'model_input_rejected')
      return { thinks, fingerprint, takesPictures: false };
    throw error;
  }
}

async function ask(
  address: ServerAddress,
  model: string,
  images: readonly Uint8Array[],
  { signal }: AskContext,
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
  for await (const part of chat(address, request, signal)) {
    text += part.text;
    thinks ||= part.thinking !== '';
    // Hosted models do not show what they think.
    const isHidden = text === '' && (part.end?.outputTokens ?? 0) > 1;
    if (part.end !== null)
      return { end: part.end, thinks: thinks || isHidden || text.trimStart().startsWith('<think') };
  }
  throw new Error('the answer ended without a last part');
}

async function picture(): Promise<Uint8Array> {
  const { default: sharp } = await import('sharp');
  return sharp({ create: { width: SIDE_PX, height: SIDE_PX, channels: 3, background: '#c8d0d8' } })
    .jpeg()
    .toBuffer();
}
