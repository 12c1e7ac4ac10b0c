import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderHtml } from '../../../api/document/html.ts';
import { formatAmount, scoreTone } from '../../../api/decks/report/format.ts';
import { labelsOf } from '../../../api/decks/report/labels.ts';
import { escaped, renderMarkdown } from '../../../api/document/markdown.ts';
import { evidenceFound } from '../../../domain/decks/review/evidence-found.ts';
import { missingText } from '../../../domain/decks/review/words.ts';
import { ANALYSIS_STATUSES } from '../../../domain/decks/list/kinds.ts';
import { isWithdrawn } from '../../../domain/decks/review/proof.ts';
import { analysisReportSchema } from '../../../domain/decks/report.ts';
import { wordsOf } from '../../../testing/page-words.ts';
import { forAll } from '../../../testing/property.ts';
import { said } from '../../../testing/said.ts';
import type { AnalysisReport } from '../../../domain/decks/report.ts';
import { factFrom, profileOf, quoteFrom } from '../../../testing/profile.ts';
import { checkedReport, markdownOf, reportWith, reviewOf, withQuestions } from './report-fixture.ts';

const JPEG = new Map([[1, new Uint8Array([255, 216])]]);
const html = (report: AnalysisReport): string => renderHtml(reviewOf(report));
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
    expect(html(report)).toContain(note);
    expect(markdownOf(report)).toContain(escaped(note));
    expect(markdownOf(reportWith('text', { language }))).not.toContain(escaped(note));
  }
});

