/** The summary of a review: each topic with its facts and their quotes, and what people say of them. */
import type { ReportContradiction, ReportEvidence } from '../../../../domain/decks/report.ts';
import {
  claimsOfTopic,
  isOfProfile,
  lacksProfile,
  summaryOf,
  type SummaryFact,
  type SummaryTopic,
} from '../../../../domain/decks/review/summary.ts';
import { subjectParts } from '../../../../domain/decks/verdicts/subject.ts';
import type { VerdictSubject } from '../../../../domain/decks/verdicts/kinds.ts';
import { statementOfTopic } from '../../../../domain/profile/statement.ts';
import { contradictionTitle, formatAmount } from '../format.ts';
import { type Entry, type Line, paragraph, type Section, section, type Span } from '../../../document/blocks.ts';
import {
  judgementLines,
  lackingLine,
  lineMarks,
  noteLines,
  notShownYet,
  quoteLine,
  quoteLines,
  referencesTo,
  saidBy,
  softLine,
  type Writing,
} from './writing.ts';

/** The summary: each topic with its facts; those that only the profile knows and has nothing on are told in one line for each reason. */
export function summarySection(writing: Writing): Section[] {
  const { report, labels } = writing;
  const isUntold = ({ topic, facts }: SummaryTopic): boolean => facts.length === 0 && isOfProfile(topic);
  const topics = summaryOf(report);
  const isAsked = !lacksProfile(report);
  const untold = Map.groupBy(isAsked ? topics.filter(isUntold) : [], ({ absence }) => absence ?? 'not_found');
  const facts = topics
    .filter((topic) => !isUntold(topic) || hasWords(writing, topic))
    .map((topic): Entry => ({ head: [labels.topics[topic.topic]], lines: topicLines(writing, topic) }));
  return section('summary', labels.summary, [
    { is: 'facts', facts },
    ...[...untold].map(([absence, of]) =>
      paragraph({ absent: `${of.map(({ topic }) => labels.topics[topic]).join(', ')}: ${labels.absence[absence]}` }),
    ),
    ...(isAsked ? [] : [paragraph({ absent: labels.profileNotAsked })]),
    ...lackingLine(report.profile.computedWithout, writing).map((line) => paragraph(...line)),
  ]);
}

/** True where people wrote notes on a topic, or the deck contradicts itself on it. */
const hasWords = ({ judged }: Writing, { claims, contradiction }: SummaryTopic): boolean =>
  contradiction !== null || judged.notes.some(({ subject }) => claims.includes(subject));

function topicLines(writing: Writing, topic: SummaryTopic): Line[] {
  const { absence, claims, contradiction } = topic;
  const name = writing.labels.topics[topic.topic];
  const none: Line[] = absence === null ? [] : [[{ absent: writing.labels.absence[absence] }]];
  return [
    ...claimsOfTopic(topic).flatMap(({ facts }) => claimLines(writing, facts, name)),
    ...none,
    ...(contradiction === null ? [] : [contradictionLine(writing, contradiction.sides)]),
    ...claims.flatMap((claim) => [...correctionLines(writing, claim), ...summaryJudgement(writing, claim)]),
    ...noteLines(writing, claims),
  ];
}

/** The facts of a claim as a list, plans last, and below it the quotes that say more than the facts do. */
function claimLines(writing: Writing, facts: readonly SummaryFact[], name: string): Line[] {
  const plan = facts.findIndex(({ isPlan }) => isPlan);
  const said = facts.flatMap((fact, index) => [
    ...(index === plan ? softLine(`${writing.labels.planned}:`) : []),
    ...factLines(writing, fact, name),
  ]);
  const more = facts.flatMap((fact) => (fact.typed === null || fact.verbatim ? [] : moreThan(fact)));
  return [...said, ...notShownYet(writing, more, name).map((quote) => quoteLine(writing, quote))];
}

/** True for a quote that has the words of a fact, in whatever order: it adds nothing to it. */
const isFact = ({ quote, verdict }: ReportEvidence, { text }: SummaryFact): boolean =>
  verdict === 'verified' && sortedWords(quote) === sortedWords(text);

const sortedWords = (text: string): string => plain(text).split(' ').toSorted().join(' ');

const moreThan = (fact: SummaryFact): ReportEvidence[] => fact.evidence.filter((quote) => !isFact(quote, fact));

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

function factLines(writing: Writing, fact: SummaryFact, name: string): Line[] {
  const { labels, report } = writing;
  const said: Span[] = fact.statedAbsent ? [{ absent: `${labels.absence.stated_absent}: ` }] : [];
  if (fact.verbatim) {
    notShownYet(writing, fact.evidence, name);
    return fact.evidence.map((quote, index) => [...(index === 0 ? said : []), ...quoteLine(writing, quote)]);
  }
  const own = fact.evidence.filter((quote) => isFact(quote, fact));
  const slides = referencesTo(notShownYet(writing, own, name));
  if (fact.typed !== null) return [[fact.text, ...referencesTo(fact.evidence), ...lineMarks(writing, fact.evidence)]];
  const parts = subjectParts(fact.claim);
  const field = parts?.of === 'value' ? parts.field : null;
  const value = report.extractions.find((each) => each.field === field);
  const lacks = field === 'sector' ? report.sector.computedWithout : (value?.computedWithout ?? []);
  return [
    // A quote that is shown below has its marks there.
    [...said, fact.text, ...qualifier(field, writing), ...slides, ...lineMarks(writing, own)],
    ...quoteLines(writing, moreThan(fact), name),
    ...softLine(value?.reason ?? null),
    ...lackingLine(lacks, writing),
  ];
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

/** The person who called a value or a topic of the profile right or wrong. */
function summaryJudgement(writing: Writing, claim: VerdictSubject): Line[] {
  const parts = subjectParts(claim);
  const { extractions, profile } = writing.report;
  switch (parts?.of) {
    case 'value':
      return judgementLines(writing, claim, extractions.find(({ field }) => field === parts.field)?.raw ?? null);
    case 'profile': {
      const topic = profile.topics.find((each) => each.topic === parts.topic);
      return topic === undefined ? [] : judgementLines(writing, claim, statementOfTopic(topic));
    }
    default:
      return [];
  }
}
