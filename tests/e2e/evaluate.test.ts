/** `deckhand evaluate` from a folder to a kept run, on the project's own samples. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { EvaluationComparison } from '../../domain/evaluation/compare.ts';
import { EVALUATION_REPORT_FILES, evaluationFolder } from '../../platform/evaluation-files.ts';
import { perFile } from '../../testing/per-file.ts';
import { joinSharedStack } from '../../testing/rig.ts';
import { commandsOf, idsOf } from './evaluating.ts';

const SAMPLES = path.resolve(import.meta.dirname, '../../samples');
const rig = perFile(() => joinSharedStack());
const { documentOf, evaluate } = commandsOf(() => rig.config.environment);

it('the samples are reviewed and judged, kept, not reviewed twice, and compared', async () => {
  const first = await evaluate(SAMPLES);
  const { figures, making, run } = first;
  expect(figures).toMatchObject({ decks: 4, labelled: 4, finished: 4 });
  const company = figures.fields.find(({ field }) => field === 'company');
  expect(company?.right).toMatchObject({ right: 3, of: 3 });
  expect(figures.fields.map(({ field }) => field)).toContain('company_in_picture');
  expect(figures.questions.answered.of + figures.questions.rightlyNone.of).toBe(4 * 34);
  expect(figures.quotes.answers['verified']).toBeGreaterThan(50);
  expect(figures.usage.promptTokens).toBeGreaterThan(10_000);
  expect(making.tasks.map(({ task }) => task)).toContain('answer_question');
  const page = readFileSync(path.join(evaluationFolder(rig.config.home, run.id), EVALUATION_REPORT_FILES.html), 'utf8');
  expect(page).toContain('cardiosense.pdf');
  expect(page).not.toContain('<script');

  const second = await evaluate(SAMPLES);
  expect(second.run.id).not.toBe(run.id);
  expect(idsOf(second)).toEqual(idsOf(first));
  const listed = await documentOf<{ id: string; decks: number }[]>('evaluate', 'list');
  expect(listed.map(({ id }) => id)).toEqual(expect.arrayContaining([run.id, second.run.id]));
  const comparison = await documentOf<EvaluationComparison>('evaluate', 'compare', run.id, second.run.id);
  expect(comparison).toMatchObject({ making: [], fields: [], decks: [], sameDecks: 4, allQuestions: { kappa: 1 } });
});
