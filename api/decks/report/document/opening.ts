/** How a review begins: the score, the summary, strengths and weaknesses. */
import { outsideHostsOf } from '../../../../domain/decks/provenance.ts';
import type { AnalysisReport, ReportContradiction, ReportEvidence } from '../../../../domain/decks/report.ts';
import { isProof, notShownYet } from '../../../../domain/decks/review/proof.ts';
import { strengthsOf, weaknessesOf } from '../../../../domain/decks/review/strengths.ts';
import { summaryOf, type SummaryFact, type SummaryTopic } from '../../../../domain/decks/review/summary.ts';
import { countsText } from '../../../../domain/decks/review/words.ts';
import { languageName } from '../../../../domain/decks/unread.ts';
import { subjectParts } from '../../../../domain/decks/verdicts/subject.ts';
import { memberOf } from '../../../../domain/text/member-of.ts';
import { DECISIONS, type VerdictSubject } from '../../../../domain/decks/verdicts/kinds.ts';
import { firstSentence } from '../derived.ts';
import { contradictionTitle, formatAmount, formatScore, scoreTone } from '../format.ts';
import {
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
  type Span,
} from '../../../document/blocks.ts';
import {
  judgementLines,
  lackingLine,
  lineMarks,
  noteLines,
  quoteLine,
  quoteLines,
  referencesTo,
  saidBy,
  scoreMark,
  softLine,
  verdictMark,
  type Writing,
} from './writing.ts';

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
    figure: report.chapters.length === 0 ? null : overallFigure(writing),
    blocks: [
      paragraph({ soft: about.join(' · ') }),
      ...(engine === null || byRules ? [] : [paragraph(`${labels.engine}: ${engine.label}`)]),
      ...(byRules ? [notice(labels.rulesNotice)] : []),
      ...(outsideHosts.length === 0 ? [] : [notice(labels.outside(outsideHosts), true)]),
      ...report.notices.map(({ text }) => notice(text, true)),
      ...(condensed === null ? [] : [notice(condensed)]),
      ...(failure === null ? [] : [notice(failure.message, true)]),
      ...peopleLines(writing).map((line) => paragraph(...line)),
    ],
  };
}

