/** A model that does what a deck asks of it: the opposite of what prompts say about the text of a deck. */
import type { OutputFormat } from './answer.ts';
import { isObject, type ChatMessage } from './protocol.ts';

/**
 * The right answer, or what an order in the prompt makes of it: every figure is the highest that the schema allows, every question is
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
