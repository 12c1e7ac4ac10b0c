/**
 * A deck as data: slides made of blocks, before anything is drawn.
 *
 * The files in `decks/` hold such decks, and code makes them from seeds; `deck-pdf.ts` draws them. Each slide names the review questions it
 * answers, so the truth about a deck is written next to the words that make it true.
 */
import { z } from 'zod';
import type { Exporter } from './exporters.ts';
import { DeckFacts, QUESTION_SLUGS, SECTOR_SLUGS, TOPIC_FACTS } from '../../domain/evaluation/deck-truth.ts';

/** A list that nobody changes. */
export const listOf = <T extends z.ZodType>(item: T): z.ZodReadonly<z.ZodArray<T>> => z.array(item).readonly();

const text = z.string();
/** A list of texts. */
export const texts = listOf(text);

const series = z.strictObject({ name: text, values: listOf(z.number()) });
/** A named line of a line chart or group of a bar chart; one value per category. */
export type ChartSeries = z.infer<typeof series>;

const chart = {
  title: text,
  categories: texts,
  series: listOf(series),
  /** Behind each printed value, such as " %". */
  unit: text.optional(),
};

const block = z.discriminatedUnion('type', [
  z.strictObject({ type: z.enum(['paragraph', 'heading', 'note']), text }),
  z.strictObject({ type: z.literal('callout'), text }),
  z.strictObject({ type: z.literal('bullets'), items: texts }),
  z.strictObject({ type: z.literal('stats'), items: listOf(z.strictObject({ value: text, label: text })) }),
  z.strictObject({ type: z.literal('cards'), items: listOf(z.strictObject({ title: text, text })) }),
  z.strictObject({ type: z.literal('people'), items: listOf(z.strictObject({ name: text, role: text, text })) }),
  z.strictObject({ type: z.literal('timeline'), items: listOf(z.strictObject({ when: text, what: text })) }),
  z.strictObject({ type: z.literal('quote'), text, by: text }),
  z.strictObject({ type: z.literal('table'), head: texts, rows: listOf(texts) }),
  z.strictObject({ type: z.literal('bars'), ...chart }),
  z.strictObject({ type: z.literal('lines'), ...chart }),
  z.strictObject({
    type: z.literal('donut'),
    title: text,
    /** `shown`: text at the point; the value itself when absent. */
    points: listOf(z.strictObject({ label: text, value: z.number(), shown: text.optional() })),
  }),
  z.strictObject({
    type: z.literal('comparison'),
    /** Where the companies stand: in the heads of columns, or in rows below one another. */
    companiesIn: z.enum(['columns', 'rows']),
    /** Above the first column. */
    corner: text,
    criteria: texts,
    /** One cell for each criterion. ✓ and ✗ are drawn as shapes where the font has no such letters. */
    companies: listOf(z.strictObject({ name: text, isOwn: z.boolean(), cells: texts })),
  }),
  z.strictObject({
    type: z.literal('market'),
    form: z.enum(['nested', 'row', 'bars']),
    /** Where the words of nested circles and of bars stand. */
    words: z.enum(['inside', 'beside']),
    /** The part that is larger and comes first: the figure or its name. */
    first: z.enum(['figure', 'name']),
    /** From the whole market to the part that can be reached. */
    items: listOf(z.strictObject({ name: text, figure: text, note: text })),
  }),
  z.strictObject({
    type: z.literal('pie'),
    title: text,
    isHollow: z.boolean(),
    legend: z.enum(['right', 'left', 'below']),
    /** How name and share stand together; `in_slices`: the share on its slice, only the name in the legend. */
    entry: z.enum(['share_first', 'name_first', 'two_columns', 'two_lines', 'in_slices']),
    points: listOf(z.strictObject({ name: text, share: z.number(), shown: text, amount: text.optional() })),
  }),
  z.strictObject({
    type: z.literal('persons'),
    /** Cards beside one another, in two or more rows, or below one another. */
    form: z.enum(['row', 'grid', 'list']),
    role: z.enum(['below', 'beside']),
    portrait: z.enum(['round', 'square', 'none']),
    items: listOf(z.strictObject({ name: text, role: text, text })),
  }),
  z.strictObject({
    type: z.literal('plans'),
    first: z.enum(['name', 'price']),
    items: listOf(z.strictObject({ name: text, price: text, per: text, features: texts, badge: text.optional() })),
  }),
  z.strictObject({
    type: z.literal('mock_up'),
    device: z.enum(['phone', 'browser', 'dashboard', 'map']),
    title: text,
    menu: texts,
    rows: listOf(z.strictObject({ text, detail: text })),
    button: text,
  }),
]);
/** What a slide is made of. */
export type Block = z.infer<typeof block>;

