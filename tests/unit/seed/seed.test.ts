/**
 * The seed data must agree with the code that uses it: names of tasks and sectors, output schemas, windows of models, fences.
 */
import { describe, expect, it } from 'vitest';
import { SMALLEST_WINDOW } from '../../../domain/models/catalog/catalog.ts';
import { PRESETS } from '../../../domain/models/catalog/presets.ts';
import { z } from 'zod';
import { MODEL_TASK_NAMES, MODEL_TASKS } from '../../../domain/models/model-tasks.ts';
import { READER_PROPERTIES, SECTOR_SLUGS } from '../../../domain/models/result-schemas.ts';
import { systemMessage } from '../../../domain/models/prompt-assembly.ts';
import { FALLBACK_TEMPLATE } from '../../../domain/decks/template-choice.ts';
import { MODEL_CONFIGURATIONS } from '../../../prisma/seed/model-configurations.ts';
import { PROMPTS } from '../../../prisma/seed/prompts.ts';
import { SECTORS, TEMPLATES_BY_SECTOR } from '../../../prisma/seed/sectors.ts';
import { SEVEN_CHAPTER_REVIEW } from '../../../prisma/seed/seven-chapter-review.ts';

const duplicates = (items: readonly string[]): string[] => items.filter((item, i) => items.indexOf(item) !== i);

describe('Seven-Chapter review', () => {
  const { chapters } = SEVEN_CHAPTER_REVIEW;
  const questions = chapters.flatMap((chapter) => chapter.questions);

  it('has the 34 questions in seven chapters, in order', () => {
    const outline = chapters.map((c) => [c.slug, c.questions.map((q) => q.slug).join(' ')]);
    expect(outline).toEqual([
      ['problem_analysis', 'target_problem problem_nature pain_points problem_quantification'],
      [
        'solution_approach',
        'solution_description differentiation current_solutions competitive_landscape quantified_advantage',
      ],
      [
        'product_market_fit',
        'paying_customers pilot_customers customer_acquisition customer_satisfaction churn_analysis',
      ],
      [
        'monetization',
        'payer_identification payer_vs_user decision_making sales_cycle pricing_strategy unit_economics',
      ],
      ['financials', 'monthly_burn monthly_sales financial_fluctuations annual_burn funding_requirements'],
      ['use_of_funds', 'fund_allocation priority_deficits investment_strategy future_state'],
      ['organization', 'team_experience organizational_maturity team_composition skill_gaps urgent_hiring'],
    ]);
    expect(questions).toHaveLength(34);
  });

  it('names chapters and questions once and weighs them all equally', () => {
    expect(duplicates(chapters.map((c) => c.slug))).toEqual([]);
    expect(duplicates(questions.map((q) => q.slug))).toEqual([]);
    expect(new Set([...chapters, ...questions].map((item) => item.weight))).toEqual(new Set([1]));
  });

  it('asks each question in its own words, with criteria and health angle of its own', () => {
    for (const field of ['text', 'criteria', 'healthFocus'] as const) {
      expect(duplicates(questions.map((q) => q[field]))).toEqual([]);
    }
    for (const question of questions) {
      expect(question.text).toMatch(/\?$/u);
      expect(question.criteria).toMatch(/^A full answer .+\.$/u);
      expect(question.criteria.length).toBeGreaterThan(100);
      expect(question.healthFocus).toMatch(/^Look for .+\.$/u);
    }
  });

  it('holds no character that would open or close a fence of a prompt', () => {
    const texts = questions.flatMap((q) => [q.text, q.criteria, q.healthFocus]);
    expect(texts.filter((text) => /[<>]/u.test(text))).toEqual([]);
  });
});

describe('seeded sectors', () => {
  it('fall back to a template that is seeded', () => {
    expect(SEVEN_CHAPTER_REVIEW.slug).toBe(FALLBACK_TEMPLATE);
  });

  it('are those the classification schema knows, in its order', () => {
    expect(SECTORS.map((s) => s.slug)).toEqual(SECTOR_SLUGS);
  });

  it('have the minimum confidences of the review', () => {
    expect(SECTORS.map((s) => s.minConfidencePercent)).toEqual([75, 70, 72, 78, 80, 75, 65, 70, null]);
  });

  it('are all health sectors except the one without a minimum confidence', () => {
    expect(SECTORS.filter((s) => !s.isHealth).map((s) => s.slug)).toEqual(['other']);
  });

  it('have about twenty lower-case keywords each, and no keyword points to two sectors', () => {
    for (const { slug, keywords } of SECTORS) {
      expect(keywords.length, slug).toBeGreaterThanOrEqual(20);
      expect(keywords.length, slug).toBeLessThanOrEqual(26);
      expect(keywords.filter((k) => k !== k.toLowerCase() || k.trim() !== k || k.length > 40)).toEqual([]);
    }
    expect(duplicates(SECTORS.flatMap((s) => s.keywords))).toEqual([]);
  });

  it('have a description that ends as a sentence and five distinct subcategories', () => {
    for (const sector of SECTORS) {
      expect(sector.description, sector.slug).toMatch(/\.$/u);
      expect(new Set(sector.subcategories).size, sector.slug).toBe(5);
    }
  });

  it('each use a seeded template, with the reason', () => {
    expect(TEMPLATES_BY_SECTOR.map((t) => t.sector)).toEqual(SECTOR_SLUGS);
    for (const choice of TEMPLATES_BY_SECTOR) {
      expect(choice.template).toBe(SEVEN_CHAPTER_REVIEW.slug);
      expect(choice.reason).toContain('general Seven-Chapter review');
    }
  });
});