describe('HTML report', () => {
  it('lets no word of a deck become markup', () => {
    const harmless = skeletonOf(renderHtml(reviewOf(reportWith('harmless')), JPEG));
    for (const text of HOSTILE) {
      const page = renderHtml(reviewOf(reportWith(text)), JPEG);
      expect(skeletonOf(page), text).toBe(harmless);
      expect(page).not.toMatch(/<script|<iframe|<img src=x|onerror=alert\(1\)>/);
    }
  });

  it('needs nothing from anywhere', () => {
    const page = renderHtml(reviewOf(reportWith('text')), JPEG);
    for (const [, url] of page.matchAll(/(?:src|href)="([^"]*)"/g)) expect(url).toMatch(/^(data:|#)/);
    expect(page).not.toMatch(/@import|url\(|<script|<link/);
  });

  it('says on top that rules answered, not a language model', () => {
    const page = html(reportWith('text'));
    const notice = page.indexOf(labelsOf('en').evidence.byRules);
    expect(notice).toBeGreaterThan(0);
    expect(notice).toBeLessThan(page.indexOf('<section'));
  });

  it('links each quote to its slide, and not to a slide that is not there', () => {
    const page = html(reportWith('text'));
    expect(page).toContain('href="#slide-1"');
    expect(page).toContain('id="slide-1"');
    expect(page).not.toContain('href="#slide-9"');
  });

  it('colours scores by their bounds', () => {
    const expected = ['good', 'good', 'medium', 'medium', 'weak', 'weak', 'none'];
    expect([7, 6, 5.9, 4, 3.9, 0, null].map(scoreTone)).toEqual(expected);
  });

  it('shows gaps and marks a question without a score as such, not as 0', () => {
    const page = html(reportWith('text'));
    expect(page).toContain(`<h2>${labelsOf('en').gaps}`);
    expect(page).toContain('<span class="mark score none"');
  });

  it('renders a report of which nothing is known yet', () => {
    const page = html(
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
    for (const render of [html, markdownOf]) {
      const english = render(reportWith('x', { contradictions })).replaceAll('\\', '');
      expect(english).toMatch(
        /The parts do not add up: Use of funds[^]*90 %, sum of the parts[^]*Slide 2[^]*100 %[^]*Slide 1/u,
      );
      expect(render(reportWith('x', { contradictions, language: 'de' }))).toContain(
        'Die Teile ergeben nicht die Summe',
      );
      expect(render(reportWith('x', { contradictions: [] }))).not.toContain('cannot both be right');
    }
  });

  it('names both of two sums asked for with their slides in the summary', () => {
    const sum = (slide: number, value: string) => ({ slide, quote: `Ask: ${value}`, value });
    const ask = { kind: 'ask' as const, subject: 'ask', first: sum(2, '5 crore'), second: sum(1, '3 crore') };
    const [summary = ''] = markdownOf(reportWith('x', { contradictions: [ask] })).split('cannot both be right');
    expect(summary).toMatch(/Two sums asked for:[^]*5 crore[^]*2[^]*3 crore[^]*1/u);
  });

  it('goes from the summary to what is missing, contradictions, chapters, slides, and ends with how it was made', () => {
    const page = html(reportWith('text'));
    const ids = [...page.matchAll(/<section id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toEqual([
      'summary',
      'strengths',
      'gaps',
      'contradictions',
      'steering',
      'invisible',
      'hazards',
      'chapters',
      'readings',
      'slides',
      'provenance',
    ]);
    // The contents lead to each.
    expect([...page.matchAll(/<a href="#([a-z]+)"/g)].map(([, id]) => id)).toEqual(ids);
  });

  it('says once how results were made, and shows it on demand', () => {
    const page = html(reportWith('text'));
    expect(page.split('deckhand-reader @ 0123456789ab')).toHaveLength(2);
    expect(page.indexOf('deckhand-reader @')).toBeGreaterThan(page.indexOf('<details class="folded">'));
    expect(page).toContain('$0.42');
  });

  it('has a word for every status and every hazard, in place of its code', () => {
    for (const status of ANALYSIS_STATUSES) {
      const page = html(
        reportWith('text', { status, failure: { code: 'pdf_encrypted', message: 'It is encrypted.' } }),
      );
      expect(page).toContain('It is encrypted.');
      expect(page).not.toMatch(/completed_with_gaps|pdf_encrypted/);
    }
    const { deck } = reportWith('text');
    const page = html(reportWith('text', { deck: { ...deck, hazards: ['launch_action'] } }));
    expect(page).toContain('a command that starts a program');
    expect(page).not.toContain('launch_action');
  });

  it('speaks the language of the analysis', () =>
    expect(html(reportWith('x', { language: 'de' }))).toContain(labelsOf('de').overall));
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
    const markdown = markdownOf(reportWith(text));
    expect(markdown, text).not.toMatch(/<[a-z!/]/i);
    expect(markdown, text).not.toMatch(/(?<!\\)\]\(/);
    expect(markdown, text).not.toMatch(/https?:\/\/|javascript:/);
  }
});

it('Markdown report keeps every escaped text on one line', () =>
  forAll([fc.string()], (text) => !/[\n\r]/.test(escaped(text))));

it('Markdown report names engine, scores and gaps', () => {
  const markdown = markdownOf(reportWith('Plain words'));
  for (const said of [labelsOf('en').evidence.byRules, '4.3', labelsOf('en').noScore, labelsOf('en').gaps])
    expect(markdown).toContain(said);
});

describe.each([
  ['HTML', html],
  ['Markdown', markdownOf],
] as const)('in %s', (_form, render) => {
  it('a quote is shown once; a question with the same evidence names the one that has it', () => {
    const [quote, other] = ['Thirty one hospitals pay for the service', 'Nurses call by phone'];
    const whole = reportWith('Other words', { extractions: [], specialised: [], profile: profileOf({}) });
    const evidence = [quoteFrom(1, quote)];
    const report = withQuestions(whole, ({ slug }) => ({
      text: `Text of ${slug}`,
      evidence: slug === 'question_4' ? [...evidence, quoteFrom(2, other)] : evidence,
    }));
    const text = render(report).replaceAll(/<[^>]*>|[\\*_]/g, '');
    expect(text.split(quote)).toHaveLength(2);
    expect(text.match(/Same evidence as: Text of question1/gu)).toHaveLength(2);
    expect(text.match(/Also the evidence of: Text of question1/gu)).toHaveLength(1);
    expect(text.split(other)).toHaveLength(2);
    const german = render({ ...report, language: 'de' }).replaceAll(/<[^>]*>|[\\*_]/g, '');
    expect(german).toContain('Dieselben Belege wie: Text of question1');
  });

  it('a question whose quotes stand in the summary names the topic', () => {
    const profile = profileOf({ team: [factFrom(2, 'Ada Lovelace, CEO', { name: 'Ada Lovelace', value: 'CEO' })] });
    const report = reportWith('Other words', { extractions: [], specialised: [], profile });
    const text = render(withQuestions(report, () => ({ evidence: [quoteFrom(2, 'Ada Lovelace, CEO')] })));
    expect(text.split('Same evidence as: Team')).toHaveLength(report.chapters.length + 1);
  });

  it('what people say stands beside what the machine says, with name and date', () => {
    const onAnswer = { kind: 'judgement', machine: { text: 'words It goes on.', score: null } } as const;
    const history = [
      said({ kind: 'value', subject: 'value/company_name', text: 'Acme', reason: 'call of Monday' }),
      said({ kind: 'score', subject: 'question/question_3', score: 7, reason: 'they told us' }),
      said({
        kind: 'judgement',
        subject: 'value/company_name',
        text: 'wrong',
        machine: { text: 'words', score: null },
      }),
      said({ ...onAnswer, subject: 'question/question_1', text: 'right', reason: 'slide 1 says so' }),
      said({ ...onAnswer, subject: 'question/question_2', text: 'wrong', machine: { text: 'Older', score: null } }),
      said({ kind: 'judgement', subject: 'reading/clinical', text: 'right', machine: { text: 'words', score: null } }),
      said({ kind: 'decision', text: 'meet' }),
      said({ kind: 'note', subject: 'slide/1', item: 'a', text: 'Look at the axis' }),
      said({ kind: 'note', subject: 'question/question_1', item: 'b', text: 'Ask again' }),
    ];
    const review = reviewOf(reportWith('words'), history);
    const text = (render === html ? renderHtml(review) : renderMarkdown(review))
      .replaceAll(/<[^>]*>|[\\*_]/g, '')
      .replaceAll(/\s+/g, ' ');
    for (const words of [
      'Review: Acme',
      'Ada, 2026-11-21: corrected to Acme – call of Monday',
      'Ada, 2026-11-21: 7 of 7 – they told us (the machine says 2 of 7)',
      'Decision: meet (Ada, 2026-11-21)',
      'Ada, 2026-11-21: Look at the axis',
      'Ada, 2026-11-21: Ask again',
      'the machine says 4.3 of 7',
    ])
      expect(text).toContain(words);
    expect(text.match(/Ada, 2026-11-21: (?:right|wrong)(?: – [\w ]+so)?/gu)).toEqual([
      'Ada, 2026-11-21: wrong',
      'Ada, 2026-11-21: right – slide 1 says so',
      'Ada, 2026-11-21: right',
    ]);
  });
});

describe.each(['en', 'de'] as const)('a review of rules in %s', (language) => {
  const labels = labelsOf(language);
  const textOf = (report: AnalysisReport): string[] =>
    [html(report), markdownOf(report)].map((text) => text.replaceAll(/<[^>]*>|[\\*_>]/g, '').replaceAll(/\s+/g, ' '));

  it('is led by the evidence found and by what is missing, and says once that rules do not judge', () => {
    const report = checkedReport('Plain words', language);
    for (const text of textOf(report)) {
      expect(text).toMatch(new RegExp(`${labels.evidence.found}:? ?0 ${labels.evidence.ofAsked(4)}`, 'u'));
      expect(text).toContain(missingText(evidenceFound(report).chapters, language) ?? 'nothing');
      expect(text).not.toContain(labels.overall);
      expect(text.split(labels.evidence.byRules.slice(0, 40))).toHaveLength(2);
    }
    expect(markdownOf(report)).toContain(`(${labels.evidence.score} ${labels.decimal(6, 0)} ${labels.outOf})`);
  });

  it('begins with what a document is that is no pitch deck, and says nothing of one that is', () => {
    const document = { kind: 'invoice' as const, evidence: [quoteFrom(2, 'Invoice no. 12')] };
    const text = labels.otherDocument.invoice;
    for (const said of textOf(reportWith('x', { language, profile: profileOf({}, { document }) }))) {
      expect(said).toMatch(new RegExp(`^.{0,20000}?${text}: .?Invoice no. 12`, 'u'));
      expect(said.indexOf(text)).toBeLessThan(said.indexOf(labels.overall));
    }
    for (const said of textOf(reportWith('x', { language }))) expect(said).not.toContain(text);
  });

  it('lists the facts of a topic, what is only planned last, and each quote of them once', () => {
    const both = 'Product 60 %, Sales 40 %';
    const profile = profileOf({
      use_of_funds: [
        factFrom(5, both, { name: 'Product', value: '60 %' }),
        factFrom(5, both, { name: 'Sales', value: '40 %' }),
      ],
      traction: [
        factFrom(4, 'Target: 40 clinics', { name: '40 clinics', isPlan: true }),
        factFrom(4, '31 hospitals pay', { name: '31 paying hospitals' }),
      ],
    });
    for (const text of textOf(reportWith('x', { language, profile }))) {
      expect(text).toMatch(/Product 60 % .*Sales 40 % .*Product 60 %, Sales 40 %/u);
      expect(text.split(both)).toHaveLength(2);
      expect(text).toMatch(new RegExp(`31 paying hospitals .*${labels.planned}:.*40 clinics`, 'u'));
    }
  });
});

it('notes and judgements of people on a topic stand below its facts', () => {
  const profile = profileOf({ team: [factFrom(2, 'Ada, CEO', { name: 'Ada', value: 'CEO' })] });
  const subject = 'profile/team';
  const history = [
    said({ kind: 'judgement', subject, text: 'right', machine: { text: 'Ada (CEO)', score: null } }),
    said({ kind: 'note', subject, item: 'a', text: 'Met her in May' }),
  ];
  const text = renderMarkdown(reviewOf(reportWith('x', { profile }), history)).replaceAll(/[\\*_]/g, '');
  expect(text).toMatch(/Ada \(CEO\)[^]*Ada, 2026-11-21: right\n[^]*Met her in May\n/u);
});

describe('a value that lacks a slide which is there now', () => {
  const whole = reportWith('words');
  const lacking = {
    ...withQuestions(whole, () => ({ computedWithout: [7, 30] })),
    replay: { of: 'the-origin', kind: 'gaps' as const },
    extractions: whole.extractions.map((e) => ({ ...e, computedWithout: [30] })),
    sector: { ...whole.sector, computedWithout: [30] },
    overall: { ...whole.overall, computedWithout: [7, 30] },
    specialised: whole.specialised.map((s) => ({ ...s, computedWithout: [30] })),
  };
  const values = 1 + 1 + 1 + lacking.chapters.flatMap((c) => c.questions).length + lacking.specialised.length;
  const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

  it('says so, in every report', () => {
    for (const text of [markdownOf(lacking), html(lacking)]) {
      expect(count(text, /computed without slides? (?:7, )?30/g)).toBe(values);
      expect(text).toMatch(/Replay of the/);
    }
    expect(markdownOf({ ...lacking, language: 'de' })).toContain('ohne Folie 7, 30 berechnet');
  });

  it('and no other value does', () => {
    for (const text of [markdownOf(whole), html(whole)]) {
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
    const page = renderHtml(reviewOf(checkedReport('Plain words', language)), JPEG);
    await expect(wordsOf(page)).toMatchFileSnapshot(`snapshots/report-html-${language}.txt`);
  });

  it('in Markdown', async () => {
    const markdown = markdownOf(checkedReport('Plain words', language));
    await expect(markdown).toMatchFileSnapshot(`snapshots/report-markdown-${language}.txt`);
  });
});

it('a quote that answers its question is green on the page, and no other is', () => {
  const page = html(checkedReport('text', 'en'));
  const marks = [...page.matchAll(/<span class="mark (\w+)"[^>]*>(found on the slide[^<]*)/gu)];
  const tones = new Map(marks.map(([, tone, words]) => [words, tone]));
  expect(Object.fromEntries(tones)).toEqual({
    'found on the slide, answers the question': 'good',
    'found on the slide (OCR), not judged whether it answers': 'none',
    'found on the slide, bears on the question': 'medium',
    'found on the slide, may be about something else': 'weak',
  });
});

it('a document says once why a quote was withdrawn, in the language of the review', () => {
  for (const [language, reason] of [
    ['en', 'the picture of the slide says something else: “text”'],
    ['de', 'das Bild der Folie sagt etwas anderes: „text“'],
  ] as const) {
    const { extractions } = checkedReport('text', language);
    const evidence = extractions.flatMap((each) => each.evidence.filter(isWithdrawn));
    const page = html(reportWith('text', { language }, evidence));
    expect(page.split(reason)).toHaveLength(2);
  }
});

it.each([
  ['en', 'Answered by a server outside your network (models.example).', 'outside your network'],
  ['de', 'Von einem Server außerhalb Ihres Netzes beantwortet (models.example).', 'außerhalb Ihres Netzes'],
] as const)(
  'a review says which server outside the network answered, and nothing else does (%s)',
  (language, sentence, words) => {
    const inside = reportWith('text', { language });
    const outside = withQuestions(inside, ({ answerProvenance: from }) => ({
      answerProvenance: from === null ? null : { ...from, outsideHost: 'models.example' },
    }));
    expect(html(outside)).toContain(sentence);
    expect(markdownOf(outside).replaceAll('\\', '')).toContain(sentence);
    expect(html(inside) + markdownOf(inside)).not.toContain(words);
  },
);

it('the fixture is a valid report', () =>
  expect(analysisReportSchema.parse(reportWith('text'))).toEqual(reportWith('text')));

it('a hazard that a damaged file hides is shown as not known', () => {
  const report = reportWith('text');
  const damaged = { ...report, deck: { ...report.deck, hazards: ['javascript', 'attachments_unknown'] } };
  for (const page of [html(damaged), markdownOf(damaged)]) {
    expect(page).toContain('attached files: not known');
    expect(page).not.toContain('attachments_unknown');
  }
});

it('a report that was stored before quotes had marks is read, with nothing counted and nothing judged', () => {
  const { marks: _marks, secondReading: _reading, ...old } = reportWith('text');
  const fields = new Set(['answering', 'answeringBy', 'citedSlide', 'reread', 'rereadReason']);
  const stored: unknown = JSON.parse(
    JSON.stringify(old, (key, value: unknown) => (fields.has(key) ? undefined : value)),
  );
  const read = analysisReportSchema.parse(stored);
  expect(read.marks).toEqual({
    rule: { level: 'high', share: 0.5 },
    quotes: 0,
    onSlide: 0,
    answering: 0,
    notJudged: 0,
  });
  expect(read.extractions.flatMap(({ evidence }) => evidence)).toContainEqual(
    expect.objectContaining({ answering: null, answeringBy: null, citedSlide: null, reread: null, rereadReason: null }),
  );
});
