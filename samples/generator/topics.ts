/**
 * The facts that a deck states of its topics, with their places: the slides say what they state, and the drawing says where.
 */
import { MOCK_UP_ENTRY } from './topic-blocks/mock-up.ts';
import { type Box, type EntryListener, PAGE_HEIGHT, PAGE_WIDTH } from './pen.ts';
import type { Block, DeckSpec, SlideTopics } from './spec.ts';
import { DeckTopics, type TopicFact, TOPIC_NAMES, type TopicPlace } from '../../domain/evaluation/deck-truth.ts';

/** A screen that is drawn on a slide: its words belong to the product. */
export interface DrawnMockUp {
  readonly place: TopicPlace;
  readonly words: readonly string[];
}

/** Words without the full stop that a layout may drop. */
const keyOf = (slide: number, words: string): string => `${slide}/${words.replace(/\.$/u, '')}`;

const round = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * 1e4) / 1e4;

/** Where entries of blocks were drawn, as fractions of the page. */
export class DrawnEntries {
  readonly #boxes = new Map<string, NonNullable<TopicPlace['box']>>();

  /** Takes the entries of a drawing. */
  readonly listener: EntryListener = (slide, entry, { x, y, width, height }: Box) => {
    const [left, top] = [round(x / PAGE_WIDTH), round(y / PAGE_HEIGHT)];
    const [right, bottom] = [round((x + width) / PAGE_WIDTH), round((y + height) / PAGE_HEIGHT)];
    this.#boxes.set(keyOf(slide, entry), [left, top, right, bottom]);
  };

  /** The place of an entry; without a box where no block drew these words as an entry. */
  placeOf(slide: number, entry: string): TopicPlace {
    const box = this.#boxes.get(keyOf(slide, entry));
    return { slide, ...(box === undefined ? {} : { box }) };
  }
}

/** The words by which a fact is known among the entries of a slide. */
const wordsOf = (fact: TopicFact): string => ('name' in fact ? fact.name : fact.text);

/** Facts of all topics that some slide writes down, each fact once with its places; undefined where no slide does. */
export function topicsOf(deck: DeckSpec, drawn: DrawnEntries): DeckTopics | undefined {
  const topics: Record<string, (TopicFact & { places: TopicPlace[] })[]> = {};
  deck.slides.forEach((slide, index) => {
    const stated: SlideTopics = slide.kind === 'content' ? (slide.topics ?? {}) : {};
    for (const topic of TOPIC_NAMES) {
      for (const fact of stated[topic] ?? []) {
        const facts = (topics[topic] ??= []);
        const place = drawn.placeOf(index + 1, wordsOf(fact));
        const known = facts.find((other) => wordsOf(other) === wordsOf(fact));
        if (known === undefined) facts.push({ ...fact, places: [place] });
        else known.places.push(place);
      }
      if (stated[topic] !== undefined) topics[topic] ??= [];
    }
  });
  return Object.keys(topics).length === 0 ? undefined : DeckTopics.parse(topics);
}

function wordsOfScreen({ title, menu, rows, button }: Extract<Block, { type: 'mock_up' }>): string[] {
  return [title, ...menu, ...rows.flatMap(({ text, detail }) => [text, detail]), button];
}

/** The mock-ups of a deck. A slide has one at most. */
export function mockUpsOf(deck: DeckSpec, drawn: DrawnEntries): DrawnMockUp[] {
  return deck.slides.flatMap((slide, index) =>
    (slide.kind === 'content' ? slide.columns.flat() : []).flatMap((block) =>
      block.type === 'mock_up' ? [{ place: drawn.placeOf(index + 1, MOCK_UP_ENTRY), words: wordsOfScreen(block) }] : [],
    ),
  );
}
