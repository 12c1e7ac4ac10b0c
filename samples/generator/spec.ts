/**
 * A deck as data: slides made of blocks, before anything is drawn.
 *
 * Content files build these; `deck-pdf.ts` draws them. Each slide names the review questions it answers, so the truth about a deck is
 * written next to the words that make it true.
 */
import type { Exporter } from './exporters.ts';
import type { DeckFacts, QuestionSlug, SectorSlug } from '../../domain/evaluation/deck-truth.ts';

/** One labelled value of a chart. */
export interface ChartPoint {
  readonly label: string;
  readonly value: number;
  /** Text at the point; the value itself when absent. */
  readonly shown?: string;
}

/** A named line of a line chart or group of a bar chart; one value per category. */
export interface ChartSeries {
  readonly name: string;
  readonly values: readonly number[];
}

/** What a slide is made of. */
export type Block =
  | { readonly type: 'paragraph'; readonly text: string }
  | { readonly type: 'heading'; readonly text: string }
  | { readonly type: 'bullets'; readonly items: readonly string[] }
  | { readonly type: 'stats'; readonly items: readonly { readonly value: string; readonly label: string }[] }
  | { readonly type: 'cards'; readonly items: readonly { readonly title: string; readonly text: string }[] }
  | {
      readonly type: 'people';
      readonly items: readonly { readonly name: string; readonly role: string; readonly text: string }[];
    }
  | { readonly type: 'timeline'; readonly items: readonly { readonly when: string; readonly what: string }[] }
  | { readonly type: 'quote'; readonly text: string; readonly by: string }
  | { readonly type: 'callout'; readonly text: string }
  | { readonly type: 'note'; readonly text: string }
  | { readonly type: 'table'; readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] }
  | {
      readonly type: 'bars';
      readonly title: string;
      readonly categories: readonly string[];
      readonly series: readonly ChartSeries[];
      /** Unit behind each printed value, such as " %". */
      readonly unit?: string;
    }
  | {
      readonly type: 'lines';
      readonly title: string;
      readonly categories: readonly string[];
      readonly series: readonly ChartSeries[];
      readonly unit?: string;
    }
  | { readonly type: 'donut'; readonly title: string; readonly points: readonly ChartPoint[] };

/** One slide. Covers and statements fill the page with few words; a content slide has columns of blocks. */
export type SlideSpec = { readonly answers?: readonly QuestionSlug[] } & (
  | {
      readonly kind: 'cover';
      /** The largest words. */
      readonly title: string;
      /** The title is a picture. */
      readonly titleAsPicture?: true;
      readonly subtitle: string;
      /** Small lines at the foot, such as occasion and date. */
      readonly lines: readonly string[];
    }
  | { readonly kind: 'statement'; readonly kicker?: string; readonly text: string; readonly lines: readonly string[] }
  | {
      readonly kind: 'content';
      readonly title: string;
      readonly kicker?: string;
      readonly columns: readonly (readonly Block[])[];
      /** Relative widths of the columns; equal when absent. */
      readonly split?: readonly number[];
    }
);

/** How titles are set off from the content. */
export type HeaderStyle = 'plain' | 'band' | 'rail' | 'underline' | 'corner';
/** How the cover is painted. */
export type CoverStyle = 'solid' | 'split' | 'band' | 'circles' | 'stripes';
/** Families of fonts: standard PDF fonts or embedded DejaVu. */
export type FontFamily = 'helvetica' | 'times' | 'dejavu' | 'dejavu-condensed' | 'dejavu-serif';

/** Look of a deck. Colours are `#rrggbb`. */
export interface Theme {
  readonly background: string;
  readonly ink: string;
  readonly muted: string;
  readonly accent: string;
  readonly second: string;
  readonly panel: string;
  readonly font: FontFamily;
  readonly header: HeaderStyle;
  readonly cover: CoverStyle;
}

/** How the text of a deck gets into the file. */
export interface Drawing {
  /** The program whose order of text it is; null writes text as it is placed. */
  readonly exporter: Exporter | null;
  /** Letters of headlines apart from each other: by blanks between them, or by their places. */
  readonly headings: 'plain' | 'blanks' | 'spaced';
  /** Degrees by which a viewer turns each page, clockwise. */
  readonly turn: 0 | 90 | 270;
  /** Letters as shapes, without text. Needs an embedded font. */
  readonly outlines: boolean;
}

/** A whole deck, ready to draw. */
export interface DeckSpec {
  /** ISO 639-1. */
  readonly language: string;
  readonly theme: Theme;
  /** Document title in the PDF's metadata. */
  readonly metadataTitle: string;
  /** Words at the foot of each content slide. */
  readonly footer: string;
  /** Time written into the PDF as its creation date; fixed, so that the bytes are. */
  readonly createdAt: Date;
  readonly slides: readonly SlideSpec[];
  readonly drawing?: Drawing;
  /** A header on each content slide, beside the footer. */
  readonly header?: string;
  /** An empty page at the end. */
  readonly blankLastPage?: true;
  /** What cannot be read in the text of the file: nothing of it, or the name of the company. */
  readonly onlyInPictures?: 'everything' | 'name';
  /** Null for a deck without a business. */
  readonly sector: SectorSlug | null;
  /** Everything the truth says that is not derived from the slides themselves. */
  readonly facts: Pick<DeckFacts, 'company' | 'offering' | 'amount' | 'currency' | 'date' | 'datePrecision' | 'places'>;
}
