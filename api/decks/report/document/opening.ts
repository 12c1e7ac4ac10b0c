/** How a review begins: what it is of, the evidence found or the score, what people decided; strengths and weaknesses. */
import { outsideHostsOf } from '../../../../domain/decks/provenance.ts';
import type { AnalysisReport } from '../../../../domain/decks/report.ts';
import { otherDocument } from '../../../../domain/decks/review/document-kind.ts';
import { evidenceFound, leadsWithEvidence } from '../../../../domain/decks/review/evidence-found.ts';
import { strengthsOf, weaknessesOf } from '../../../../domain/decks/review/strengths.ts';
import { countsText, missingText } from '../../../../domain/decks/review/words.ts';
import { languageName } from '../../../../domain/decks/unread.ts';
import { memberOf } from '../../../../domain/text/member-of.ts';
import { DECISIONS } from '../../../../domain/decks/verdicts/kinds.ts';
import { formatScore, scoreTone } from '../format.ts';
import {
  type Block,
  type Document,
  type Entry,
  entry,
  type Figure,
  group,
  groupsOf,
  type Line,
  listOf,
  notice,
  paragraph,
  type Section,
  section,
} from '../../../document/blocks.ts';
import { lackingLine, noteLines, quoteOn, saidBy, scoreMark, softLine, type Writing } from './writing.ts';

/** What stands over the contents. */
export function headOf(writing: Writing): Document['head'] {
  const { report, labels } = writing;
  const { engine, deck, failure, condensed } = report;
  const about = [
    deck.fileName,
    ...(deck.slides === null ? [] : [labels.slideCount(deck.slides)]),
    ...(deck.language === null ? [] : [languageName(deck.language, report.language)]),
    labels.reviewed(report.createdAt.slice(0, 10)),
    labels.statuses[report.status],
  ];
  const outsideHosts = outsideHostsOf(report);
  const byRules = engine?.kind === 'rules';
  return {
    first: otherDocumentNotice(writing),
    figure:
      report.chapters.length === 0
        ? null
        : leadsWithEvidence(report)
          ? evidenceFigure(writing)
          : overallFigure(writing),
    blocks: [
      paragraph({ soft: about.join(' · ') }),
      ...(engine === null || byRules ? [] : [paragraph(`${labels.engine}: ${engine.label}`)]),
      ...(byRules ? [notice(labels.evidence.byRules)] : []),
      ...(outsideHosts.length === 0 ? [] : [notice(labels.outside(outsideHosts), true)]),
      ...report.notices.map(({ text }) => notice(text, true)),
      ...(condensed === null ? [] : [notice(condensed)]),
      ...(failure === null ? [] : [notice(failure.message, true)]),
      ...peopleLines(writing).map((line) => paragraph(...line)),
    ],
  };
}

/** Says of a document that is no pitch deck what it is, and which words show it. */
function otherDocumentNotice({ report }: Writing): Block | null {
  const other = otherDocument(report, report.language);
  if (other === null) return null;
  const { text, quote } = other;
  const line: Line = quote === null ? [`${text}.`] : [`${text}: `, ...quoteOn(quote.slide, quote.quote)];
  return { is: 'notice', line, warning: true };
}

/** Headline of a review of rules: how many questions have evidence, and which chapters lack it. */
function evidenceFigure(writing: Writing): Figure {
  const { report, labels, judged } = writing;
  const { found, asked, chapters } = evidenceFound(report);
  const { overridden, score, machine } = judged.overall;
  const scores = `${formatScore(score, labels)} (${labels.scoredByPeople(formatScore(machine, labels))})`;
  return {
    name: labels.evidence.found,
    value: String(found),
    unit: labels.evidence.ofAsked(asked),
    tone: null,
    lines: [
      ...softLine(missingText(chapters, report.language)),
      ...softLine(countsText(report.marks, report.language)),
      ...(overridden === 0 ? [] : softLine(`${labels.overall}: ${scores}`)),
      ...lackingLine(report.overall.computedWithout, writing),
    ],
  };
}

function overallFigure(writing: Writing): Figure {
  const { report, labels, judged } = writing;
  const { scored, asked, machine, overridden, score } = judged.overall;
  const counts = countsText(report.marks, report.language);
  const lines = [
    ...(report.engine?.kind === 'rules' ? softLine(labels.evidence.score) : []),
    ...(overridden === 0 ? [] : softLine(labels.scoredByPeople(formatScore(machine, labels)))),
    [labels.coverage(scored, asked)],
    ...(counts === null ? [] : [[counts]]),
    ...lackingLine(report.overall.computedWithout, writing),
  ];
  const [value, unit] = score === null ? [null, labels.noScore] : [labels.decimal(score, 1), labels.outOf];
  return { name: labels.overall, value, unit, tone: scoreTone(score), lines };
}

/** What people decided on the deck. */
function peopleLines(writing: Writing): Line[] {
  const { labels, judged } = writing;
  const { decision, assignee, tags } = judged;
  const chosen = memberOf(DECISIONS, decision?.text ?? null);
  return [
    ...(decision === null || chosen === null
      ? []
      : [
          [
            `${labels.decision}: `,
            { strong: labels.decisions[chosen] },
            decision.reason === null ? '' : ` – ${decision.reason}`,
            { soft: ` (${saidBy(decision, writing)})` },
          ],
        ]),
    ...(assignee === null ? [] : [[`${labels.assignee}: ${assignee.text ?? ''}`]]),
    ...(tags.length === 0 ? [] : [[`${labels.tags}: ${tags.join(', ')}`]]),
    ...noteLines(writing, ['deck']),
  ];
}

/** The best evidenced answers, and the chapters with low scores, of which rules know nothing. */
export function strengthsSection(writing: Writing): Section[] {
  const { report, labels } = writing;
  const strong = strengthsOf(report).map(({ question, score, text, slides }): Entry => ({
    head: [question, ' ', { slides }, ' ', scoreMark(score, writing, 0)],
    lines: text === null ? [] : [[text]],
  }));
  if (leadsWithEvidence(report)) return section('strengths', labels.strong, listOf(strong));
  const weak = weaknessesOf(report).map(({ chapter, score }) => entry(chapter, ' ', scoreMark(score, writing, 1)));
  const groups = groupsOf([...group(labels.strong, listOf(strong)), ...group(labels.weak, listOf(weak))]);
  return section('strengths', labels.strengths, groups);
}

/** Name of the company, else of the file; a person's correction before the machine's. */
export const titleOf = ({ judged }: Pick<Writing, 'judged'>, report: AnalysisReport): string =>
  judged.values.get('company_name')?.human?.text ?? report.company ?? report.deck.fileName;
