/** The chapters of a review with their questions, and the specialised readings. */
import type { AnalysisReport, ReportChapter, ReportEvidence, ReportQuestion } from '../../../../domain/decks/report.ts';
import { proofFirst } from '../../../../domain/decks/review/proof.ts';
import {
  type ChapterEvidence,
  evidenceFound,
  leadsWithEvidence,
} from '../../../../domain/decks/review/evidence-found.ts';
import { isByRules, statementOf } from '../../../../domain/decks/review/statement.ts';
import { isNotFound, isUnasked } from '../../../../domain/decks/unread.ts';
import { subjectOf } from '../../../../domain/decks/verdicts/subject.ts';
import { MAX_SCORE } from '../../../../domain/decks/scoring.ts';
import { formatScore, scoreTone } from '../format.ts';
import {
  type Entry,
  type Group,
  groupsOf,
  type Line,
  listOf,
  paragraph,
  type Section,
  section,
} from '../../../document/blocks.ts';
import {
  judgementLines,
  lackingLine,
  noteLines,
  quoteLines,
  saidBy,
  scoreMark,
  softLine,
  type Writing,
} from './writing.ts';

/** Chapters with the answers that were found; those that were not found are questions to the founder. */
export function chaptersSection(writing: Writing): Section[] {
  const { report, labels } = writing;
  const evidence = new Map(evidenceFound(report).chapters.map((chapter) => [chapter.slug, chapter]));
  const asked = report.chapters.filter(({ questions }) => !questions.every(isUnasked));
  return section(
    'chapters',
    labels.chapters,
    groupsOf(
      asked.map((chapter) => chapterGroup(writing, chapter, evidence.get(chapter.slug))),
      true,
    ),
  );
}

function chapterGroup(writing: Writing, chapter: ReportChapter, evidence: ChapterEvidence | undefined): Group {
  const { report, labels, judged } = writing;
  const { score, scored, asked } = judged.chapters.get(chapter.slug) ?? chapter;
  const lost = chapter.questions.filter(isNotFound).length;
  const found = evidence !== undefined && leadsWithEvidence(report) ? evidence : null;
  const about = [
    found === null ? labels.coverage(scored, asked) : labels.evidence.ofChapter(found.found, found.asked),
    ...(lost === 0 ? [] : [labels.notFound(lost)]),
  ];
  const entries = chapter.questions
    .filter((question) => !isNotFound(question) && !isUnasked(question))
    .map((question) => questionEntry(writing, question));
  return {
    title: chapter.name,
    aside: [found === null ? scoreMark(score, writing, 1) : { soft: `${found.found} / ${found.asked}` }],
    bar:
      found === null
        ? { share: (score ?? 0) / MAX_SCORE, colour: scoreTone(score) }
        : { share: found.found / found.asked, colour: 'none' },
    blocks: [paragraph({ soft: `${chapter.description} ${about.join(', ')}.` }), ...listOf(entries)],
  };
}

function questionEntry(writing: Writing, question: ReportQuestion): Entry {
  const { labels, judged } = writing;
  const { slug, state, answer, rationale, reason, computedWithout, evidence } = question;
  const claim = subjectOf({ of: 'question', slug });
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
    head: [{ strong: question.text }, ' ', scoreMark(human?.score ?? question.score, writing, 0, human !== null)],
    lines: [
      ...overridden,
      ...(state === 'stated_absent' ? [[{ absent: labels.absence.stated_absent }]] : []),
      ...(statement === null || statement.verbatim ? [] : [[statement.text]]),
      ...quoteLines(writing, proofFirst(evidence), question.text),
      ...softLine(rationale === null ? null : `${labels.rationale}: ${rationale}`),
      ...softLine(reason),
      ...lackingLine(computedWithout, writing),
      ...judgementLines(writing, claim, answer),
      ...noteLines(writing, [claim]),
    ],
  };
}

/** Readings that were made; those that a deck of its sector does not need are left out. */
export function readingsSection(writing: Writing): Section[] {
  const made = writing.report.specialised.filter(({ status }) => status !== 'skipped' && status !== 'not_asked');
  const groups = made.map((reading): Group => ({
    title: writing.labels.readings[reading.kind],
    aside: [],
    bar: null,
    blocks: readingLines(writing, reading).map((line) => paragraph(...line)),
  }));
  return section('readings', writing.labels.specialised, groupsOf(groups));
}

function readingLines(writing: Writing, reading: AnalysisReport['specialised'][number]): Line[] {
  const { labels } = writing;
  const { state, summary, reason, points, evidence, provenance, kind, computedWithout } = reading;
  const claim = subjectOf({ of: 'reading', reading: kind });
  // Points of rules are quotes with a frame around them.
  const quotedIn = (text: string): ReportEvidence | undefined =>
    isByRules(provenance) ? evidence.find(({ quote }) => text.includes(quote)) : undefined;
  const pointLines = points.map(({ heading, text }): Line => {
    const quoted = quotedIn(text);
    const said = quoted === undefined ? [text] : (quoteLines(writing, [quoted], labels.readings[kind])[0] ?? []);
    return [{ strong: heading }, ' ', ...said];
  });
  const inPoints = new Set(points.map(({ text }) => quotedIn(text)));
  const rest = evidence.filter((quote) => !inPoints.has(quote));
  return [
    ...(summary === null ? [] : [[summary]]),
    ...(state === null || state === 'found' ? [] : [[{ absent: labels.absence[state] }]]),
    ...softLine(reason),
    ...pointLines,
    ...quoteLines(writing, proofFirst(rest), labels.readings[kind]),
    ...lackingLine(computedWithout, writing),
    ...judgementLines(writing, claim, summary),
    ...noteLines(writing, [claim]),
  ];
}
