/** What a report says of values it does not have: not found is not the same as absent, unreadable or not computed. */
import { describe, expect, it } from 'vitest';
import { renderHtml } from '../../../api/document/html.ts';
import { labelsOf } from '../../../api/decks/report/labels.ts';
import { buildReport } from '../../../api/decks/report/load.ts';
import { renderMarkdown } from '../../../api/document/markdown.ts';
import type { ReportRows } from '../../../api/decks/report/rows.ts';
import { renderReview } from '../../../cli/decks/review-text.ts';
import { EXTRACTION_FIELDS } from '../../../domain/models/model-tasks.ts';
import {
  VALUE_STATUSES,
  type AnalysisReport,
  type ReportProfile,
  type ReportQuestion,
  type ValueStatus,
} from '../../../domain/decks/report.ts';
import { absenceOf } from '../../../domain/decks/review/absence.ts';
import { NO_TEXT_CODE } from '../../../domain/decks/unread.ts';
import { ANSWERING_SETTINGS } from '../../../domain/evidence/answering-settings.ts';
import { competitionIn, factFrom, NO_PROFILE, profileOf, TOPIC_STATES } from '../../../testing/profile.ts';
import { reportWith, reviewOf, withQuestions } from './report-fixture.ts';

const { absence } = labelsOf('en');

/** Words of a value that its own check does not support: it stays stored. */
const KEPT = '375 million people';

/** A report without any value to show, each in this state. */
function without(status: ValueStatus): AnalysisReport {
  const { extractions, sector, profile } = reportWith('x');
  const [first] = extractions;
  if (first === undefined) throw new Error('the fixture has a value');
  const none = { raw: status === 'not_supported' ? KEPT : null, reason: null, evidence: [], provenance: null };
  return reportWith('x', {
    company: null,
    offering: null,
    funding: { raw: null, amount: null, minAmount: null, currency: null },
    deckDate: { raw: null, iso: null },
    extractions: EXTRACTION_FIELDS.map((field) => ({ ...first, ...none, field, status })),
    sector: { ...sector, slug: null, name: null, confidence: null, status: 'not_asked' },
    // The topics beside the values are found.
    profile: {
      ...profile,
      topics: profile.topics.map((topic) =>
        topic.topic === 'offering' || topic.topic === 'ask' ? { ...topic, status: 'not_found', facts: [] } : topic,
      ),
    },
  });
}

it('only what was looked for in a deck that was read is not found; a failed computation is neither that nor unreadable', () => {
  expect(Object.fromEntries(VALUE_STATUSES.map((status) => [status, absenceOf(status)]))).toEqual({
    found: 'not_found',
    not_found: 'not_found',
    stated_absent: 'stated_absent',
    not_supported: 'not_supported',
    unreadable: 'unreadable',
    pending: 'pending',
    not_asked: 'not_asked',
    unparseable: 'failed',
    failed: 'failed',
    skipped: 'not_asked',
  });
});

const renderers: readonly [string, (report: AnalysisReport) => string][] = [
  ['the terminal', (report) => renderReview(report, { colours: false, width: 100 })],
  ['Markdown', (report) => renderMarkdown(reviewOf(report))],
  ['HTML', (report) => renderHtml(reviewOf(report))],
];

describe.each(renderers)('in %s', (_name, render) => {
  it.each(VALUE_STATUSES)('a value that is %s is called so four times, and nothing else', (status) => {
    const text = render(without(status));
    const said = absence[absenceOf(status)];
    // The sector was not asked for, whatever became of the values.
    const words = new RegExp(
      Object.values(absence)
        .toSorted((a, b) => b.length - a.length)
        .join('|'),
      'g',
    );
    const all = text.match(words) ?? [];
    expect(text).not.toContain(KEPT);
    expect(all.toSorted()).toEqual([absence.not_asked, said, said, said, said].toSorted());
  });
});

