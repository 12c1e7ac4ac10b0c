/** Acts of a scripted server, and the text that its model writes. */
import { answerTo } from '../scripted-model/answer.ts';
import type { Refusal } from './refusals.ts';
import type { ChatBody } from './settings.ts';

/** An answer of the model. A path that is no chat gives its usual document. */
export interface Answer {
  readonly kind: 'answer';
  /** The simplest answer to the schema unless something else is said. `loop` and `white_space` go on as long as the limits allow. */
  readonly text?: 'schema' | 'prose' | 'fence' | 'loop' | 'white_space' | { readonly exactly: string };
  /** Thoughts where the model thinks; a short one by default. */
  readonly thoughts?: 'loop' | { readonly exactly: string };
  /** It writes beyond `max_tokens` and its window. */
  readonly ignoresLimits?: boolean;
  /** Time before the first token, and between two of them. */
  readonly readMs?: number;
  readonly msPerToken?: number;
  /** Reason that the server gives; by default whether a limit was reached. */
  readonly finish?: 'stop' | 'length' | 'content_filter' | 'abort';
  readonly breaks?: {
    /** 0 = before the first chunk. */
    readonly afterTokens: number;
    /**
     * Where the answer is that long; one that is not streamed has half of its document by then.
     * `silence`: nothing comes any more. `close`: the connection ends in order, the answer does not. `reset`: the connection is reset.
     * `error`: the server reports an error in the stream. `end`: the answer ends in order, without a reason and `[DONE]`.
     */
    readonly how: 'silence' | 'close' | 'reset' | 'error' | 'end';
    /** During the silence comments come, as servers send them so that no proxy closes the connection. */
    readonly pingEveryMs?: number;
  };
  /** A stream without it has no `data: [DONE]`. */
  readonly sendsDone?: boolean;
  /** Counts that the server gives, true ones by default; null = none. */
  readonly usage?: Readonly<Record<string, unknown>> | null;
  /** Times that llama-server gives, true ones by default; null = none. */
  readonly timings?: Readonly<Record<string, unknown>> | null;
}

/** One act towards a request. */
export type Act = (
  | Answer
  | { readonly kind: 'refuse'; readonly refusal: Refusal; readonly retryAfter?: string }
  | { readonly kind: 'redirect'; readonly status: 301 | 302 | 307 | 308; readonly to: string }
  /** A page of a proxy. */
  | { readonly kind: 'html'; readonly status: number }
  | { readonly kind: 'document'; readonly status: number; readonly body: unknown }
  /** These bytes instead of an answer in HTTP. */
  | { readonly kind: 'raw'; readonly bytes: string }
  /** The request is read and nothing is said. */
  | { readonly kind: 'silence' }
  | { readonly kind: 'reset' }
  /** Many bytes: as deltas of a chat, as one line of a stream, or as one JSON text. */
  | { readonly kind: 'flood'; readonly bytes: number; readonly as: 'deltas' | 'line' | 'json' }
) & {
  /** Time before anything is sent. */
  readonly headersAfterMs?: number;
};

const THOUGHT = 'Let me look at the page and find what is asked. ';

/** Pieces of an answer that may have no end. */
export function textOf(answer: Answer, chat: ChatBody): Iterable<string> {
  const plain = (): string => {
    const format = chat.response_format;
    if (format?.type === 'json_schema') return JSON.stringify(answerTo(format.json_schema?.schema));
    return format?.type === 'json_object' ? '{}' : 'Ready.';
  };
  const text = answer.text ?? 'schema';
  if (typeof text === 'object') return [text.exactly];
  switch (text) {
    case 'schema':
      return [plain()];
    case 'prose':
      return ['The deck says nothing about that, and I would not want to guess.'];
    case 'fence':
      return [`Here is the JSON you asked for:\n\n\`\`\`json\n${plain()}\n\`\`\`\nI hope this helps.`];
    case 'loop':
      return forever('and so on ');
    case 'white_space':
      return forever(' \n\t  \n');
  }
}

/** Pieces of its thoughts. */
export function thoughtsOf({ thoughts }: Answer): Iterable<string> {
  if (thoughts === 'loop') return forever(THOUGHT);
  return [thoughts?.exactly ?? THOUGHT];
}

function* forever(text: string): Generator<string> {
  for (;;) yield text;
}
