/**
 * The changes between two reviews, claim by claim: values, topics of the profile, answers, scores and specialised readings. For two versions of a company's deck, and
 * for two analyses of one deck.
 *
 * A claim that one side could not look for is not said to have appeared or disappeared. Without a library at run time, because pages import it.
 */
import type { Language } from '../../models/model-tasks.ts';
import { absenceOf, absenceOfQuestion, shownValue, type Absence } from '../review/absence.ts';
import { answeringOf } from '../review/marks.ts';
import { isProof } from '../review/proof.ts';
import { statementOf, statementOfQuotes } from '../review/statement.ts';
import { reviewWords } from '../review/words.ts';
import type { AnalysisReport, ReportEvidence } from '../report.ts';
import { quotesOfTopic, statementOfTopic } from '../../profile/statement.ts';
import { PROFILE_TOPICS } from '../../profile/topics.ts';
import { isNameIn } from '../../text/member-of.ts';
import { subjectOf } from '../verdicts/subject.ts';
import type { VerdictSubject } from '../verdicts/kinds.ts';
import { ambiguousQuestions, questionKey } from './items.ts';
import { orderedKeys } from './ordered-keys.ts';
import { sameFigures, sameWords } from './wording.ts';

/**
 * How a claim changed, the weightiest first. `figures`: another amount, date or number; `appeared` and `disappeared`: only one of the two
 * says it; `words`: other words with the same figures; `proof`: the same words, which only one of the two proves; `answering`: the same quotes,
 * of which the two judge differently whether they answer; `score`: the same, with another score.
 */