describe.each([
  ['en', renderers],
  ['de', renderers.slice(1)],
] as const)('in %s', (language, all) =>
  describe.each(all)('in %s', (_name, render) => {
    const { absence: reasons, topics } = labelsOf(language);
    const textOf = (profile: ReportProfile): string =>
      render(reportWith('x', { language, profile })).replaceAll(/<[^>]*>|[\\*_]/g, '');

    it.each(TOPIC_STATES)('a topic that is $status is told as such', ({ status, absence: reason }) => {
      const text = textOf(competitionIn(status));
      if (reason === null) {
        const words = status === 'found' ? ['Quay', 'Dock'] : [reasons.stated_absent, 'Nobody else does this today.'];
        for (const word of words) expect(text).toContain(word);
      } else {
        const line = text
          .split('\n')
          .find((each) => each.includes(reasons[reason]) && each.includes(topics.competition));
        expect(line ?? text).toMatch(new RegExp(`${topics.competition}[^:]*: ?${reasons[reason]}`, 'u'));
      }
    });

    it('topics of which nothing is told are one line for each reason', () => {
      const text = textOf(profileOf({ market: { status: 'failed' }, team: [factFrom(2, 'Ada')] }));
      expect(text).toContain(`${topics.market}: ${reasons.failed}`);
      expect(text).toMatch(new RegExp(`${topics.use_of_funds}, ${topics.stage}, .*: ${reasons.not_found}`, 'u'));
    });

    it('a review from before decks had a profile says that it was not asked', () => {
      const text = textOf(NO_PROFILE);
      expect(text.split(labelsOf(language).profileNotAsked)).toHaveLength(2);
      expect(text).not.toContain(topics.competition);
    });
  }),
);

/** A report whose questions ended like this. */
function questionsWith(changes: Partial<ReportQuestion>, report: Partial<AnalysisReport> = {}): AnalysisReport {
  const none = { answer: null, rationale: null, reason: null, evidence: [], covered: null, ...changes };
  return { ...withQuestions(reportWith('x'), () => none), keyPoints: [], ...report };
}

describe.each(renderers)('in %s', (_name, render) => {
  it('questions of which nothing was found are counted or listed in one place', () => {
    const text = render(questionsWith({ status: 'scored', state: 'not_found', score: 0 }));
    expect(text.split(labelsOf('en').notFound(4))).toHaveLength(2);
    expect(text).not.toContain(labelsOf('en').rationale);
  });

  it('a deck that could not be read is one sentence, without its questions and gaps', () => {
    const [gap] = reportWith('x').gaps;
    if (gap === undefined) throw new Error('the fixture has a gap');
    const notices = [{ code: NO_TEXT_CODE, text: 'No page could be read.' } as const];
    const gaps = [
      { ...gap, code: NO_TEXT_CODE, message: 'one of many' },
      { ...gap, code: 'slide_illegible', message: 'one of many' },
      { ...gap, code: 'page_render_failed', message: 'another gap' },
    ];
    const text = render(questionsWith({ status: 'unreadable', state: 'unreadable', score: null }, { notices, gaps }));
    expect(text.split('No page could be read.')).toHaveLength(2);
    expect(text).not.toContain('one of many');
    expect(text).toContain('another gap');
    expect(text).not.toContain('Which problem is solved?');
  });
});

describe('the document', () => {
  const rows = (status: string, taskType: string | null): ReportRows => {
    const at = new Date('2026-11-20T10:00:00Z');
    const deck = { id: 'd', fileName: 'a.pdf', sha256: 'a', pageCount: 1, sizeBytes: 1, title: null, hazards: [] };
    return {
      analysis: {
        id: 'a',
        status,
        taskType,
        language: 'en',
        createdAt: at,
        startedAt: at,
        finishedAt: null,
        deck,
        templateVersion: null,
        classification: null,
        slideFindings: [],
        extractions: [],
        answers: [],
        chapterScores: [],
        specialised: [],
        profile: null,
        gaps: [],
        contradictions: [],
        modelCalls: [],
        hosts: [],
      },
      slides: [],
      invisible: new Map(),
      sectorNames: new Map(),
    } as unknown as ReportRows;
  };
  const statuses = (status: string, taskType: string | null) => {
    const { extractions, sector } = buildReport(rows(status, taskType), ANSWERING_SETTINGS);
    return Object.fromEntries([...extractions.map((e) => [e.field, e.status]), ['sector', sector.status]]);
  };

  it('has nothing pending of a run that has ended', () => {
    const none = { company_name: 'not_asked', offering: 'not_asked', funding: 'not_asked', deck_date: 'not_asked' };
    for (const status of ['completed', 'completed_with_gaps', 'failed', 'cancelled']) {
      expect(statuses(status, null)).toEqual({ ...none, sector: 'not_asked' });
    }
    expect(statuses('running', 'visual_analysis')).toEqual({ ...none, sector: 'not_asked' });
  });

  it('has pending what a run still asks for', () => {
    expect(new Set(Object.values(statuses('running', null)))).toEqual(new Set(['pending']));
    expect(statuses('running', 'deck_date_extraction')).toMatchObject({ deck_date: 'pending', funding: 'not_asked' });
  });
});
