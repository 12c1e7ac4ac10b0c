/**
 * A finished review as a person reads it in a terminal: the summary with slides, strengths, what is missing, a bar per chapter.
 */
import { contradictionTitle, formatAmount, sideValue } from '../../api/decks/report/format.ts';
import { labelsOf } from '../../api/decks/report/labels.ts';
import {
  type AnalysisReport,
  type ReportChapter,
  type ReportEvidence,
  verdictName,
} from '../../domain/decks/report.ts';
import { DEADLINE_CODE } from '../../domain/decks/deadline.ts';
import { UNSERVED_CODE } from '../../domain/decks/unserved.ts';
import { otherDocumentText } from '../../domain/decks/review/document-kind.ts';
import { type ChapterEvidence, evidenceFound, leadsWithEvidence } from '../../domain/decks/review/evidence-found.ts';
import { founderQuestions } from '../../domain/decks/review/founder-questions.ts';
import { lineMark, type Mark } from '../../domain/decks/review/marks.ts';
import { isProof } from '../../domain/decks/review/proof.ts';
import { strengthsOf } from '../../domain/decks/review/strengths.ts';
import {
  claimsOfTopic,
  isOfProfile,
  lacksProfile,
  summaryOf,
  type SummaryClaim,
  type SummaryFact,
  type SummaryTopic,
} from '../../domain/decks/review/summary.ts';
import { countsText, missingText } from '../../domain/decks/review/words.ts';
import { MAX_SCORE } from '../../domain/decks/scoring.ts';
import { gapsBesideNotices } from '../../domain/decks/unread.ts';
import { counted } from '../../domain/text/words.ts';
import { bar, clean, cut, paint, painter, type TerminalStyle, type TextFormat, wrap } from '../terminal/style.ts';
import { tableLines } from '../terminal/table.ts';

const BAR_WIDTH = 28;
const LABEL_WIDTH = 18;
const NAME_WIDTH = 22;
const WRAP = 100;
/** Gaps, and questions to the founder, that are listed. */
const LISTED = 6;
/** A terminal speaks English. */
const WORDS = labelsOf('en');

/** The colour of a score; none where there is no score. */
const scoreFormat = (score: number): TextFormat => (score >= 6 ? 'green' : score >= 4 ? 'yellow' : 'red');

/** A text on lines of at most `WRAP` columns, those after the first indented. */
const paragraph = (text: string, indent: string): string => wrap(clean(text), WRAP).join(`\n${indent}`);

/** Slide and both marks of a line: `(slide 3, verified, answers the question)`. */
function proof(evidence: readonly ReportEvidence[], { marks }: AnalysisReport): string {
  const [first] = evidence;
  if (first === undefined) return '';
  const mark = lineMark(evidence, marks.rule);
  const answers = isProof(first) && mark !== null && mark !== 'not_proved' ? `, ${ANSWERS[mark]}` : '';
  return ` (slide ${first.slide}, ${verdictName(first.verdict)}${answers})`;
}

/** Whether a line answers, by its mark. */
const ANSWERS: Readonly<Record<Exclude<Mark, 'not_proved'>, string>> = {
  settled: WORDS.answering.high,
  on_slide: WORDS.answering.some,
  not_judged: WORDS.answering.not_judged,
  doubtful: WORDS.answering.doubtful,
};

const scoreText = (score: number | null): string => (score === null ? ' –  ' : score.toFixed(1).padStart(4));

/** A line per chapter: its name, a bar, its score, and how many of its questions were scored. */
function chapterLines(chapters: readonly ReportChapter[], style: TerminalStyle): string[] {
  const rows = chapters.map(({ name, score, scored, asked }) => {
    const filled = bar((score ?? 0) / MAX_SCORE, BAR_WIDTH);
    return [
      cut(clean(name), NAME_WIDTH),
      `${score === null ? filled : paint(filled, scoreFormat(score), style)} ${scoreText(score)}`,
      paint(`${scored} of ${asked} scored`, 'dim', style),
    ];
  });
  return tableLines(rows, { indent: '  ', least: [NAME_WIDTH] });
}

/** The statement of a fact; of words of the deck the first quote. */
function factText({ claim, text, verbatim, statedAbsent, evidence }: SummaryFact, { funding }: AnalysisReport): string {
  const [first] = evidence;
  const none = statedAbsent ? `${WORDS.absence.stated_absent}: ` : '';
  if (verbatim) return `${none}“${first?.quote ?? text}”`;
  const amount = claim === 'value/funding' ? formatAmount(funding, 'en') : null;
  return amount === null ? text : `${text} = ${amount}`;
}

/** Between facts that are told in one line. */
const BETWEEN = ' · ';

/** The facts of a claim: those with the same slide and marks are one line, those that are only planned another. */
function claimLines({ facts }: SummaryClaim, report: AnalysisReport, style: TerminalStyle): string[] {
  const { dim } = painter(style);
  const isList = ({ typed }: SummaryFact): boolean => typed !== null;
  const lines = Map.groupBy(facts, (fact) =>
    isList(fact) ? `${String(fact.isPlan)} ${proof(fact.evidence, report)}` : fact.key,
  );
  return [...lines.values()].flatMap((together) => {
    const [first] = together;
    if (first === undefined) return [];
    const plan = first.isPlan ? `${WORDS.planned}: ` : '';
    const said = together.map((fact) => factText(fact, report)).join(BETWEEN);
    return [`${paragraph(`${plan}${said}`, ' '.repeat(LABEL_WIDTH))}${dim(proof(first.evidence, report))}`];
  });
}

