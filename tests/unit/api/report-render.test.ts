import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderHtml } from '../../../api/decks/report/html.ts';
import { formatAmount, labelsOf, scoreClass } from '../../../api/decks/report/labels.ts';
import { escaped, renderMarkdown } from '../../../api/decks/report/markdown.ts';
import { analysisReportSchema } from '../../../domain/decks/report.ts';
import { wordsOf } from '../../../testing/page-words.ts';
import { forAll } from '../../../testing/property.ts';
import type { AnalysisReport } from '../../../domain/decks/report.ts';
import { reportWith } from './report-fixture.ts';

const PNG = 'data:image/jpeg;base64,AAAA';
const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</style><script>alert(1)</script>',
  '</title><svg/onload=alert(1)>',
  '<!-- --><iframe src=https://evil.example>',
  '&lt;script&gt;',
];

/** Tags of a page: what a browser would take for markup. */
const tagsOf = (page: string): string[] => page.match(/<[a-z!/][^>]*>/gi) ?? [];
/** The page without the places where our own words stand, so that pages of two texts can be compared. */
const skeletonOf = (page: string): string =>
  tagsOf(page)
    .map((tag) => tag.replaceAll(/"[^"]*"/g, '""'))
    .join('');

it('pages that were not read from a text layer say so, in both reports and both languages', () => {
  const { slides } = reportWith('text');
  const [first] = slides;
  if (first?.page === undefined || first.page === null) return expect.fail('the fixture has no page');
  const page = { ...first.page, source: 'ocr' as const, ocr: 'done' as const };
  for (const language of ['en', 'de'] as const) {
    const report = reportWith('text', { language, slides: [{ ...first, page }] });
    const note = labelsOf(language).pageNotes.recognised;
    expect(renderHtml(report, new Map())).toContain(note);
    expect(renderMarkdown(report)).toContain(escaped(note));
    expect(renderMarkdown(reportWith('text', { language }))).not.toContain(escaped(note));
  }
});

describe('HTML report', () => {
  it('lets no word of a deck become markup', () => {
    const harmless = skeletonOf(renderHtml(reportWith('harmless'), new Map([[1, PNG]])));
    for (const text of HOSTILE) {
      const page = renderHtml(reportWith(text), new Map([[1, PNG]]));
      expect(skeletonOf(page), text).toBe(harmless);
      expect(page).not.toMatch(/<script|<iframe|<img src=x|onerror=alert\(1\)>/);
    }
  });

  it('lets no text whatsoever become markup', async () => {
    const harmless = skeletonOf(renderHtml(reportWith('harmless'), new Map()));
    const nasty = fc.string({
      unit: fc.constantFrom('<', '>', '"', "'", '&', '/', '=', '`', '$', '{', 'a', ' ', '\n'),
      maxLength: 30,
    });
    await forAll([nasty], { runs: 60 }, (text) =>
      expect(skeletonOf(renderHtml(reportWith(text), new Map()))).toBe(harmless),
    );
  });

  it('needs nothing from anywhere', () => {
    const page = renderHtml(reportWith('text'), new Map([[1, PNG]]));
    for (const [, url] of page.matchAll(/(?:src|href)="([^"]*)"/g)) expect(url).toMatch(/^(data:|#)/);
    expect(page).not.toMatch(/@import|url\(|<script|<link/);
  });

  it('says on top that rules answered, not a language model', () => {
    const page = renderHtml(reportWith('text'), new Map());
    const notice = page.indexOf(labelsOf('en').rulesNotice);
    expect(notice).toBeGreaterThan(0);
    expect(notice).toBeLessThan(page.indexOf('<section>'));
  });

  it('links each quote to its slide, and not to a slide that is not there', () => {
    const page = renderHtml(reportWith('text'), new Map());
    expect(page).toContain('href="#slide-1"');
    expect(page).toContain('id="slide-1"');
    expect(page).not.toContain('href="#slide-9"');
  });

  it('colours scores by their bounds', () => {
    const expected = ['good', 'good', 'medium', 'medium', 'weak', 'weak', 'none'];
    expect([7, 6, 5.9, 4, 3.9, 0, null].map(scoreClass)).toEqual(expected);
  });

  it('shows gaps and marks a question without a score as such, not as 0', () => {
    const page = renderHtml(reportWith('text'), new Map());
    expect(page).toContain(`<h2>${labelsOf('en').gaps}`);
    expect(page).toContain('<span class="score none"');
  });

  it('draws no radar from fewer than three chapters', () => {
    const report = reportWith('text');
    expect(renderHtml(report, new Map())).toContain('<svg class="radar"');
    expect(renderHtml({ ...report, chapters: report.chapters.slice(0, 2) }, new Map())).not.toContain('<svg');
  });

  it('renders a report of which nothing is known yet', () => {
    const page = renderHtml(
      reportWith('x', {
        engine: null,
        company: null,
        offering: null,
        failure: null,
        funding: { raw: null, amount: null, minAmount: null, currency: null },
        chapters: [],
        slides: [],
        gaps: [],
        specialised: [],
        keyPoints: [],
        recommendations: [],
        steering: [],
        contradictions: [],
      }),
      new Map(),
    );
    expect(page).toContain('not asked');
    expect(page).not.toMatch(/\bnull\b|undefined|\[object/);
  });

  it('shows both slides of a contradiction, in the language of the analysis', () => {
    const contradictions: AnalysisReport['contradictions'] = [
      {
        kind: 'total',
        subject: 'Use of funds',
        first: { slide: 2, quote: 'Product 50% · Sales 40%', value: '90 %' },
        second: { slide: 1, quote: 'Use of funds', value: '100 %' },
      },
    ];
    for (const render of [(report: AnalysisReport) => renderHtml(report, new Map()), renderMarkdown]) {
      const english = render(reportWith('x', { contradictions })).replaceAll('\\', '');
      expect(english).toMatch(
        /The parts do not add up: Use of funds[^]*Slide 2[^]*90 %, sum of the parts[^]*Slide 1[^]*100 %/u,
      );
      expect(render(reportWith('x', { contradictions, language: 'de' }))).toContain(
        'Die Teile ergeben nicht die Summe',
      );
      expect(render(reportWith('x', { contradictions: [] }))).not.toContain('cannot both be right');
    }
  });

  it('speaks the language of the analysis', () =>
    expect(renderHtml(reportWith('x', { language: 'de' }), new Map())).toContain(labelsOf('de').overall));
});

it('Markdown report lets no word of a deck become markup or a link', () => {
  for (const text of [
    ...HOSTILE,
    '[x](javascript:alert(1))',
    '![x](http://evil.example/p.png)',
    '# heading',
    '`code`',
    'https://evil.example',
  ]) {
    const markdown = renderMarkdown(reportWith(text));
    expect(markdown, text).not.toMatch(/<[a-z!/]/i);
    expect(markdown, text).not.toMatch(/(?<!\\)\]\(/);
    expect(markdown, text).not.toMatch(/https?:\/\/|javascript:/);
  }
});

it('Markdown report keeps every escaped text on one line', () =>
  forAll([fc.string()], (text) => !/[\n\r]/.test(escaped(text))));

it('Markdown report names engine, scores and gaps', () => {
  const markdown = renderMarkdown(reportWith('Plain words'));
  for (const said of [labelsOf('en').rulesNotice, '4.3', 'unparseable', labelsOf('en').gaps])
    expect(markdown).toContain(said);
});

describe('a value that lacks a slide which is there now', () => {
  const whole = reportWith('words');
  const lacking = {
    ...whole,
    replay: { of: 'the-origin', kind: 'gaps' as const },
    extractions: whole.extractions.map((e) => ({ ...e, computedWithout: [30] })),
    sector: { ...whole.sector, computedWithout: [30] },
    overall: { ...whole.overall, computedWithout: [7, 30] },
    chapters: whole.chapters.map((c) => ({
      ...c,
      questions: c.questions.map((q) => ({ ...q, computedWithout: [7, 30] })),
    })),
    specialised: whole.specialised.map((s) => ({ ...s, computedWithout: [30] })),
  };
  const values = 1 + 1 + 1 + lacking.chapters.flatMap((c) => c.questions).length + lacking.specialised.length;
  const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

  it('says so, in every report', () => {
    for (const text of [renderMarkdown(lacking), renderHtml(lacking, new Map())]) {
      expect(count(text, /computed without slides? (?:7, )?30/g)).toBe(values);
      expect(text).toMatch(/Replay of the/);
    }
    expect(renderMarkdown({ ...lacking, language: 'de' })).toContain('ohne Folie 7, 30 berechnet');
  });

  it('and no other value does', () => {
    for (const text of [renderMarkdown(whole), renderHtml(whole, new Map())]) {
      expect(text).not.toContain('computed without');
      expect(text).not.toContain('Replay of');
    }
  });
});

it('amounts are written in the reader’s language and with the code of the currency', () => {
  expect(formatAmount({ amount: 2_500_000, minAmount: null, currency: 'EUR' }, 'en')).toBe('EUR 2,500,000');
  expect(formatAmount({ amount: 2_500_000, minAmount: null, currency: 'EUR' }, 'de')).toBe('EUR 2.500.000');
  expect(formatAmount({ amount: null, minAmount: null, currency: null }, 'en')).toBeNull();
});

it('labels have the same words in every language', () =>
  expect(Object.keys(labelsOf('de')).toSorted()).toEqual(Object.keys(labelsOf('en')).toSorted()));

describe.each(['en', 'de'] as const)('every word of a report, %s', (language) => {
  it('as a page', async () => {
    const page = renderHtml(reportWith('Plain words', { language }), new Map([[1, PNG]]));
    await expect(wordsOf(page)).toMatchFileSnapshot(`snapshots/report-html-${language}.txt`);
  });

  it('in Markdown', async () => {
    const markdown = renderMarkdown(reportWith('Plain words', { language }));
    await expect(markdown).toMatchFileSnapshot(`snapshots/report-markdown-${language}.txt`);
  });
});

it('the fixture is a valid report', () =>
  expect(analysisReportSchema.parse(reportWith('text'))).toEqual(reportWith('text')));

it('a hazard that a damaged file hides is shown as not known', () => {
  const report = reportWith('text');
  const damaged = { ...report, deck: { ...report.deck, hazards: ['javascript', 'attachments_unknown'] } };
  for (const page of [renderHtml(damaged, new Map()), renderMarkdown(damaged)]) {
    expect(page).toContain('attachments: not known');
    expect(page).not.toContain('attachments_unknown');
  }
});
