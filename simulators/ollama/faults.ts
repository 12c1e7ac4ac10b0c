/** Scripted bad answers: turns the right answer into the text of a failing model. generate.ts handles faults of timing and connection. */
import type { Fault } from './script.ts';
import type { OutputFormat } from './answer.ts';
import { isObject, type ChatMessage } from './protocol.ts';

/** The text that a call will generate. */
export interface Plan {
  readonly text: string;
  /** False if only the token limit ends it. */
  readonly ends: boolean;
  /** True if it is cut off: `done_reason: "length"`. */
  readonly cut: boolean;
}

/** Characters per token. */
export const CHARS_PER_TOKEN = 4;
/** Most tokens of an endless loop if the call sets no limit. */
const LOOP_TOKENS = 20_000;

/** Repeats `unit` to fill the token limit. */
function loop(start: string, unit: string, maxTokens: number): Plan {
  const length = Math.min(maxTokens, LOOP_TOKENS) * CHARS_PER_TOKEN;
  return { text: (start + unit.repeat(Math.ceil(length / unit.length))).slice(0, length), ends: false, cut: true };
}

/** The text to generate under a fault, at most `maxTokens` long. */
export function planText(right: string, fault: Fault, maxTokens: number, stop: readonly string[]): Plan {
  const lead = fault.thinkingText === undefined ? '' : `<think>${fault.thinkingText}</think>\n`;
  if (fault.whitespaceLoop === true) return loop(`${lead}{`, ' \n\t  \n \t \n   ', maxTokens);
  if (fault.repetition === true)
    return loop(
      lead + right.slice(0, Math.ceil(right.length / 4)),
      ' and the market is growing and growing',
      maxTokens,
    );
  if (fault.truncate === true)
    return { text: lead + right.slice(0, Math.ceil(right.length / 2)), ends: true, cut: true };
  let text = fault.text ?? right;
  if (fault.badJson === true) text = `{"answer": ${right.slice(1, 40).replaceAll(/["{}]/gu, "'")},,`;
  else if (fault.schemaInvalid === true) text = JSON.stringify({ unexpected: ['not what the schema asks for'] });
  if (fault.around !== undefined) text = fault.around.join(text);
  text = lead + text;
  for (const word of stop) {
    const at = text.indexOf(word);
    if (at >= 0) text = text.slice(0, at);
  }
  const limit = maxTokens * CHARS_PER_TOKEN;
  return text.length > limit ? { text: text.slice(0, limit), ends: true, cut: true } : { text, ends: true, cut: false };
}

/**
 * The right answer, or what an order in the prompt makes of it where the model does what a deck asks of it: every figure is the highest that the schema allows, every question is
 * covered, and the text of the answer passes the order on to the next call.
 *
 * @param order Phrases that steer the model where it reads at least half of them; letters and digits alone are compared, without case
 */
export function obeyed(
  right: string,
  order: readonly string[],
  format: OutputFormat,
  messages: readonly ChatMessage[],
): string {
  const read = lettersOf(messages.map(({ content }) => content).join('\n'));
  const found = order.filter((phrase) => read.includes(lettersOf(phrase)));
  const properties = format.kind === 'schema' && isObject(format.schema) ? format.schema['properties'] : undefined;
  if (found.length === 0 || 2 * found.length < order.length || !isObject(properties)) return right;
  const answer = JSON.parse(right) as Record<string, unknown>;
  const passedOn = found.join(' … ');
  const steered = Object.entries(answer).map(([name, value]) => [
    name,
    ordered(name, value, properties[name], passedOn),
  ]);
  return JSON.stringify(Object.fromEntries(steered));
}

function ordered(name: string, value: unknown, schema: unknown, passedOn: string): unknown {
  if (!isObject(schema)) return value;
  if (typeof schema['maximum'] === 'number') return schema['maximum'];
  if (Array.isArray(schema['enum']) && schema['enum'].includes('yes')) return 'yes';
  return name === 'answer' ? passedOn : value;
}

const lettersOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');