function overallFigure(writing: Writing): Figure {
  const { report, labels, judged } = writing;
  const { scored, asked, machine, overridden, score } = judged.overall;
  const counts = countsText(report.marks, report.language);
  const lines = [
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

/** The summary: a fact per topic. */
export function summarySection(writing: Writing): Section[] {
  const facts = summaryOf(writing.report).map((topic): Entry => ({
    head: [writing.labels.topics[topic.topic]],
    lines: topicLines(writing, topic),
  }));
  return section('summary', writing.labels.summary, [{ is: 'facts', facts }]);
}

function topicLines(writing: Writing, { facts, absence, claims, contradiction }: SummaryTopic): Line[] {
  const said = facts.flatMap((fact) => factLines(writing, fact));
  const none: Line[] = absence === null ? [] : [[{ absent: writing.labels.absence[absence] }]];
  return [
    ...said,
    ...none,
    ...(contradiction === null ? [] : [contradictionLine(writing, contradiction.sides)]),
    ...claims.flatMap((claim) => [...correctionLines(writing, claim), ...valueJudgement(writing, claim)]),
    ...noteLines(writing, claims),
  ];
}

/** Both of two values that cannot be right together, with their slides. */
function contradictionLine({ labels }: Writing, sides: ReportContradiction): Line {
  const { first, second } = sides;
  return [
    { strong: `${contradictionTitle(sides, labels)}: ` },
    `${first.value} `,
    { slides: [first.slide] },
    ` · ${second.value} `,
    { slides: [second.slide] },
  ];
}

function factLines(writing: Writing, fact: SummaryFact): Line[] {
  const { labels, report } = writing;
  const said: Span[] = fact.statedAbsent ? [{ absent: `${labels.absence.stated_absent}: ` }] : [];
  if (fact.verbatim) {
    quoteLines(writing, fact.evidence);
    return fact.evidence.map((quote, index) => [...(index === 0 ? said : []), ...quoteLine(writing, quote)]);
  }
  const parts = subjectParts(fact.claim);
  if (parts?.of === 'question') {
    return [[...said, firstSentence(fact.text, report.language), ...proofOf(writing, fact)]];
  }
  const field = parts?.of === 'value' ? parts.field : null;
  const value = report.extractions.find((each) => each.field === field);
  const lacks = field === 'sector' ? report.sector.computedWithout : (value?.computedWithout ?? []);
  // A quote that is the value says nothing more than it.
  const isValue = ({ quote, verdict }: ReportEvidence): boolean =>
    verdict === 'verified' && plain(quote) === plain(fact.text);
  const others = fact.evidence.filter((quote) => !isValue(quote));
  const slides = referencesTo(notShownYet(fact.evidence.filter(isValue), writing.shown));
  return [
    // A quote that is shown below has its marks there.
    [...said, fact.text, ...qualifier(field, writing), ...slides, ...lineMarks(writing, fact.evidence.filter(isValue))],
    ...quoteLines(writing, others),
    ...softLine(value?.reason ?? null),
    ...lackingLine(lacks, writing),
  ];
}

/** Slides and marks of an answer, whose quotes stand in its chapter; the verdict of its best quote where none is proved. */
function proofOf(writing: Writing, { evidence }: SummaryFact): Span[] {
  const [best] = evidence;
  if (best === undefined) return [];
  return isProof(best)
    ? [...referencesTo(evidence.filter(isProof)), ...lineMarks(writing, evidence)]
    : [' ', verdictMark(best.verdict, writing.labels)];
}

/** The value in one form: an amount, a date, how sure the sector is. */
function qualifier(field: string | null, { report, labels }: Writing): Span[] {
  const form = (text: string | null): Span[] => (text === null ? [] : [` = ${text}`]);
  switch (field) {
    case 'funding':
      return form(formatAmount(report.funding, report.language));
    case 'deck_date':
      return form(report.deckDate.iso === report.deckDate.raw ? null : report.deckDate.iso);
    case 'sector':
      return report.sector.confident === false ? [{ soft: ` (${labels.uncertain})` }] : [];
    default:
      return [];
  }
}

const plain = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(/[\s\p{P}]+/gu, ' ')
    .trim()
    .toLowerCase();

/** The value that a person gave in place of the machine's. */
function correctionLines(writing: Writing, claim: string): Line[] {
  const parts = subjectParts(claim);
  const human = parts?.of === 'value' ? (writing.judged.values.get(parts.field)?.human ?? null) : null;
  if (human === null) return [];
  return [
    [
      { strong: `${saidBy(human, writing)}: ` },
      `${writing.labels.corrected} `,
      { strong: human.text ?? '' },
      human.reason === null ? '' : ` – ${human.reason}`,
    ],
  ];
}

/** Who called a value right or wrong; of answers their chapters say it. */
function valueJudgement(writing: Writing, claim: VerdictSubject): Line[] {
  const parts = subjectParts(claim);
  const value =
    parts?.of === 'value' ? writing.report.extractions.find(({ field }) => field === parts.field) : undefined;
  return value === undefined ? [] : judgementLines(writing, claim, value.raw);
}

/** The best evidenced answers, and the chapters with low scores. */
export function strengthsSection(writing: Writing): Section[] {
  const { report, labels } = writing;
  const strong = strengthsOf(report).map(({ question, score, text, slides }): Entry => ({
    head: [question, ' ', { slides }, ' ', scoreMark(score, writing, 0)],
    lines: text === null ? [] : [[text]],
  }));
  const weak = weaknessesOf(report).map(({ chapter, score }) => entry(chapter, ' ', scoreMark(score, writing, 1)));
  const groups = groupsOf([...group(labels.strong, listOf(strong)), ...group(labels.weak, listOf(weak))]);
  return section('strengths', labels.strengths, groups);
}

/** Name of the company, else of the file; a person's correction before the machine's. */
export const titleOf = ({ judged }: Pick<Writing, 'judged'>, report: AnalysisReport): string =>
  judged.values.get('company_name')?.human?.text ?? report.company ?? report.deck.fileName;