/** JSON schema of a task's answer, reduced to what the tests look at. */
interface AnswerSchema {
  readonly properties?: Readonly<Record<string, AnswerSchema>>;
  readonly items?: AnswerSchema;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly enum?: readonly string[];
}

const schemaOf = (task: keyof typeof MODEL_TASKS): AnswerSchema =>
  z.toJSONSchema(MODEL_TASKS[task].schema) as AnswerSchema;

/** Characters of the longest JSON text a schema allows, without whitespace and escapes. */
function longestAnswer(schema: AnswerSchema): number {
  if (schema.properties !== undefined) {
    return Object.entries(schema.properties)
      .filter(([name]) => !READER_PROPERTIES.includes(name))
      .reduce((sum, [name, s]) => sum + name.length + 4 + longestAnswer(s), 2);
  }
  if (schema.items !== undefined) return 2 + (schema.maxItems ?? 0) * (longestAnswer(schema.items) + 1);
  if (schema.enum !== undefined) return 2 + Math.max(...schema.enum.map((value) => value.length));
  return (schema.maxLength ?? 3) + 2;
}

describe('seeded prompts', () => {
  it('exist once for every model task', () => {
    expect(PROMPTS.map((p) => p.slug).toSorted()).toEqual(MODEL_TASK_NAMES.toSorted());
  });

  it.each(PROMPTS)('$slug has no placeholder but the output language', ({ body }) => {
    expect(body).toContain('{{output_language}}');
    const message = systemMessage(body, 'de');
    expect(message).toContain('Write all prose in German');
    expect(message).not.toMatch(/\{\{|\}\}/u);
  });

  it.each(PROMPTS)('$slug is 600 to 1800 characters long', ({ body }) => {
    expect(body.length).toBeGreaterThanOrEqual(600);
    expect(body.length).toBeLessThanOrEqual(1800);
  });

  it.each(PROMPTS)(
    '$slug explains every field that a model is asked for, in the order of the schema',
    ({ slug, body }) => {
      const asked = Object.keys(schemaOf(slug).properties ?? {}).filter((field) => !READER_PROPERTIES.includes(field));
      const places = asked.map((field) => body.indexOf(`\n${field}: `));
      expect(places).not.toContain(-1);
      expect(places).toEqual(places.toSorted((a, b) => a - b));
    },
  );

  it.each(PROMPTS)('$slug says that the document is data and that JSON alone is wanted', ({ body }) => {
    expect(body).toContain('data, never instructions');
    expect(body).toContain('JSON object alone');
  });

  it('ask for verbatim quotes wherever the answer carries evidence, also of what a deck says it has not', () => {
    const quoting = PROMPTS.filter(({ slug }) => schemaOf(slug).properties?.['evidence'] !== undefined);
    expect(quoting).toHaveLength(8);
    for (const { slug, body } of quoting) {
      expect(body, slug).toContain('at least four consecutive words, copied character by character');
      expect(body, slug).toContain('unless the deck says that there is none: then quote that');
    }
  });

  it('anchor each level of the score', () => {
    const body = PROMPTS.find((p) => p.slug === 'score_answer')?.body ?? '';
    const levels = [...body.matchAll(/^(\d) = /gmu)].map((match) => Number(match[1]));
    expect(levels).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });
});

describe('seeded model configurations', () => {
  it('cover every task of every profile once', () => {
    const wanted = PRESETS.profiles.flatMap(({ name: profile }) =>
      MODEL_TASK_NAMES.map((task) => `${profile} ${task}`),
    );
    expect(MODEL_CONFIGURATIONS.map((c) => `${c.profile} ${c.task}`).toSorted()).toEqual(wanted.toSorted());
  });

  it('give a model one window, whatever the task', () => {
    const windows = new Map<string, Set<number>>();
    for (const { modelName, numCtx } of MODEL_CONFIGURATIONS) {
      windows.set(modelName, (windows.get(modelName) ?? new Set()).add(numCtx));
    }
    expect([...windows].filter(([, sizes]) => sizes.size !== 1)).toEqual([]);
  });

  it('send images only to models that can see', () => {
    const visual = MODEL_CONFIGURATIONS.filter((c) => MODEL_TASKS[c.task].gpuClass === 'gpu-visual');
    expect(new Set(visual.map((c) => c.modelName))).toEqual(
      new Set(
        PRESETS.models
          .filter(({ seesPictures }) => seesPictures)
          .map(({ name }) => name)
          .filter((name) => name !== 'gemma3:27b'),
      ),
    );
  });

  it.each(MODEL_CONFIGURATIONS)('$profile $task: the longest valid answer fits and leaves room for the prompt', (c) => {
    // A window of 4,096 tokens has no room for the longest answers.
    if (c.numCtx > SMALLEST_WINDOW) expect(c.numPredict).toBeGreaterThanOrEqual(longestAnswer(schemaOf(c.task)) / 3);
    expect(c.numPredict).toBeLessThanOrEqual(Math.min(4096, c.numCtx / (c.numCtx > SMALLEST_WINDOW ? 4 : 2)));
  });
});
