/** What a reader has to clear: questions to the founder, what was not computed, contradictions, words that steer or that nobody can see. */
import { founderQuestions, type FounderQuestion } from '../../../../domain/decks/review/founder-questions.ts';
import { gapsBesideNotices } from '../../../../domain/decks/unread.ts';
import { contradictionTitle, hazardText, sideValue } from '../format.ts';
import {
  type Block,
  type Entry,
  entry,
  group,
  groupsOf,
  listOf,
  paragraph,
  type Section,
  section,
} from '../../../document/blocks.ts';
import { quoteOn, referencesTo, softLine, type Writing } from './writing.ts';

/** Every section of what is open. */
export function openPoints(writing: Writing): Section[] {
  const { report, labels } = writing;
  const hidden = report.slides.filter(({ invisibleText }) => invisibleText !== null);
  const gaps = gapsBesideNotices(report).map(({ slide, message }) =>
    entry(message, ...(slide === null ? [] : [' ', { slides: [slide] }])),
  );
  return [
    ...section('questions', labels.questions, questionBlocks(writing)),
    ...section('gaps', labels.gaps, listOf(gaps)),
    ...section('contradictions', labels.contradictions, withLead(labels.contradictionsNotice, contradictions(writing))),
    ...section(
      'steering',
      labels.steering,
      withLead(
        labels.steeringNotice,
        report.steering.map(({ slide, text }) => entry(...quoteOn(slide, text))),
      ),
    ),
    ...section(
      'invisible',
      labels.invisible,
      withLead(
        labels.invisibleNotice,
        hidden.map(({ number, invisibleText }) => entry(...quoteOn(number, invisibleText ?? ''))),
      ),
    ),
    ...section('hazards', labels.hazards, listOf(report.deck.hazards.map((each) => entry(hazardText(each, labels))))),
  ];
}

const withLead = (lead: string, entries: readonly Entry[]): Block[] =>
  entries.length === 0 ? [] : [paragraph(lead), ...listOf(entries)];

/** The questions, by how much is missing; contradictions have a section of their own. */
function questionBlocks({ report, labels }: Writing): Block[] {
  const questions = founderQuestions(report);
  const where = (is: (question: FounderQuestion) => boolean): FounderQuestion[] => questions.filter(is);
  const unclear = where(({ reason }) => reason === 'unreadable');
  const missing = where(({ reason }) => reason === 'not_found' || reason === 'stated_absent');
  const partly = where(({ reason }) => reason === 'partly');
  const ofChapter = ({ text, chapter, evidence }: FounderQuestion): Entry =>
    entry(text, { soft: chapter === null ? '' : ` · ${chapter}` }, ...referencesTo(evidence));
  const groups = groupsOf([
    ...group(
      labels.unclear,
      listOf(
        unclear.map(({ text, because }) => ({
          head: [text],
          lines: report.notices.length > 0 ? [] : softLine(because),
        })),
      ),
    ),
    ...group(labels.notFound(missing.length), listOf(missing.map(ofChapter))),
    ...group(labels.partly(partly.length), listOf(partly.map(ofChapter))),
  ]);
  return missing.length + partly.length === 0 || report.notices.length > 0
    ? groups
    : [paragraph(labels.questionsLead), ...groups];
}

const contradictions = ({ report, labels }: Writing): Entry[] =>
  report.contradictions.map((each) => ({
    head: [{ strong: contradictionTitle(each, labels) }],
    lines: [each.first, each.second].map((side) => [
      `${sideValue(each, side, labels)}: `,
      ...quoteOn(side.slide, side.quote),
    ]),
  }));
