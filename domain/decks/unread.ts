/**
 * Decks that are not reviewed as a whole: no text of them can be read, or it is in a language that the engine does not read. A review says
 * so once, in place of every value that is missing for it.
 */
import type { Language } from '../models/model-tasks.ts';
import type { AnalysisReport, ReportQuestion } from './report.ts';

/** Code of gaps that follow from a deck in which no page could be read. */
export const NO_TEXT_CODE = 'no_readable_text';
/** Code of gaps that follow from a language that the engine does not read. */
export const LANGUAGE_CODE = 'language_not_supported';
/** Code of the gap of a page in which nothing could be read. */
export const ILLEGIBLE_CODE = 'slide_illegible';

/** A notice about the whole deck. */
export type NoticeCode = AnalysisReport['notices'][number]['code'];

/** The reason why a deck is not reviewed as a whole; null where there is none. */
export function wholeDeckNotice(
  gaps: readonly { readonly code: string }[],
  values: readonly { readonly status: string }[],
): NoticeCode | null {
  const hasGap = (code: NoticeCode): boolean => gaps.some((gap) => gap.code === code);
  if (hasGap(LANGUAGE_CODE)) return LANGUAGE_CODE;
  // Slides that were read afterwards leave gaps of values, not of the deck.
  return hasGap(NO_TEXT_CODE) && !values.some(({ status }) => status === 'found') ? NO_TEXT_CODE : null;
}

/** Gaps that are not explained by a notice about the whole deck. */
export function gapsBesideNotices<Gap extends { readonly code: string }>({
  notices,
  gaps,
}: {
  readonly notices: readonly { readonly code: NoticeCode }[];
  readonly gaps: readonly Gap[];
}): readonly Gap[] {
  const said = new Set<string>(notices.map(({ code }) => code));
  return gaps.filter(({ code }) => !said.has(code) && !(code === ILLEGIBLE_CODE && said.has(NO_TEXT_CODE)));
}

/** True for a question of which there is nothing to show but that no answer was found, or none that its own check supports. */
export const isNotFound = ({ state, evidence }: ReportQuestion): boolean =>
  state === 'not_supported' || (state === 'not_found' && evidence.length === 0);

/** True for a question that was not asked because of the deck as a whole. */
export const isUnasked = ({ status }: ReportQuestion): boolean => status === 'unreadable' || status === 'skipped';

/** From this share of its text on, a deck is in languages that are not read. */
const MIN_FOREIGN_SHARE = 0.6;

/**
 * True when an engine that reads only some languages does not read this deck. A deck whose language is not certain is read.
 *
 * @param found shares of the deck's text, 0 to 1, by ISO 639-1 of the language; the empty word stands for languages that are not named
 * @param read ISO 639-1 of the languages that the engine reads; empty = all
 */
export const isForeign = (
  found: { readonly shares: ReadonlyMap<string, number> } | null,
  read: readonly string[],
): boolean =>
  found !== null &&
  read.length > 0 &&
  [...found.shares].reduce((sum, [language, share]) => sum + (read.includes(language) ? 0 : share), 0) >=
    MIN_FOREIGN_SHARE;

/** Name of a language in a language of reports, such as `Polish`. */
export const languageName = (code: string, language: Language): string =>
  new Intl.DisplayNames([language], { type: 'language' }).of(code) ?? code;
