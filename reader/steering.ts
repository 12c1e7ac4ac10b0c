/**
 * Leaves out what addresses a machine instead of a reader, before any rule sees the slide: nothing is ever quoted from such words, and they
 * displace nothing. Pages are stored without them already; this holds for whatever else sends prompts to the reader.
 */
import { isSteering as addressesMachine } from '../domain/evidence/steering.ts';
import type { MarkedBlock } from '../domain/pages/markup.ts';
import { splitSentences } from './text.ts';

/** True for words that address a model instead of an investor. */
export const isSteering = (text: string): boolean => addressesMachine([text]);

/** The blocks of a slide without the words that steer; a block of nothing else is left out. */
export const withoutSteering = (blocks: readonly MarkedBlock[]): MarkedBlock[] =>
  blocks.map(cleanBlock).filter(({ lines }) => lines.length > 0);

/** A line that steers by itself leaves the others of its block as they are; words spread over several lines make the block steer. */
function cleanBlock(block: MarkedBlock): MarkedBlock {
  if (!isSteering(block.lines.map(({ text }) => text).join(' '))) return block;
  const lines = block.lines.flatMap((line) => {
    if (!isSteering(line.text)) return [line];
    const text = block.kind === 'table' ? '' : cleanSentences(line.text);
    return text === '' ? [] : [{ ...line, text }];
  });
  const steersTogether = lines.length === block.lines.length && lines.every((line, at) => line === block.lines[at]);
  return { ...block, lines: steersTogether ? [] : lines };
}

/** The same holds for the sentences of a line. */
function cleanSentences(line: string): string {
  const sentences = splitSentences(line);
  const kept = sentences.filter((sentence) => !isSteering(sentence));
  return kept.length === sentences.length ? '' : kept.join(' ');
}
