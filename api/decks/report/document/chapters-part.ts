/** The chapters of a review with their questions, and the specialised readings. */
import type { AnalysisReport, ReportChapter, ReportEvidence, ReportQuestion } from '../../../../domain/decks/report.ts';
import { proofFirst } from '../../../../domain/decks/review/proof.ts';
import { isByRules, statementOf } from '../../../../domain/decks/review/statement.ts';
import { isNotFound, isUnasked } from '../../../../domain/decks/unread.ts';
import { subjectOf } from '../../../../domain/decks/verdicts/subject.ts';
import { formatScore } from '../format.ts';
import type { Block, ChapterBlock, Entry, Line, Section } from './blocks.ts';
import { lackingLine, noteLines, quoteLines, saidBy, section, softLine, type Writing } from './writing.ts';

/** Chapters with the answers that were found; those that were not found are questions to the founder. */
export function chaptersSection(writing: Writing): Section[] {
  const { report, labels } = writing;
  const asked = report.chapters.filter(({ questions }) => !questions.every(isUnasked));
  const chapters = asked.map((chapter) => chapterBlock(writing, chapter));
  return section('chapters', labels.chapters, chapters.length === 0 ? [] : [{ is: 'chapters', chapters }]);
}

function chapterBlock(writing: Writing, chapter: ReportChapter): ChapterBlock {
  const { labels, judged } = writing;
  const { score, scored, asked } = judged.chapters.get(chapter.slug) ?? chapter;
  const lost = chapter.questions.filter(isNotFound).length;
  const about = [labels.coverage(scored, asked), ...(lost === 0 ? [] : [labels.notFound(lost)])];
  const entries = chapter.questions
    .filter((question) => !isNotFound(question) && !isUnasked(question))
    .map((question) => questionEntry(writing, question));
  return {
    title: chapter.name,
    score,
    blocks: [
      { is: 'line', line: [{ soft: `${chapter.description} ${about.join(', ')}.` }] },
      ...(entries.length === 0 ? [] : [{ is: 'questions' as const, entries }]),
    ],
  };
}

function questionEntry(writing: Writing, question: ReportQuestion): Entry {
  const { labels, judged } = writing;
  const { slug, state, rationale, reason, computedWithout, evidence } = question;
  const human = judged.questions.get(slug)?.human ?? null;
  const statement = statementOf(question);
  const overridden: Line[] =
    human === null
      ? []
      : [
          [
            { strong: `${saidBy(human, writing)}: ` },
            formatScore(human.score, labels, 0),
            human.reason === null ? '' : ` – ${human.reason}`,
            { soft: ` (${labels.scoredByPeople(formatScore(question.score, labels, 0))})` },
          ],
        ];
  return {
    head: [{ strong: question.text }, ' ', { score: human?.score ?? question.score, digits: 0 }],
    lines: [
      ...overridden,
      ...(state === 'stated_absent' ? [[{ absent: labels.absence.stated_absent }]] : []),
      ...(statement === null || statement.verbatim ? [] : [[statement.text]]),
      ...quoteLines(writing, proofFirst(evidence)),
      ...softLine(rationale === null ? null : `${labels.rationale}: ${rationale}`),
      ...softLine(reason),
      ...lackingLine(computedWithout, writing),
      ...noteLines(writing, [subjectOf({ of: 'question', slug })]),
    ],
  };
}

/** Readings that were made; those that a deck of its sector does not need are left out. */
export function readingsSection(writing: Writing): Section[] {
  const made = writing.report.specialised.filter(({ status }) => status !== 'skipped' && status !== 'not_asked');
  const groups = made.map((reading): Block => ({
    is: 'group',
    title: writing.labels.readings[reading.kind],
    blocks: readingLines(writing, reading).map((line) => ({ is: 'line', line })),
  }));
  return section('readings', writing.labels.specialised, groups);
}

function readingLines(writing: Writing, reading: AnalysisReport['specialised'][number]): Line[] {
  const { labels } = writing;
  const { state, summary, reason, points, evidence, provenance, kind, computedWithout } = reading;
  // Points of rules are quotes with a frame around them.
  const quotedIn = (text: string): ReportEvidence | undefined =>
    isByRules(provenance) ? evidence.find(({ quote }) => text.includes(quote)) : undefined;
  const pointLines = points.map(({ heading, text }): Line => {
    const quoted = quotedIn(text);
    const said = quoted === undefined ? [text] : (quoteLines(writing, [quoted])[0] ?? []);
    return [{ strong: heading }, ' ', ...said];
  });
  const inPoints = new Set(points.map(({ text }) => quotedIn(text)));
  const rest = evidence.filter((quote) => !inPoints.has(quote));
  return [
    ...(summary === null ? [] : [[summary]]),
    ...(state === null || state === 'found' ? [] : [[{ absent: labels.absence[state] }]]),
    ...softLine(reason),
    ...pointLines,
    ...quoteLines(writing, proofFirst(rest)),
    ...lackingLine(computedWithout, writing),
    ...noteLines(writing, [subjectOf({ of: 'reading', reading: kind })]),
  ];
}