/** Review questions that the slide answers. */
const answers = listOf(z.enum(QUESTION_SLUGS)).optional();

/** The facts of topics that the slide states. A fact is found in the drawing by its name, or by its text where it has none. */
const topics = z
  .strictObject({
    customers: listOf(TOPIC_FACTS.customers),
    use_of_funds: listOf(TOPIC_FACTS.use_of_funds),
    traction: listOf(TOPIC_FACTS.traction),
    team: listOf(TOPIC_FACTS.team),
    market: listOf(TOPIC_FACTS.market),
    competition: listOf(TOPIC_FACTS.competition),
    stage: listOf(TOPIC_FACTS.stage),
  })
  .partial()
  .readonly();
/** Facts of a slide by topic; a topic that is not a key is not written down for it. */
export type SlideTopics = z.infer<typeof topics>;

const slide = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('cover'),
    answers,
    /** The largest words. */
    title: text,
    /** The title is a picture. */
    titleAsPicture: z.literal(true).optional(),
    /** A white logo on a dark page: a sign and these words, which are a picture or outlines and no text. */
    logo: z.strictObject({ words: text, drawnAs: z.enum(['picture', 'outlines']), isCentred: z.boolean() }).optional(),
    subtitle: text,
    /** Small lines at the foot, such as occasion and date. */
    lines: texts,
  }),
  z.strictObject({ kind: z.literal('statement'), answers, kicker: text.optional(), text, lines: texts }),
  z.strictObject({
    kind: z.literal('content'),
    answers,
    title: text,
    kicker: text.optional(),
    columns: listOf(listOf(block)),
    topics: topics.optional(),
    /** Relative widths of the columns; equal when absent. */
    split: listOf(z.number()).optional(),
  }),
]);
/** One slide. Covers and statements fill the page with few words; a content slide has columns of blocks. */
export type SlideSpec = z.infer<typeof slide>;

const color = text.regex(/^#[0-9a-f]{6}$/u);

const theme = z.strictObject({
  background: color,
  ink: color,
  muted: color,
  accent: color,
  second: color,
  panel: color,
  /** Standard PDF fonts or embedded DejaVu. */
  font: z.enum(['helvetica', 'times', 'dejavu', 'dejavu-condensed', 'dejavu-serif']),
  /** How titles are set off from the content. */
  header: z.enum(['plain', 'band', 'rail', 'underline', 'corner']),
  /** How the cover is painted. */
  cover: z.enum(['solid', 'split', 'band', 'circles', 'stripes']),
});
/** Look of a deck. Colours are `#rrggbb`. */
export type Theme = z.infer<typeof theme>;

/** A deck as its file holds it. */
export const deckSchema = z.strictObject({
  /** ISO 639-1. */
  language: text,
  /** Null for a deck without a business. */
  sector: z.enum(SECTOR_SLUGS).nullable(),
  /** Document title in the PDF's metadata. */
  metadataTitle: text,
  /** Words at the foot of each content slide. */
  footer: text,
  /** Time written into the PDF as its creation date; fixed, so that the bytes are. */
  createdAt: z.iso.datetime().transform((iso) => new Date(iso)),
  theme,
  /** Everything the truth says that is not derived from the slides themselves. */
  facts: DeckFacts.omit({ sector: true, answered: true, topics: true }).strict(),
  slides: listOf(slide),
});

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
export interface DeckSpec extends z.infer<typeof deckSchema> {
  readonly drawing?: Drawing;
  /** A header on each content slide, beside the footer. */
  readonly header?: string;
  /** An empty page at the end. */
  readonly blankLastPage?: true;
  /** What cannot be read in the text of the file: nothing of it, or the name of the company. */
  readonly onlyInPictures?: 'everything' | 'name';
}
