/** A comparison in Markdown and in the terminal: what changed is marked, and no word of a deck becomes markup. */
import { describe, expect, it } from 'vitest';
import { comparisonDocument } from '../../../../api/decks/compare/document.ts';
import { renderMarkdown } from '../../../../api/document/markdown.ts';
import { renderComparison } from '../../../../cli/decks/comparison-text.ts';
import { compareReports } from '../../../../domain/decks/compare/compare-reports.ts';
import type { Comparison } from '../../../../domain/decks/compare/comparison.ts';
import type { AnalysisReport } from '../../../../domain/decks/report.ts';
import { provenance, reportWith } from '../../api/report-fixture.ts';
import { withFirstQuestion } from '../fixtures.ts';

const PLAIN = { colours: false, width: 100 };

/** Two reports of which much differs, every text of them made of `text`. */
function comparisonOf(text: string, overrides: Partial<AnalysisReport> = {}): Comparison {
  const a = reportWith(text);
  const b = withFirstQuestion(
    reportWith(`${text}!`, { createdAt: '2026-11-21T10:00:00.000Z' }),
    (q) => ({
      ...q,
      score: 5,
      answer: `In short: ${text} and that is all there is to say`,
      answerProvenance: { ...provenance, model: text, contentKey: 'other' },
    }),
    { score: 5 },
  );
  const gap = { item: 'question/x', stage: 'scoring', slide: null, question: 'x', code: 'unparseable', message: text };
  return compareReports(a, { ...b, gaps: [gap], slides: b.slides.slice(1), ...overrides });
}

const calm = (): Comparison => {
  const a = withFirstQuestion(reportWith('words'), (q) => ({ ...q, answer: 'The market is large and grows fast' }));
  const b = withFirstQuestion(reportWith('words'), (q) => ({
    ...q,
    score: 3,
    answer: 'The market is very small and grows fast',
    answerProvenance: { ...provenance, model: 'gemma3:12b', contentKey: 'other' },
  }));
  return compareReports(a, { ...b, overall: { ...b.overall, score: 5.25 } });
};

it('says that two decks differ and that one analysis is not finished, in the language of both', () => {
  const other = comparisonOf('x', { status: 'running', deck: { ...reportWith('y').deck, id: 'another' } });
  for (const text of everywhere(other)) {
    expect(text).toContain('two different decks');
    expect(text).toContain('B is not finished (running)');
  }
  const german = compareReports(reportWith('x', { language: 'de' }), reportWith('y', { language: 'de' }));
  expect(renderMarkdown(comparisonDocument(german))).toContain('Warum sie sich unterscheiden können');
});

const everywhere = (comparison: Comparison): readonly string[] => [
  renderMarkdown(comparisonDocument(comparison)).replaceAll('\\', ''),
  renderComparison(comparison, PLAIN),
];

it('says among the reasons that a rollout had the two made differently', () => {
  const a = reportWith('words', { rollout: null });
  for (const text of everywhere(compareReports(a, reportWith('words')))) {
    expect(text).toMatch(/Why they may differ\n+.*rollout:? _?none_? → other-models: candidate/u);
  }
  const third = reportWith('words', { rollout: { name: 'third', side: 'candidate' } });
  for (const text of everywhere(compareReports(third, reportWith('words')))) {
    expect(text).toMatch(/rollout:? third: candidate → other-models: candidate/u);
  }
});

it('a quote that was verified in the text layer, and by OCR the other time, is shown', () => {
  const b = withFirstQuestion(reportWith('words'), (q) => ({
    ...q,
    evidence: q.evidence.map((e) => (e.verdict === 'verified' ? { ...e, verdict: 'verified_ocr' as const } : e)),
  }));
  for (const text of everywhere(compareReports(reportWith('words'), b))) {
    expect(text).toMatch(/found on the slide → found on the slide \(OCR\)|verified → verified \(OCR\)/u);
  }
});

