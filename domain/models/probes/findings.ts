/** Findings about a model on a version of a model server, and their words. */
import { z } from 'zod';
import type { Thinking } from '../attempt-plan.ts';

/** Null stands for what was not found out; `skipped` says why. */
export const modelFindingsSchema = z.object({
  /** How its answers hold JSON: alone, inside other words, or not at all. */
  answers: z.enum(['alone', 'inside', 'none']).nullable(),
  /** Whether the server keeps a model to a schema that forbids the natural answer. */
  schema: z.enum(['enforced', 'ignored']).nullable(),
  /** How it answers: it does not think; with thinking off; with little thinking only; it thinks whatever is asked. */
  thinking: z.enum(['none', 'off', 'low', 'always']).nullable(),
  /** Window in tokens that was asked for, that the server gave, and that the model was trained with. */
  askedWindowTokens: z.int(),
  windowTokens: z.int().nullable(),
  trainedWindowTokens: z.int().nullable(),
  seesPictures: z.boolean(),
  /** Smallest side of a picture that it took, px. */
  smallestSidePx: z.int().nullable(),
  /** Prompt tokens of a picture of the size of a page. */
  tokensPerPicture: z.int().nullable(),
  /** Whether the third answer in a row makes as much sense as the first. */
  thirdAnswer: z.enum(['ok', 'garbage']).nullable(),
  /** Why it cannot be used at all; null = it can. */
  refusal: z.string().nullable(),
  /** Probes that were left out or found nothing, each with the reason. */
  skipped: z.array(z.string()),
});
export type ModelFindings = z.infer<typeof modelFindingsSchema>;

/** Findings before anything was tried. */
export const newFindings = (askedWindowTokens: number, seesPictures: boolean): ModelFindings => ({
  answers: null,
  schema: null,
  thinking: null,
  askedWindowTokens,
  windowTokens: null,
  trainedWindowTokens: null,
  seesPictures,
  smallestSidePx: null,
  tokensPerPicture: null,
  thirdAnswer: null,
  refusal: null,
  skipped: [],
});

/** The window that calls can use: the smaller one of what is configured and what is served. */
export const usableWindow = (configuredTokens: number, servedTokens: number | null): number =>
  servedTokens === null ? configuredTokens : Math.min(configuredTokens, servedTokens);

/** How a model is asked about thinking, by what was found out; undefined = nothing was. */
export function thinkingToAsk(findings: ModelFindings | null): Thinking | undefined {
  switch (findings?.thinking) {
    case 'off':
    case 'low':
      return findings.thinking;
    case 'always':
      return 'leave';
    case 'none':
    case null:
    case undefined:
      return undefined;
  }
}

const figure = (count: number): string => count.toLocaleString('en');

const THINKING_WORDS: Readonly<Record<NonNullable<ModelFindings['thinking']>, string>> = {
  none: 'does not think',
  off: 'thinks; thinking can be switched off',
  low: 'thinks; answers with little thinking, not with thinking off',
  always: 'thinks; thinking cannot be switched off',
};

/** One row of a table of findings. */
export interface FindingWords {
  readonly probe: string;
  readonly found: string;
}

/** The findings as a table: a row for each probe, and one for each that was left out. */
export function findingWords(findings: ModelFindings): FindingWords[] {
  const { answers, schema, thinking, thirdAnswer } = findings;
  const rows: (readonly [string, string | null])[] = [
    ['answers', answersWords(answers)],
    ['schema', schema === null ? null : schema === 'enforced' ? 'enforced' : 'not enforced by the server'],
    ['thinking', thinking === null ? null : THINKING_WORDS[thinking]],
    ['third answer', thirdAnswer === null ? null : thirdAnswer === 'ok' ? 'makes sense' : 'random words'],
    ['window', windowWords(findings)],
    ['pictures', picturesWords(findings)],
  ];
  return [
    ...rows.flatMap(([probe, found]) => (found === null ? [] : [{ probe, found }])),
    ...findings.skipped.map((found) => ({ probe: 'skipped', found })),
    ...(findings.refusal === null ? [] : [{ probe: 'refused', found: findings.refusal }]),
  ];
}

function answersWords(answers: ModelFindings['answers']): string | null {
  switch (answers) {
    case null:
      return null;
    case 'alone':
      return 'JSON';
    case 'inside':
      return 'JSON inside other words, which is taken out';
    case 'none':
      return 'no JSON';
  }
}

/** The window that is served; a difference to what is configured is said. Null = not known. */
export function windowWords({
  askedWindowTokens: asked,
  windowTokens: served,
  trainedWindowTokens: trained,
}: Pick<ModelFindings, 'askedWindowTokens' | 'windowTokens' | 'trainedWindowTokens'>): string | null {
  if (served === null) return null;
  if (served >= asked) return `${figure(served)} tokens`;
  const why = trained !== null && trained <= served ? ' (the model was trained with no more)' : '';
  return `serves ${figure(served)} tokens, ${figure(asked)} are configured${why}`;
}

function picturesWords({ seesPictures, smallestSidePx, tokensPerPicture }: ModelFindings): string | null {
  if (!seesPictures) return 'sees none';
  const parts = [
    ...(smallestSidePx === null ? [] : [`from ${smallestSidePx} px a side`]),
    ...(tokensPerPicture === null ? [] : [`${figure(tokensPerPicture)} tokens each`]),
  ];
  return parts.length === 0 ? null : parts.join(', ');
}
