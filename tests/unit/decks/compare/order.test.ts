/** What a comparison says first, and what last. */
import { expect, it } from 'vitest';
import { comparisonDocument } from '../../../../api/decks/compare/document.ts';
import { renderMarkdown } from '../../../../api/document/markdown.ts';
import { renderComparison } from '../../../../cli/decks/comparison-text.ts';
import { compareReports } from '../../../../domain/decks/compare/compare-reports.ts';
import type { Comparison } from '../../../../domain/decks/compare/comparison.ts';
import { shownReasons } from '../../../../domain/decks/compare/reading.ts';
import { provenance, reportWith, withQuestions } from '../../api/report-fixture.ts';

const PLAIN = { colours: false, width: 100 };

/** Two reviews whose answers were made by another model, at another temperature, each with a seed of its own. */
function comparison(): Comparison {
  const a = reportWith('words');
  let seedUsed = 100;
  const b = withQuestions(a, ({ slug }) => ({
    answerProvenance: {
      ...provenance,
      model: 'gemma3:12b',
      contentKey: `other ${slug}`,
      options: { ...provenance.options, temperature: 0.5, seedUsed: (seedUsed += 1) },
    },
  }));
  return compareReports(a, { ...b, overall: { ...b.overall, score: 5 } });
}

it('seeds are one line, and options come after what was chosen', () => {
  const compared = comparison();
  expect(compared.reasons.filter((reason) => reason.field === 'options.seedUsed')).toHaveLength(4);
  const { reasons, otherSeeds } = shownReasons(compared);
  expect(otherSeeds).toBe(4);
  expect(reasons.map((reason) => reason.field)).toEqual(['model', 'options.temperature']);
});

it.each<[string, (compared: Comparison) => string]>([
  ['the terminal', (compared) => renderComparison(compared, PLAIN)],
  ['Markdown', (compared) => renderMarkdown(comparisonDocument(compared))],
])('in %s scores come before the reasons, and no seed is listed', (_name, render) => {
  const text = render(comparison());
  expect(text).not.toMatch(/seed used/u);
  expect(text.match(/another random seed/gu)).toHaveLength(1);
  expect(text.indexOf('Scores')).toBeGreaterThan(0);
  expect(text.indexOf('Scores')).toBeLessThan(text.indexOf('Why they may differ'));
});