it.each([
  ['en', 'not judged whether it answers → answers the question'],
  ['de', 'nicht beurteilt, ob es antwortet → beantwortet die Frage'],
] as const)(
  'a quote that answers by one analysis, and was not judged by the other, is shown (%s)',
  (language, text) => {
    const judged = (answering: 'high' | null): AnalysisReport =>
      withFirstQuestion(reportWith('words', { language }), (q) => ({
        ...q,
        evidence: q.evidence.map((quote) => ({ ...quote, answering })),
      }));
    const [markdown, terminal] = everywhere(compareReports(judged(null), judged('high')));
    expect(markdown).toContain(text);
    expect(terminal).toContain('not judged whether it answers → answers the question');
  },
);

describe('why the two may differ', () => {
  it('names another language or template, also where no result can be compared with another', () => {
    const b = reportWith('words', { language: 'de' });
    const other = compareReports(reportWith('words'), { ...b, template: { ...b.template, slug: 'another' } });
    expect(other.reasons).toEqual([]);
    for (const text of everywhere(other)) {
      expect(text).not.toContain('Both were made in the same way');
      expect(text).toMatch(/language:? en → de/u);
      expect(text).toMatch(/template slug:? seven_chapter_review → another/u);
    }
  });

  it('says that a replay computed results anew', () => {
    const b = withFirstQuestion(reportWith('words'), (q) => ({
      ...q,
      answerProvenance: { ...provenance, contentKey: 'of an edition' },
    }));
    for (const text of everywhere(compareReports(reportWith('words'), b, new Set(['answer_question'])))) {
      expect(text).toMatch(/answer_question:\s+computed anew by a replay/u);
      expect(text).not.toContain('what went into the call differs');
    }
  });
});

describe('Markdown', () => {
  it('lets no word of a deck become markup or a link', () => {
    const hostile = ['<script>x</script>', '[x](javascript:alert(1))', '# heading', '`code`', 'https://evil.example'];
    for (const text of hostile) {
      const markdown = renderMarkdown(comparisonDocument(comparisonOf(text)));
      expect(markdown, text).not.toMatch(/<[a-z!/]/iu);
      expect(markdown, text).not.toMatch(/(?<!\\)\]\(|https?:\/\/|javascript:/u);
    }
  });

  it('marks changed words', () => {
    expect(renderMarkdown(comparisonDocument(calm()))).toContain(
      'The market is ~~large~~ **very small** and grows fast',
    );
  });
});

describe('every word of a comparison', () => {
  const comparison = comparisonOf('Plain words');

  it('in Markdown', async () => {
    await expect(renderMarkdown(comparisonDocument(comparison))).toMatchFileSnapshot('snapshots/markdown.txt');
  });

  it('in the terminal', async () => {
    await expect(renderComparison(comparison, PLAIN)).toMatchFileSnapshot('snapshots/terminal.txt');
    const same = compareReports(reportWith('x'), reportWith('x'));
    await expect(renderComparison(same, PLAIN)).toMatchFileSnapshot('snapshots/terminal-same.txt');
  });
});

describe('the terminal', () => {
  it('marks changed words without colour, and gives scores a bar', () => {
    const text = renderComparison(calm(), PLAIN);
    expect(text).toContain('The market is [-large-] {+very small+} and grows fast');
    expect(text).toMatch(/Overall +4\.3 {4}5\.3 {2}▲ \+1\.0 █+/u);
    expect(text).toMatch(/1 × answer_question: model deckhand-reader → gemma3:12b/u);
    expect(text).not.toContain('\u001B');
  });

  it('uses colours where they are wanted, and lets no control character of a deck through', () => {
    const coloured = renderComparison(calm(), { colours: true, width: 100 });
    expect(coloured).toContain('\u001B[32mvery small\u001B[39m');
    expect(renderComparison(comparisonOf('evil \u001B[2J\u0007 deck'), PLAIN)).not.toMatch(/(?!\n)\p{Cc}/u);
  });
});