export const CHANGE_KINDS = ['figures', 'appeared', 'disappeared', 'words', 'proof', 'answering', 'score'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** What one review says on a claim. */
export interface ClaimSide {
  /** Null where nothing is said. */
  readonly text: string | null;
  /** Why nothing is said; null where something is. */
  readonly absence: Absence | null;
  /** The machine's; null for what has none. */
  readonly score: number | null;
  readonly evidence: readonly ReportEvidence[];
}

/** A claim in both reviews. */
interface ClaimPair {
  /** Unique in a review: the id, with the chapter of a question that several chapters ask. */
  readonly key: string;
  /** What links and verdicts name it by: `value/funding`, `question/churn_analysis`. */
  readonly id: VerdictSubject;
  /** Name of the value or reading, text of the question, as the later review has it. */
  readonly label: string;
  /** Name of the chapter; null for values and readings. */
  readonly chapter: string | null;
  readonly before: ClaimSide;
  readonly after: ClaimSide;
}

/** A claim that changed. */
export interface ClaimChange extends ClaimPair {
  readonly kind: ChangeKind;
}

/** The difference between two reviews. */
export interface ClaimDiff {
  /** In reading order. */
  readonly changes: readonly ClaimChange[];
  /** Claims that both make, without a difference. */
  readonly same: number;
  /** Claims that only one makes, where the other could not look: not asked, not read, or not computed. */
  readonly unknown: readonly ClaimPair[];
}

interface Claim extends ClaimSide, Omit<ClaimPair, 'before' | 'after'> {
  /** The value in one form for all wordings, where it has one. */
  readonly normal: string | null;
  /** The language of words that are not the deck's own; null for words of the deck. */
  readonly writtenIn: Language | null;
}

/** On a side that does not know the claim at all, such as a question of another template. */
const NOT_ASKED: ClaimSide = { text: null, absence: 'not_asked', score: null, evidence: [] };

/**
 * What changed from one review to another.
 *
 * @param language of the names of values and readings
 */
export function claimChanges(before: AnalysisReport, after: AnalysisReport, language: Language): ClaimDiff {
  const ambiguous = ambiguousQuestions([before, after]);
  const [old, recent] = [claimsIn(before, ambiguous, language), claimsIn(after, ambiguous, language)];
  const [byKeyOld, byKeyRecent] = [new Map(old.map((c) => [c.key, c])), new Map(recent.map((c) => [c.key, c]))];
  const changes: ClaimChange[] = [];
  const unknown: ClaimPair[] = [];
  let same = 0;
  for (const key of orderedKeys([recent, old])) {
    const [a, b] = [byKeyOld.get(key), byKeyRecent.get(key)];
    const named = b ?? a;
    if (named === undefined || (!isSaid(a) && !isSaid(b))) continue;
    const { id, label, chapter } = named;
    const pair: ClaimPair = { key, id, label, chapter, before: sideOf(a), after: sideOf(b) };
    const kind = changeOf(a, b);
    if (kind === 'unknown') unknown.push(pair);
    else if (kind === 'same') same++;
    else changes.push({ ...pair, kind });
  }
  return { changes, same, unknown };
}

const isSaid = (claim: Claim | undefined): claim is Claim & { readonly text: string } =>
  claim !== undefined && claim.text !== null;

const sideOf = (claim: Claim | undefined): ClaimSide =>
  claim === undefined
    ? NOT_ASKED
    : { text: claim.text, absence: claim.absence, score: claim.score, evidence: claim.evidence };

/** True where a deck was read for the claim, and nothing was found. */
const isSilent = (claim: Claim | undefined): boolean =>
  claim?.absence === 'not_found' || claim?.absence === 'not_supported' || claim?.absence === 'stated_absent';

function changeOf(a: Claim | undefined, b: Claim | undefined): ChangeKind | 'same' | 'unknown' {
  if (!isSaid(a)) return isSilent(a) ? 'appeared' : 'unknown';
  if (!isSaid(b)) return isSilent(b) ? 'disappeared' : 'unknown';
  const isNormal = a.normal !== null && b.normal !== null;
  if (isNormal ? a.normal !== b.normal : !sameFigures(a.text, b.text)) return 'figures';
  // The same said in another language is told by its figures and quotes alone.
  if (!isNormal && a.writtenIn === b.writtenIn && !sameWords(a.text, b.text)) return 'words';
  if (a.evidence.some(isProof) !== b.evidence.some(isProof)) return 'proof';
  const [answeringA, answeringB] = [answeringOf(a.evidence), answeringOf(b.evidence)];
  if (answeringA !== null && answeringB !== null && answeringA !== answeringB) return 'answering';
  return a.score === b.score ? 'same' : 'score';
}

/** Everything that a review could make a claim on, in reading order. */
function claimsIn(report: AnalysisReport, ambiguous: ReadonlySet<string>, language: Language): Claim[] {
  const { fields, readings, topics } = reviewWords[language];
  const nameOf = (field: string): string => (isNameIn(fields, field) ? fields[field] : field);
  const values = report.extractions.map((value): Claim => {
    const { field, status, amount, minAmount, currency, iso, evidence } = value;
    const id = subjectOf({ of: 'value', field });
    const normal = amount === null ? iso : [minAmount, amount, currency].join(' ');
    return { ...claim(id, nameOf(field), shownValue(value), absenceOf(status), evidence), normal };
  });
  const { sector } = report;
  const sectorId = subjectOf({ of: 'value', field: 'sector' });
  const ofSector = claim(sectorId, fields.sector, sector.name, absenceOf(sector.status), []);
  const answers = report.chapters.flatMap((chapter) =>
    chapter.questions.map((question): Claim => {
      const { slug, evidence, score, text: label } = question;
      const id = subjectOf({ of: 'question', slug });
      const absence = absenceOfQuestion(question);
      const stated = absence === 'stated_absent' ? statementOfQuotes(evidence) : statementOf(question);
      const key = `question/${questionKey(ambiguous, chapter.slug, slug)}`;
      return {
        ...claim(id, label, stated?.text ?? null, absence ?? 'not_found', evidence),
        score,
        key,
        chapter: chapter.name,
        writtenIn: stated?.verbatim === false ? report.language : null,
      };
    }),
  );
  const specialised = report.specialised.map(({ kind, status, state, summary, evidence }): Claim => {
    const id = subjectOf({ of: 'reading', reading: kind });
    const absence = state === null || state === 'found' ? absenceOf(status) : state;
    return { ...claim(id, readings[kind], summary, absence, evidence), writtenIn: report.language };
  });
  const { profile } = report;
  const ofProfile = PROFILE_TOPICS.map((topic): Claim => {
    const id = subjectOf({ of: 'profile', topic });
    const found = profile.topics.find((each) => each.topic === topic);
    if (found === undefined) return claim(id, topics[topic], null, absenceOf(profile.status), []);
    return claim(id, topics[topic], statementOfTopic(found), absenceOf(found.status), quotesOfTopic(found));
  });
  return [...values, { ...ofSector, normal: sector.slug }, ...ofProfile, ...answers, ...specialised];
}

/** A claim in words of the deck, with a text, or with the reason why it has none. */
function claim(
  id: VerdictSubject,
  label: string,
  said: string | null,
  whyNot: Absence,
  evidence: readonly ReportEvidence[],
): Claim {
  const text = said?.trim() ?? '';
  return {
    key: id,
    id,
    label,
    chapter: null,
    ...(text === '' ? { text: null, absence: whyNot } : { text, absence: null }),
    score: null,
    evidence,
    normal: null,
    writtenIn: null,
  };
}
