/**
 * The row of a deck in the list: one pure function of its reviews, of what people said, and of what it cost. The rules are those of a report; where
 * both need one, both call it.
 */
import type { MarkRule } from '../../evidence/answering-settings.ts';
import { hasEvidence } from '../review/has-evidence.ts';
import { type Mark, marksOnce } from '../review/marks.ts';
import type { AnalysisStatus, ReportEvidence, ReportQuestion } from '../report.ts';
import { gapsBesideNotices, LANGUAGE_CODE, NO_TEXT_CODE, wholeDeckNotice } from '../unread.ts';
import type { HumanVerdict } from '../verdicts/human-verdict.ts';
import { judgedQuote, judgedState, judgementOn } from '../verdicts/judgement.ts';
import type { VerdictSubject } from '../verdicts/kinds.ts';
import { currentVerdicts, effectiveScores, type ScoredChapter } from '../verdicts/overlay.ts';
import { subjectParts } from '../verdicts/subject.ts';
import type { AttentionReason, DeckEntry } from './entry.ts';
import { ATTENTION_REASONS, FEW_QUOTES_SHARE, LITTLE_FOUND_SHARE } from './kinds.ts';
import { type ProfileColumns, profileColumns, type ShownProfile, topicTexts } from './listed-facts.ts';
import { rankOf } from './rank.ts';

/** A full review of a deck, as far as the choice between them needs it. */
export interface ReviewOfDeck {
  readonly id: string;
  readonly createdAtMs: number;
  readonly status: AnalysisStatus;
  readonly overallScore: number | null;
  /** It has found a value or a sector. */
  readonly hasFound: boolean;
}

/** A quote with its marks, and the claim that it stands under. */
export interface ShownQuote extends Pick<ReportEvidence, 'slide' | 'quote' | 'verdict' | 'answering' | 'reread'> {
  readonly claim: VerdictSubject;
  /** Id of the answer that it stands under, and its state; null under values, readings and topics. */
  readonly answerId: string | null;
  readonly state: ReportQuestion['state'];
}

/** A review whose values are shown. */
export interface ShownReview {
  /** `rules` for the built-in reader; null before the end of the review. */
  readonly engineKind: string | null;
  readonly overallScore: number | null;
  readonly scoredQuestions: number;
  readonly askedQuestions: number;
  readonly values: readonly {
    readonly field: string;
    readonly status: string;
    readonly raw: string | null;
    readonly amount: number | null;
    readonly currency: string | null;
    readonly isoDate: string | null;
  }[];
  /** Slug. */
  readonly sector: string | null;
  /** Null where it was not asked for. */
  readonly profile: ShownProfile | null;
  /** Of values, answers, readings and topics of the profile. */
  readonly quotes: readonly ShownQuote[];
  readonly gaps: readonly { readonly code: string }[];
  readonly hasSteering: boolean;
  readonly hasContradictions: boolean;
  /** Words of the machine, by claim. Read only where people judged claims or corrected values; else empty. */
  readonly said: ReadonlyMap<VerdictSubject, string>;
  /** Read only where people gave scores; else empty. */
  readonly chapters: readonly ScoredChapter[];
}

/** A deck with its reviews. */
export interface ListedReport {
  readonly deck: {
    readonly fileName: string;
    readonly otherNames: readonly string[];
    readonly title: string | null;
    readonly hazards: readonly string[];
    readonly hasInvisibleText: boolean;
    /** The company that it was put to, and whether a person did that. */
    readonly company: { readonly name: string; readonly isByPerson: boolean } | null;
  };
  /** Status of the newest full review; null before the first. */
  readonly newestStatus: AnalysisStatus | null;
  /** Null before the first result. */
  readonly shown: ShownReview | null;
  /** Names of sectors by slug. */
  readonly sectorNames: ReadonlyMap<string, string>;
}

/** Facts that follow from a deck's reviews, verdicts and costs; the rest of an entry is stored with the deck and its newest review. */
export interface ListedFacts
  extends
    ProfileColumns,
    Readonly<
      Pick<
        DeckEntry,
        | 'offering'
        | 'sector'
        | 'deckDate'
        | 'status'
        | 'score'
        | 'machineScore'
        | 'answeringShare'
        | 'coverage'
        | 'gaps'
        | 'assignee'
        | 'notes'
        | 'rank'
        | 'resultEngineKind'
      >
    > {
  readonly evidenceFound: number | null;
  readonly evidenceAsked: number | null;
  readonly company: string | null;
  readonly askText: string | null;
  readonly askAmount: number | null;
  readonly askCurrency: string | null;
  readonly quotes: number;
  readonly verifiedQuotes: number;
  readonly verifiedShare: number | null;
  readonly highQuotes: number;
  readonly someQuotes: number;
  readonly judgedQuotes: number;
  /** In US dollars, as a decimal number. */
  readonly costUsd: string | null;
  readonly decision: string | null;
  readonly tags: readonly string[];
  readonly attention: readonly AttentionReason[];
  /** Text that a search finds the deck by, beside the words on its slides. */
  readonly words: string;
}

