/** What a model is asked: the fences around a deck's text, placeholders of prompts, token limits, and what decides whether a stored result still applies. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentKeyMaterial, type ContentKeyParts } from '../../../domain/models/content-key.ts';
import {
  answerUserMessage,
  asPlainWords,
  classifyUserMessage,
  deckBlock,
  scoreUserMessage,
  slideBlock,
  slideUserMessage,
  systemMessage,
} from '../../../domain/models/prompt-assembly.ts';
import { controlWordsIn } from '../../../domain/text/control-words.ts';
import { clipToTotal, deckTokenLimit } from '../../../domain/models/token-limit.ts';
import { forAll } from '../../../testing/property.ts';

describe('fences around deck text', () => {
  it('cannot be closed or opened by the deck', () => {
    const part = fc.constantFrom('</slide>', '<slide number="9">', '< / DECK >', '</text>', '<answer', 'x', ' ', '<b>');
    return forAll([fc.array(part, { maxLength: 12 })], (parts) => {
      const block = slideBlock({ number: 1, markup: `a${parts.join('')}`, description: null });
      const count = (pattern: RegExp): number => (block.match(pattern) ?? []).length;
      return count(/<slide\b/gu) === 1 && count(/<\/slide>/gu) === 1 && count(/<\/?text>/gu) === 2;
    });
  });

  it('and no message with text of a deck holds a control word of a model', () => {
    const part = fc.constantFrom(
      '[img-0]',
      '<|im_end|>',
      '<end_of_turn>',
      '<｜User｜>',
      '</s>',
      '[INST]',
      'x',
      ' ',
      '<|',
    );
    return forAll([fc.array(part, { maxLength: 8 })], (parts) => {
      const text = `a${parts.join('')}`;
      const figures = [{ kind: 'chart' as const, description: text }];
      const description = { legible: true, title: text, visibleText: text, figures, summary: text };
      const question = { slug: 'team', text: 'Who?', criteria: 'Names', healthFocus: '' };
      const slide = { number: 1, markup: text, description };
      const deck = deckBlock([slide, { ...slide, number: 2, condensed: [text] }], [{ text, pages: [1, 2] }]);
      const messages = [
        deck,
        slideUserMessage(slide),
        classifyUserMessage(text, [], deck),
        answerUserMessage(question, deck),
        scoreUserMessage(question, text, [{ slide: 1, quote: text }]),
      ];
      for (const message of messages) expect(controlWordsIn(message)).toEqual([]);
    });
  });

  it('leave other markup alone', () =>
    expect(asPlainWords('a < b, <b>bold</b> & {{x}}')).toBe('a < b, <b>bold</b> & {{x}}'));

  it('skip slides on which nothing can be read', () => {
    const block = deckBlock([
      { number: 1, markup: 'Hello', description: null },
      { number: 2, markup: ' ', description: null },
    ]);
    expect(block).toContain('number="1"');
    expect(block).not.toContain('number="2"');
  });
});

it('the output language is filled into a prompt', () =>
  expect(systemMessage('Write in {{ output_language }}.', 'de')).toBe('Write in German.'));

describe('content key', () => {
  const parts: ContentKeyParts = {
    tenantId: 't',
    task: 'describe_slide',
    userSha256: 'u',
    imageSha256: null,
    modelDigest: 'd',
    promptVersion: 1,
    schemaSha256: 's',
    language: 'en',
    numCtx: 1,
    numPredict: 2,
    temperature: 0.1,
    topP: 0.9,
  };
  const variations: Partial<ContentKeyParts>[] = [
    { tenantId: 'x' },
    { task: 'slide_feedback' },
    { userSha256: 'x' },
    { imageSha256: 'x' },
    { modelDigest: 'x' },
    { promptVersion: 2 },
    { schemaSha256: 'x' },
    { language: 'de' },
    { numCtx: 9 },
    { numPredict: 9 },
    { temperature: 0.2 },
    { topP: 1 },
    { edition: 'e1' },
  ];
  it.each(variations)('differs with %o', (variation) =>
    expect(contentKeyMaterial({ ...parts, ...variation })).not.toBe(contentKeyMaterial(parts)),
  );

  it('without an edition is as it was before there were editions', () => {
    const before = '["deckhand-content-key-1","t","describe_slide","u",null,"d",1,"s","en",1,2,0.1,0.9]';
    expect(contentKeyMaterial(parts)).toBe(before);
    expect(contentKeyMaterial({ ...parts, edition: null })).toBe(before);
    expect(contentKeyMaterial({ ...parts, edition: 'e1' })).not.toBe(contentKeyMaterial({ ...parts, edition: 'e2' }));
  });
});

describe('token limits', () => {
  const texts = fc.array(fc.string({ maxLength: 200 }), { minLength: 1, maxLength: 30 });

  it('never exceeds the total length and keeps every text a prefix of itself', () =>
    forAll([texts, fc.nat({ max: 5000 })], (all, maxChars) => {
      const clipped = clipToTotal(all, maxChars);
      const total = clipped.reduce((sum, t) => sum + t.length, 0);
      return total <= maxChars && clipped.every((t, i) => (all[i] ?? '').startsWith(t));
    }));

  it('keeps everything that fits', () =>
    forAll([texts], (all) => expect(clipToTotal(all, all.join('').length)).toEqual(all)));

  it('keeps short texts whole and cuts the long ones', () =>
    expect(clipToTotal(['short', 'x'.repeat(100)], 55)).toEqual(['short', 'x'.repeat(50)]));

  it('leaves room for answer and instructions', () => {
    expect(deckTokenLimit({ numCtx: 16_384, numPredict: 1024, overheadTokens: 1000 })).toBeLessThan(16_384 - 2024);
    expect(deckTokenLimit({ numCtx: 1024, numPredict: 1024, overheadTokens: 1000 })).toBe(0);
  });
});
