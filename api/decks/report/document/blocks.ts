/**
 * A review as sections of blocks: what every document of a review says, in its order, before it has a form. HTML, Markdown and PDF are made
 * of the same blocks.
 */
import type { Language } from '../../../../domain/models/model-tasks.ts';
import type { ReportVerdict } from '../../../../domain/decks/report.ts';

/** A piece of a line. A text is said as it is. */
export type Span =
  | string
  | { readonly strong: string }
  /** Less important than what stands around it. */
  | { readonly soft: string }
  /** Stands in place of a value that is not there. */
  | { readonly absent: string }
  /** Words of the deck. */
  | { readonly quote: string }
  /** Numbers of slides, as references to them. */
  | { readonly slides: readonly number[] }
  | { readonly verdict: ReportVerdict; readonly why: string | null }
  | { readonly score: number | null; readonly digits: 0 | 1 };

/** A line or paragraph. */
export type Line = readonly Span[];

/** A name or question with what is said on it. */
export interface Entry {
  readonly head: Line;
  readonly lines: readonly Line[];
}

/** A slide with its picture, where there is one. */
export interface SlideCard {
  readonly number: number;
  readonly title: string;
  readonly lines: readonly Line[];
}

/** A chapter: its score tells most, so that the rest may be shown on demand. */
export interface ChapterBlock {
  readonly title: string;
  /** 0 to 7; null without a score. */
  readonly score: number | null;
  readonly blocks: readonly Block[];
}

export type Block =
  | { readonly is: 'line'; readonly line: Line }
  /** `warning` says that something is wrong. */
  | { readonly is: 'notice'; readonly line: Line; readonly warning: boolean }
  | { readonly is: 'list'; readonly entries: readonly Entry[] }
  | { readonly is: 'questions'; readonly entries: readonly Entry[] }
  | { readonly is: 'facts'; readonly facts: readonly Entry[] }
  | { readonly is: 'group'; readonly title: string; readonly blocks: readonly Block[] }
  | { readonly is: 'chapters'; readonly chapters: readonly ChapterBlock[] }
  | { readonly is: 'slides'; readonly slides: readonly SlideCard[] }
  /** The leading `words` columns hold words, the others figures. */
  | {
      readonly is: 'table';
      readonly head: readonly string[];
      readonly rows: readonly (readonly string[])[];
      readonly words: number;
    };

/** A part of the document with an entry in the contents. */
export interface Section {
  /** Unique in the document. */
  readonly id: string;
  readonly title: string;
  readonly blocks: readonly Block[];
  /** True for what only few want to read: it is shown on demand where that is possible. */
  readonly folded: boolean;
}

/** A whole review. */
export interface ReviewDocument {
  readonly language: Language;
  /** Name of the company, else of the file. */
  readonly title: string;
  /** What stands over the contents; the score is null where no question was asked. */
  readonly head: { readonly score: ScoreHead | null; readonly blocks: readonly Block[] };
  readonly sections: readonly Section[];
  /** Slides that the document shows, so that a reference leads to them. */
  readonly shownSlides: ReadonlySet<number>;
  /** Slides that something refers to. */
  readonly referredSlides: ReadonlySet<number>;
}

/** The overall score with what it rests on. */
export interface ScoreHead {
  readonly score: number | null;
  readonly lines: readonly Line[];
}
