/**
 * A document that leaves the house as sections of blocks: what it says, in its order, before it has a form. HTML, Markdown and PDF are made of
 * the same blocks. No block holds markup: the renderers escape every text.
 */
import type { LedgerKind } from '../../domain/costs/ledger/facts.ts';
import type { Language } from '../../domain/models/model-tasks.ts';

/** How good something is, shown as a colour. */
export type Tone = 'good' | 'medium' | 'weak' | 'none';

/** A piece of a line. A text is said as it is. */
export type Span =
  | string
  | { readonly strong: string }
  /** Less important than what stands around it. */
  | { readonly soft: string }
  /** Stands in place of a value that is not there. */
  | { readonly absent: string }
  /** Was there before and is not any more. */
  | { readonly removed: string }
  /** Words of the deck. */
  | { readonly quote: string }
  /** Numbers of slides, as references to them. */
  | { readonly slides: readonly number[] }
  /** A coloured word or figure. The short form stands in its place where one can point at it for the whole. */
  | { readonly mark: string; readonly tone: Tone; readonly short?: string }
  /** The address is one of ours, never a stranger's. */
  | { readonly link: string; readonly href: string };

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
  /** Something refers to it: shown also where there is no room for all. */
  readonly referred: boolean;
}

/** A share as a bar, 0 to 1. The figure stands beside it. */
export interface Bar {
  readonly share: number;
  readonly colour: Tone | LedgerKind;
}

/** Blocks under a heading. */
export interface Group {
  readonly title: string;
  /** Stands beside the title and tells most, so that the rest may be shown on demand. */
  readonly aside: Line;
  readonly bar: (Bar & { readonly colour: Tone }) | null;
  readonly blocks: readonly Block[];
}

/** The leading `words` columns hold words, the others figures. */
export interface Table {
  readonly is: 'table';
  readonly head: readonly string[];
  readonly rows: readonly (readonly (Span | Line)[])[];
  readonly words: number;
  /** One beside the first cell of each row; none at all where there is none. */
  readonly bars: readonly Bar[];
}

/** Amounts, stacked by kind. */
export interface Chart {
  readonly is: 'chart';
  readonly title: string;
  /** Columns where it is a table: what a bar stands for, its amount, its largest kind. */
  readonly head: readonly [string, string, string];
  readonly bars: readonly ChartBar[];
  /** The kinds that are there, with their amounts. */
  readonly legend: readonly { readonly kind: LedgerKind; readonly usd: string }[];
}

export interface ChartBar {
  readonly name: string;
  /** Under the bar, where there is room for it. */
  readonly label: string;
  readonly usd: string;
  readonly kinds: Readonly<Partial<Record<LedgerKind, string>>>;
  /** Shown for comparison only. */
  readonly faded: boolean;
}

export type Block =
  | { readonly is: 'line'; readonly line: Line }
  /** `warning` says that something is wrong. */
  | { readonly is: 'notice'; readonly line: Line; readonly warning: boolean }
  | { readonly is: 'list'; readonly entries: readonly Entry[] }
  | { readonly is: 'facts'; readonly facts: readonly Entry[] }
  /** `folded`: shown on demand where that is possible. */
  | { readonly is: 'groups'; readonly groups: readonly Group[]; readonly folded: boolean }
  | { readonly is: 'slides'; readonly slides: readonly SlideCard[] }
  | Table
  | Chart;

/** A part of the document with an entry in the contents. */
export interface Section {
  /** Unique in the document. */
  readonly id: string;
  readonly title: string;
  readonly blocks: readonly Block[];
  /** True for what only few want to read: it is shown on demand where that is possible. */
  readonly folded: boolean;
}

/** The figure that the document is about. */
export interface Figure {
  readonly name: string;
  /** Null: there is none, which the unit says. */
  readonly value: string | null;
  readonly unit: string | null;
  /** Null: it is neither good nor bad. */
  readonly tone: Tone | null;
  /** Its reasons and its parts. */
  readonly lines: readonly Line[];
}

/** A whole document. */
export interface Document {
  readonly language: Language;
  readonly title: string;
  /** Stands over the contents. `first` is what a reader has to know before anything else, the figure included. */
  readonly head: { readonly first?: Block | null; readonly figure: Figure | null; readonly blocks: readonly Block[] };
  readonly sections: readonly Section[];
}

/** A section that is left out without blocks. */
export const section = (id: string, title: string, blocks: readonly Block[], folded = false): Section[] =>
  blocks.length === 0 ? [] : [{ id, title, blocks, folded }];

/** A table that is left out without rows. */
export const tableOf = (head: Table['head'], rows: Table['rows'], words: number, bars: readonly Bar[] = []): Table[] =>
  rows.length === 0 ? [] : [{ is: 'table', head, rows, words, bars }];

/** A list that is left out without entries. */
export const listOf = (entries: readonly Entry[]): Block[] => (entries.length === 0 ? [] : [{ is: 'list', entries }]);

/** A group that is left out without blocks. */
export const group = (title: string, blocks: readonly Block[]): Group[] =>
  blocks.length === 0 ? [] : [{ title, aside: [], bar: null, blocks }];

/** Groups, left out where there is none. */
export const groupsOf = (groups: readonly Group[], folded = false): Block[] =>
  groups.length === 0 ? [] : [{ is: 'groups', groups, folded }];

/** An entry that is one line. */
export const entry = (...head: Line): Entry => ({ head, lines: [] });

/** A paragraph. */
export const paragraph = (...line: Line): Block => ({ is: 'line', line });

/** A paragraph that stands out. */
export const notice = (text: string, warning = false): Block => ({ is: 'notice', line: [text], warning });

/** A name with what is said on it; none where nothing is. */
export const fact = (name: string, ...text: readonly (string | null)[]): Entry[] => {
  const lines = text.flatMap((each): Line[] => (each === null ? [] : [[each]]));
  return lines.length === 0 ? [] : [{ head: [name], lines }];
};

/** A cell as a line. */
export const lineOf = (cell: Span | Line): Line => (isLine(cell) ? cell : [cell]);

const isLine = (cell: Span | Line): cell is Line => Array.isArray(cell);

/** Slides that a document shows. */
export const slideCards = ({ sections }: Document): SlideCard[] =>
  sections.flatMap(({ blocks }) => blocks.flatMap((block) => (block.is === 'slides' ? block.slides : [])));

/** The words of the renderers themselves. */
export const DOCUMENT_WORDS = {
  en: {
    contents: 'Contents',
    page: (number: number, count: number) => `Page ${number} of ${count}`,
    quoted: (words: string) => `“${words}”`,
    slide: 'Slide',
  },
  de: {
    contents: 'Inhalt',
    page: (number: number, count: number) => `Seite ${number} von ${count}`,
    quoted: (words: string) => `„${words}“`,
    slide: 'Folie',
  },
} as const satisfies Record<Language, object>;