const newestFirst = (a: ReviewOfDeck, b: ReviewOfDeck): number =>
  b.createdAtMs - a.createdAtMs || (a.id < b.id ? 1 : -1);

/** The newest of the full reviews; null without one. */
export const newestReview = <R extends ReviewOfDeck>(reviews: readonly R[]): R | null =>
  reviews.toSorted(newestFirst)[0] ?? null;

/**
 * The review whose values are shown: the newest that came to an overall result; before the first of these, the newest that has found anything. So
 * a replay replaces what is shown when it is done, not when it begins.
 */
export function shownReview<R extends ReviewOfDeck>(reviews: readonly R[]): R | null {
  const isWhole = ({ overallScore, status }: R): boolean =>
    overallScore !== null || status === 'completed' || status === 'completed_with_gaps';
  return newestReview(reviews.filter(isWhole)) ?? newestReview(reviews.filter(({ hasFound }) => hasFound));
}

/** Questions to which a history of verdicts gives scores, by slug. */
export const scoresByPeople = (verdicts: readonly HumanVerdict[]): ReadonlyMap<string, number> =>
  new Map(
    currentVerdicts(verdicts).flatMap(({ kind, subject, score }) => {
      const parts = kind === 'score' ? subjectParts(subject) : null;
      return parts?.of === 'question' && score !== null ? [[parts.slug, score]] : [];
    }),
  );

/** Verdicts of people on a deck, the cost of its runs, and how an installation reads its marks. */
export interface EntryContext {
  /** The whole history. */
  readonly verdicts: readonly HumanVerdict[];
  /** Null where nothing was settled. */
  readonly costs: { readonly usd: string | null };
  /** A question with these has evidence. */
  readonly rule: MarkRule;
}

/** The facts of an entry. */
export function entryOf(
  { deck, newestStatus, shown, sectorNames }: ListedReport,
  { verdicts, costs, rule }: EntryContext,
): ListedFacts {
  const held = currentVerdicts(verdicts);
  const said = (field: string): HumanVerdict | undefined =>
    held.find(({ kind, subject }) => kind === 'value' && subject === `value/${field}`);
  const found = (field: string) => shown?.values.find((value) => value.field === field);
  const texts = (kind: HumanVerdict['kind']): string[] =>
    held.flatMap((verdict) => (verdict.kind === kind && verdict.text !== null ? [verdict.text] : []));

  const [saidName, ownName, foundName] = [said('company_name')?.text, deck.company?.name, found('company_name')?.raw];
  // Where a person put the deck into a company, that is the newer word.
  const company = (deck.company?.isByPerson === true ? ownName : saidName) ?? saidName ?? ownName ?? foundName ?? null;
  const offering = said('offering')?.text ?? found('offering')?.raw ?? null;
  const sector = said('sector')?.text ?? shown?.sector ?? null;
  const ask = said('funding') ?? found('funding');
  const date = said('deck_date') ?? found('deck_date');
  const judged = judgedQuotes(shown, held);
  const marks = marksOf(judged);
  const { quotes: total, verifiedQuotes: verified } = marks;
  const scores = scoreOf(shown, scoresByPeople(held));
  const notice = noticeOf(shown);
  // Where no quote was judged, or nothing could be read, nothing can be counted.
  const isCountable = notice === null && (verified === 0 || marks.judgedQuotes > 0);
  const evidence = isCountable ? evidenceOf(shown, judged, rule) : null;
  const gaps = gapsBesideNotices({ notices: notice === null ? [] : [{ code: notice }], gaps: shown?.gaps ?? [] });
  const [tags, notes] = [texts('tag').toSorted(inAlphabet), texts('note')];
  const sectorName = sector === null ? null : sectorNames.get(sector);
  const words = [deck.fileName, ...deck.otherNames, deck.title, company, ownName, foundName, offering, sector];

  const reasons: Readonly<Record<AttentionReason, boolean>> = {
    failed: newestStatus === 'failed',
    unreadable: notice === NO_TEXT_CODE,
    language: notice === LANGUAGE_CODE,
    gaps: gaps.length > 0,
    steering: shown?.hasSteering === true || deck.hazards.some((hazard) => hazard.startsWith('steering_in_')),
    invisible_text: deck.hasInvisibleText,
    contradictions: shown?.hasContradictions === true,
    few_quotes: verified < FEW_QUOTES_SHARE * total,
    // Where no page could be read that is the reason.
    little_found: notice === null && shown !== null && total < LITTLE_FOUND_SHARE * shown.askedQuestions,
  };
  return {
    company,
    offering,
    sector,
    askText: ask === undefined ? null : 'raw' in ask ? ask.raw : ask.text,
    askAmount: ask?.amount ?? null,
    askCurrency: ask?.currency ?? null,
    deckDate: date?.isoDate ?? null,
    status: newestStatus ?? 'uploaded',
    ...scores,
    ...profileColumns(shown?.profile ?? null),
    resultEngineKind: shown?.engineKind ?? null,
    evidenceFound: evidence?.found ?? null,
    evidenceAsked: evidence?.asked ?? null,
    rank: shown === null ? null : rankOfReview(shown, scores.score, evidence),
    ...marks,
    gaps: gaps.length,
    costUsd: costs.usd,
    assignee: texts('assignee')[0] ?? null,
    decision: texts('decision')[0] ?? null,
    tags,
    notes: notes.length,
    attention: ATTENTION_REASONS.filter((reason) => reasons[reason]),
    words: [...words, sectorName, ...tags, ...notes].filter((text) => text !== null && text !== undefined).join(' '),
  };
}