/** The summary: a topic per line, its other facts below it; what only the profile knows and has nothing on is one line for each reason. */
function summaryLines(report: AnalysisReport, style: TerminalStyle): string[] {
  const { dim } = painter(style);
  const topics = summaryOf(report);
  const isUntold = ({ topic, facts }: SummaryTopic): boolean => facts.length === 0 && isOfProfile(topic);
  const lines = (topic: SummaryTopic): string[] =>
    topic.absence === null
      ? claimsOfTopic(topic).flatMap((claim) => claimLines(claim, report, style))
      : [dim(WORDS.absence[topic.absence])];
  const told = topics
    .filter((topic) => !isUntold(topic))
    .flatMap((topic) =>
      lines(topic).map((line, index) => `${(index === 0 ? WORDS.topics[topic.topic] : '').padEnd(LABEL_WIDTH)}${line}`),
    );
  if (lacksProfile(report)) return [...told, dim(WORDS.profileNotAsked)];
  const untold = Map.groupBy(topics.filter(isUntold), ({ absence }) => absence ?? 'not_found');
  return [
    ...told,
    ...[...untold].map(([absence, of]) =>
      dim(paragraph(`${of.map(({ topic }) => WORDS.topics[topic]).join(', ')}: ${WORDS.absence[absence]}`, '')),
    ),
  ];
}

/** The headline: of rules the evidence and what is missing, of a model the score; below it the counts of quotes and a bar per chapter. */
function headlineLines(report: AnalysisReport, style: TerminalStyle): string[] {
  const { overall, chapters, engine } = report;
  const { bold, dim } = painter(style);
  const counts = countsText(report.marks, 'en');
  const quotes = counts === null ? [] : [dim(counts)];
  if (!leadsWithEvidence(report)) {
    return [
      bold(`Overall ${overall.score === null ? 'not scored' : `${overall.score.toFixed(1)} of ${MAX_SCORE}`}`) +
        dim(
          `${engine?.kind === 'rules' && overall.score !== null ? ` (${WORDS.evidence.score})` : ''}  ${Math.round((overall.coverage ?? 0) * 100)} % of the questions scored`,
        ),
      ...quotes,
      ...chapterLines(chapters, style),
    ];
  }
  const evidence = evidenceFound(report);
  const missing = missingText(evidence.chapters, 'en');
  return [
    bold(`${WORDS.evidence.found}: ${evidence.found} ${WORDS.evidence.ofAsked(evidence.asked)}`),
    ...(missing === null ? [] : [paragraph(missing, '')]),
    ...quotes,
    ...evidenceLines(evidence.chapters, style),
  ];
}

/** A line per chapter: its name, a bar, and for how many of its questions there is evidence. */
const evidenceLines = (chapters: readonly ChapterEvidence[], style: TerminalStyle): string[] =>
  tableLines(
    chapters.map(({ name, found, asked }) => [
      cut(clean(name), NAME_WIDTH),
      bar(found / asked, BAR_WIDTH),
      paint(WORDS.evidence.ofChapter(found, asked), 'dim', style),
    ]),
    { indent: '  ', least: [NAME_WIDTH] },
  );

/** A heading with a list of which the first few are shown. */
function listed(title: string, items: readonly string[], style: TerminalStyle): string[] {
  const { bold, dim } = painter(style);
  if (items.length === 0) return [];
  const more = items.length - LISTED;
  return [
    '',
    bold(title),
    ...items.slice(0, LISTED).map((item) => `  ${paragraph(item, '  ')}`),
    ...(more > 0 ? [dim(`  … and ${more} more in the report`)] : []),
  ];
}

/** The review, with a trailing newline. */
export function renderReview(report: AnalysisReport, style: TerminalStyle): string {
  const { deck, engine } = report;
  const isByRules = engine?.kind === 'rules';
  const other = otherDocumentText(report, 'en');
  const { bold, dim } = painter(style);
  const strengths = strengthsOf(report).map(
    ({ score, question, slides }) =>
      `  ${isByRules ? '' : `${paint(String(score), scoreFormat(score), style)}  `}${paragraph(question, '     ')} ${dim(`(slide ${slides.join(', ')})`)}`,
  );
  const questions = founderQuestions(report, { language: 'en', reasons: ['not_found', 'stated_absent'] });
  const contradictions = report.contradictions.map((each) => {
    const sides = [each.first, each.second].map((side) => `slide ${side.slide}: ${sideValue(each, side, WORDS)}`);
    return `${contradictionTitle(each, WORDS)} – ${sides.join('; ')}`;
  });
  const gaps = gapsBesideNotices(report).map(({ message }) => message);
  const lines = [
    '',
    ...(other === null ? [] : [paint(paragraph(other, ''), 'yellow', style)]),
    bold(clean(report.company ?? deck.fileName)),
    dim(
      `${deck.slides === null ? '? slides' : counted(deck.slides, 'slide')} · ${WORDS.statuses[report.status]}${isByRules ? '' : ` · answered by ${engine?.label ?? 'no model'}`}`,
    ),
    ...(isByRules ? [dim(paragraph(WORDS.evidence.byRules, ''))] : []),
    ...report.notices.map(({ text }) => paint(paragraph(text, ''), 'yellow', style)),
    ...report.gaps
      .filter(({ item }) => item === DEADLINE_CODE || item === UNSERVED_CODE)
      .map(({ message }) => paint(paragraph(message, ''), 'yellow', style)),
    '',
    ...summaryLines(report, style),
    '',
    ...headlineLines(report, style),
    ...(strengths.length === 0 ? [] : ['', bold(WORDS.strong), ...strengths]),
    ...listed(
      WORDS.notFound(questions.length),
      questions.map(({ text }) => text),
      style,
    ),
    ...listed(`${WORDS.contradictions} (${contradictions.length})`, contradictions, style),
    ...listed(`${WORDS.gaps} (${gaps.length})`, gaps, style),
  ];
  return `${lines.join('\n')}\n`;
}
