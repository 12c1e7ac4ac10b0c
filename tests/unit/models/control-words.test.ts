/** Control words of models are plain text in a prompt, and themselves again in an answer. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { controlWordsIn, defused, restored } from '../../../domain/text/control-words.ts';
import { forAll } from '../../../testing/property.ts';

const WORDS = [
  '[img-0]',
  '[img-12]',
  '<|image_pad|>',
  '<start_of_image>',
  '<end_of_turn>',
  '<|im_end|>',
  '<|channel|>',
  '<|channel>',
  '<channel|>',
  '<|eot_id|>',
  '<|START_OF_TURN_TOKEN|>',
  '<｜end▁of▁sentence｜>',
  '<｜User｜>',
  '[INST]',
  '[/INST]',
  '[TOOL_CALLS]',
  '[gMASK]',
  '[|endofturn|]',
  '<bos>',
  '<s>',
  '</s>',
  '<image>',
  '<IMG_CONTEXT>',
  '<image_soft_token>',
  '<tool_call>',
  '</think>',
  '<fim_prefix>',
  '<unused12>',
  '<seed:bos>',
  '<0x0A>',
] as const;

it.each(WORDS)('%s is told, reaches the model as plain text and comes back as it was', (word) => {
  const text = `Depot code ${word}means the bike is free.`;
  const prompt = defused(text);
  expect(controlWordsIn(text)).toEqual([word]);
  expect(prompt).not.toContain(word);
  expect(controlWordsIn(prompt)).toEqual([]);
  expect(restored(`The slide says: ${prompt}`, prompt)).toBe(`The slide says: ${text}`);
});

it('a model that closes with the counterpart of the sign it was given is understood', () => {
  const prompt = defused('<|im_end|> and [img-0]');
  expect(restored('‹|im_end|› and ⁅img-0⁆', prompt)).toBe('<|im_end|> and [img-0]');
});

it('quotation marks of the deck stay', () => {
  const prompt = 'Wir nennen es ‹image›.';
  expect(restored('Wir nennen es ‹image›.', prompt)).toBe('Wir nennen es ‹image›.');
});

it.each([
  'a < b, <b>bold</b> & {{x}}',
  '[1] [TBD] [Confidential] [Company name] [prefix]',
  'x <| f |> y, a |> b, <|>, <||>',
  'from <start_date> to <end_date> <your name> <company>',
  'price <5% and >3, <3, -> <- <=>',
  'array[0], [2-4], [img], < image >, [ INST ]',
])('ordinary text is unchanged: %s', (text) => expect(defused(text)).toBe(text));

it('text without one of the signs is unchanged byte for byte', () =>
  forAll([fc.string({ unit: 'grapheme' })], (text) => {
    const ordinary = text.replaceAll(/[<[]/gu, '(');
    expect(defused(ordinary)).toBe(ordinary);
  }));

it('no text holds a control word afterwards, and all of it comes back', () =>
  forAll(
    [
      fc.array(fc.oneof(fc.constantFrom<string>(...WORDS, '<', '[', '|', '>', ']', '/'), fc.string()), {
        maxLength: 12,
      }),
    ],
    (parts) => {
      const text = parts.join('').replaceAll(/[‹›⁅⁆]/gu, '');
      const prompt = defused(text);
      expect(controlWordsIn(prompt)).toEqual([]);
      expect(prompt.length).toBe(text.length);
      expect(restored(prompt, prompt)).toBe(text);
    },
  ));