/** Quotes with what people say of their claims; an answer that is not supported claims nothing. */
const judgedQuotes = (shown: ShownReview | null, held: readonly HumanVerdict[]): ShownQuote[] =>
  (shown?.quotes ?? []).flatMap((quote) => {
    const { claim } = quote;
    const judgement = judgementOn(held, claim, shown?.said.get(claim) ?? null);
    const state = judgedState(quote.state, judgement);
    return state === 'not_supported' ? [] : [{ ...judgedQuote(quote, judgement), state }];
  });

/** Questions with evidence; null where none was asked. */
function evidenceOf(
  shown: ShownReview | null,
  judged: readonly ShownQuote[],
  rule: MarkRule,
): { readonly found: number; readonly asked: number } | null {
  if (shown === null || shown.askedQuestions === 0) return null;
  const answers = Map.groupBy(judged, ({ answerId }) => answerId);
  const found = [...answers].filter(
    ([id, quotes]) => id !== null && hasEvidence({ state: quotes[0]?.state ?? null, evidence: quotes }, rule),
  );
  return { found: found.length, asked: shown.askedQuestions };
}

function rankOfReview(
  { profile, engineKind }: ShownReview,
  score: number | null,
  evidence: { readonly found: number; readonly asked: number } | null,
): number {
  const topicsFound = profile === null ? null : topicTexts(profile).size;
  return rankOf({ documentKind: profile?.documentKind ?? null, engineKind, score, evidence, topicsFound });
}

/** Counts of quotes, each once. */
function marksOf(
  quotes: readonly ShownQuote[],
): Pick<
  ListedFacts,
  'quotes' | 'verifiedQuotes' | 'verifiedShare' | 'highQuotes' | 'someQuotes' | 'judgedQuotes' | 'answeringShare'
> {
  const marks = marksOnce(quotes, { level: 'high' });
  const count = (...wanted: readonly Mark[]): number => marks.filter((mark) => wanted.includes(mark)).length;
  const [verified, high, some] = [
    count('settled', 'on_slide', 'doubtful', 'not_judged'),
    count('settled'),
    count('on_slide'),
  ];
  const judged = high + some + count('doubtful');
  return {
    quotes: marks.length,
    verifiedQuotes: verified,
    verifiedShare: marks.length === 0 ? null : verified / marks.length,
    highQuotes: high,
    someQuotes: some,
    judgedQuotes: judged,
    answeringShare: judged === 0 ? null : high / marks.length,
  };
}

const noticeOf = (shown: ShownReview | null): ReturnType<typeof wholeDeckNotice> =>
  shown === null ? null : wholeDeckNotice(shown.gaps, shown.values);

/** Scores with people's in place of the machine's, as in a report. */
function scoreOf(
  shown: ShownReview | null,
  scores: ReadonlyMap<string, number>,
): Pick<ListedFacts, 'score' | 'machineScore' | 'coverage'> {
  if (shown === null) return { score: null, machineScore: null, coverage: null };
  const { overallScore: machineScore, scoredQuestions: scored, askedQuestions: asked, chapters } = shown;
  const overall =
    scores.size === 0
      ? { score: machineScore, scored, asked }
      : effectiveScores(chapters, machineScore, scores).overall;
  return { score: overall.score, machineScore, coverage: overall.asked === 0 ? null : overall.scored / overall.asked };
}

const inAlphabet = (a: string, b: string): number => a.localeCompare(b);
