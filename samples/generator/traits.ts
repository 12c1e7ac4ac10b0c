/**
 * Traits of real decks that seeded decks can have: how slides are laid out, in which order a program wrote the text, where the facts stand,
 * and what is wrong with the file. A seed draws a combination; a test asks for one by its name.
 */
import { EXPORTERS, type Exporter } from './exporters.ts';
import { type Random, randomFrom } from './random.ts';

/** Traits of which a deck has at most one. */
type Group = 'layout' | 'exporter' | 'name' | 'ask' | 'story' | 'glyphs';

interface TraitFacts {
  readonly group?: Group;
  /** True where some of the words can only be read in the drawn picture of a page. */
  readonly needsOcr?: true;
  /** True where the deck is none that all questions can be asked of: in another language, or without a company. */
  readonly otherStory?: true;
  /** True where a slide about a topic of the deck is drawn in another way. */
  readonly topic?: true;
}

const TRAIT_FACTS = {
  /** Text in two or three narrow columns. */
  columns: { group: 'layout' },
  /** Boxes with a number above its label. */
  number_boxes: { group: 'layout' },
  /** Cards in a grid, each with a short title. */
  card_grid: { group: 'layout' },
  /** Statements, people and figures in the rows of tables. */
  tables: { group: 'layout' },
  /** Pages that are stored on their side and turned for display. */
  rotated_pages: {},
  letter_spaced_headings: {},
  /** A footer with © and the date, and a header with the company, on each page. */
  running_footer: {},
  name_only_in_domain: { group: 'name' },
  /** The name stands on the cover as a picture, and nowhere else. */
  name_only_in_picture: { group: 'name', needsOcr: true },
  /** The sum stands on the cover alone. */
  ask_on_cover: { group: 'ask' },
  /** The sum stands in the footer alone. */
  ask_in_footer: { group: 'ask' },
  /** The slide about the round names its parts beside the total. */
  parts_of_ask: { group: 'ask' },
  other_currency: {},
  blank_last_page: {},
  /** The table of the places of objects is wrong. */
  wrong_xref: {},
  /** Spanish, French, Portuguese, Polish, Italian or Dutch. */
  other_language: { group: 'story', otherStory: true },
  /** A template to be filled in, without a company. */
  template: { group: 'story', otherStory: true },
  /** Fonts without a map from their glyphs to characters, or with a wrong one. */
  broken_character_map: { group: 'glyphs', needsOcr: true },
  /** Letters drawn as outlines. */
  text_as_paths: { group: 'glyphs', needsOcr: true },
  /** Competitors beside one another in a table with headings. */
  competitor_table: { topic: true },
  /** Figures of market size in circles or bars. */
  market_circles: { topic: true },
  /** A pie of the use of funds whose names and shares stand in a legend. */
  legend_beside_pie: { topic: true },
  /** Founders, staff and advisors on cards with portraits. */
  person_cards: { topic: true },
  /** The name is a white logo on a dark cover; in text it stands on later slides. */
  white_logo: { group: 'name', topic: true },
  /** Screens of the product, whose words are no statements of the deck. */
  mock_up_text: { topic: true },
  /** Prices on the cards of plans. */
  pricing_cards: { topic: true },
  /** Spending, burn and cash in a table or in number boxes. */
  burn_table: { topic: true },
  /** Plans stand beside achievements. */
  plans_beside_traction: { topic: true },
  /** Groups of customers on cards or in a list. */
  customer_segments: { topic: true },
  /** Round and state of the product as steps or lines. */
  stage_line: { topic: true },
} as const satisfies Record<string, TraitFacts>;

/** A trait; `export_<program>`: text in the order in which the program writes it. */
export type Trait = keyof typeof TRAIT_FACTS | `export_${Exporter}`;

const factsOf = new Map<Trait, TraitFacts>([
  ...Object.entries(TRAIT_FACTS).map(([trait, facts]) => [trait as Trait, facts as TraitFacts] as const),
  ...Object.keys(EXPORTERS).map((name) => [`export_${name as Exporter}`, { group: 'exporter' }] as const),
]);

/** All traits. */
export const TRAITS: readonly Trait[] = [...factsOf.keys()];

const has = (trait: Trait, fact: 'needsOcr' | 'otherStory' | 'topic'): boolean => factsOf.get(trait)?.[fact] === true;

/** Traits of which some words can only be read in the pictures of the pages. */
export const OCR_TRAITS: readonly Trait[] = TRAITS.filter((trait) => has(trait, 'needsOcr'));

/** Traits of decks that are read without character recognition and of which every question can be asked. */
export const READABLE_TRAITS: readonly Trait[] = TRAITS.filter(
  (trait) => !has(trait, 'needsOcr') && !has(trait, 'otherStory') && !has(trait, 'topic'),
);

/** Traits of slides about topics, of which the truth names the facts. Decks have them by name, or as `topicTraitsOf` draws them. */
export const TOPIC_TRAITS: readonly Trait[] = TRAITS.filter((trait) => has(trait, 'topic'));

/** Most traits of one deck. */
const MOST = 5;

/** The traits of a seed: two to five that can stand together. */
export function traitsOf(seed: number, from: readonly Trait[] = READABLE_TRAITS): Trait[] {
  const random = randomFrom(`traits/${seed}`);
  return drawnFrom(from, random.int(2, MOST), random);
}

/** Traits that can stand together with those of topics and leave their slides as they are. */
const BESIDE_TOPICS: readonly Trait[] = [
  'letter_spaced_headings',
  'running_footer',
  'rotated_pages',
  'other_currency',
  ...Object.keys(EXPORTERS).map((name) => `export_${name as Exporter}` as const),
];

/** Traits of topics that a seed draws, three to seven, with none to two others. */
export function topicTraitsOf(seed: number): Trait[] {
  const random = randomFrom(`topic-traits/${seed}`);
  return [...drawnFrom(TOPIC_TRAITS, random.int(3, 7), random), ...drawnFrom(BESIDE_TOPICS, random.int(0, 2), random)];
}

function drawnFrom(from: readonly Trait[], most: number, random: Random): Trait[] {
  const drawn: Trait[] = [];
  for (const trait of random.shuffle(from)) {
    const group = factsOf.get(trait)?.group;
    const taken = group !== undefined && drawn.some((other) => factsOf.get(other)?.group === group);
    if (!taken && drawn.length < most) drawn.push(trait);
  }
  return drawn;
}
