/** The reviews of a comparison in the order and under the names that the page shows. */
import type { ChangeKind, ClaimDiff } from '../../domain/decks/compare/claim-changes.ts';
import { claimChanges } from '../../domain/decks/compare/claim-changes.ts';
import {
  byDeckTime,
  chaptersBeside,
  type ComparedChapter,
  type ComparisonKind,
  differs,
  kindOf,
} from '../../domain/decks/compare/side-by-side.ts';
import type { DeckEntry } from '../../domain/decks/list/entry.ts';
import type { AnalysisReport } from '../../domain/decks/report.ts';
import type { JudgedReport } from '../../domain/decks/verdicts/overlay.ts';
import type { Language } from '../../domain/models/model-tasks.ts';
import { formatDay, formatDeckDate, formatMoment } from '../format.ts';

/** True for a review that still runs. */
export const isUnfinished = ({ status }: Pick<AnalysisReport, 'status'>): boolean =>
  status === 'queued' || status === 'running';

/** A review as it is read. */
export interface LoadedReview {
  readonly report: AnalysisReport;
  readonly deck: DeckEntry;
  readonly judged: JudgedReport;
}

/** One column of the page. */
export interface Column extends LoadedReview {
  /** `A`, `B` … */
  readonly letter: string;
  readonly name: string;
  /** A second line that tells columns of the same name apart; empty where there is none. */
  readonly detail: string;
}

/** Everything that is compared. */
export interface Compared {
  readonly kind: ComparisonKind;
  readonly columns: readonly Column[];
  readonly chapters: readonly ComparedChapter[];
  /** What changed from the first to the last; null where several decks are compared. */
  readonly diff: ClaimDiff | null;
  /** Kinds of changes by the key of the claim. */
  readonly changes: ReadonlyMap<string, ChangeKind>;
}

/** Puts reviews side by side: versions and runs in time order, decks as they were chosen. */
export function comparedOf(loaded: readonly LoadedReview[], language: Language): Compared {
  const kind = kindOf(loaded.map(({ deck }) => ({ deckId: deck.id, companyId: deck.company?.id ?? null })));
  const columns = named(ordered(loaded, kind), kind, language);
  const chapters = chaptersBeside(columns);
  const [first, last] = [columns[0], columns.at(-1)];
  const isChange = kind !== 'decks' && first !== undefined && last !== undefined && first !== last;
  const diff = isChange ? claimChanges(first.report, last.report, language) : null;
  return { kind, columns, chapters, diff, changes: new Map(diff?.changes.map((change) => [change.key, change.kind])) };
}

function ordered(loaded: readonly LoadedReview[], kind: ComparisonKind): readonly LoadedReview[] {
  if (kind === 'decks') return loaded;
  return loaded.toSorted((a, b) => byDeckTime(a.deck, b.deck) || (a.report.createdAt < b.report.createdAt ? -1 : 1));
}

function named(loaded: readonly LoadedReview[], kind: ComparisonKind, language: Language): readonly Column[] {
  const languages = new Intl.DisplayNames(language, { type: 'language' });
  const isOneLanguage = new Set(loaded.map(({ report }) => report.language)).size < 2;
  /** The name of a company, with the date of the deck where it stands there twice. */
  const apart = (company: string, { id, deckDate, fileName }: DeckEntry): string => {
    const isAlone = loaded.every(({ deck }) => deck.company?.name !== company || deck.id === id);
    return isAlone ? company : `${company} (${deckDate === null ? fileName : formatDeckDate(deckDate, language)})`;
  };
  const nameOf = ({ report, deck }: LoadedReview): string => {
    switch (kind) {
      case 'decks':
        return deck.company === null ? deck.fileName : apart(deck.company.name, deck);
      case 'versions':
        return deck.deckDate === null ? formatDay(deck.createdAt, language) : formatDeckDate(deck.deckDate, language);
      case 'runs':
        return formatMoment(report.createdAt, language);
    }
  };
  return loaded.map((review, index) => {
    const name = nameOf(review);
    const { engine, language: written } = review.report;
    const run = [engine?.label ?? '', isOneLanguage ? '' : (languages.of(written) ?? written)];
    const detail = kind === 'runs' ? run.filter((part) => part !== '').join(' · ') : review.deck.fileName;
    return { ...review, letter: String.fromCodePoint(65 + index), name, detail: detail === name ? '' : detail };
  });
}

/** Whether a question is shown among the differences. */
export const isDifferent = (
  question: ComparedChapter['questions'][number],
  { kind }: Pick<Compared, 'kind'>,
): boolean => differs(question, kind === 'decks' ? 'results' : 'words');
