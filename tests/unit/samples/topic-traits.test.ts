/** Traits of slides about topics: what they draw can be read on the page, within the box that the truth names, and the truth names all of it. */
import { expect, it } from 'vitest';
import { TOPIC_NAMES, type TopicFact, type TopicName, type TopicPlace } from '../../../domain/evaluation/deck-truth.ts';
import type { PageLayout } from '../../../domain/pages/page.ts';
import { drawWithTruth } from '../../../samples/generator/deck-pdf.ts';
import { deckOf, generateDeck, type GeneratedDeck } from '../../../samples/generator/generate.ts';
import { TOPIC_WORDS } from '../../../samples/generator/seeded/topics/words.ts';
import type { Block, DeckSpec, SlideSpec } from '../../../samples/generator/spec.ts';
import { TOPIC_TRAITS, topicTraitsOf, type Trait } from '../../../samples/generator/traits.ts';
import { layoutsOf } from '../../../testing/read-pdf.ts';
import { propertyRuns } from '../../../testing/tier.ts';

const SEEDS = Array.from({ length: propertyRuns(400, 80) }, (_, seed) => seed);

/** Roles of advisors whose cards have none. */
const UNWRITTEN_ROLES = Object.values(TOPIC_WORDS).map(({ advisorRoles }) => advisorRoles[0]);

type Content = Extract<SlideSpec, { kind: 'content' }>;

const bare = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}%€$£₹]/gu, '');

/** Words of a page, those in a box where one is given, in reading order and without blanks. */
function textIn({ widthPt, heightPt, words, blocks }: PageLayout, box: TopicPlace['box'] = [0, 0, 1, 1]): string {
  const read = blocks.flatMap(({ lines }) => lines.flat(2).flatMap((index) => words[index] ?? []));
  const inside = read.filter(({ box: [left, top, right, bottom] }) => {
    const [x, y] = [(left + right) / 2 / widthPt, (top + bottom) / 2 / heightPt];
    return x >= box[0] && x <= box[2] && y >= box[1] && y <= box[3];
  });
  return bare(inside.map(({ text }) => text).join(' '));
}

function expectWords(text: string, words: string, context: string): void {
  for (const word of words.split(/\s+/u)) expect(text, `${context}: ${words}`).toContain(bare(word));
}

const hasTopics = ({ topics }: Content): boolean => topics !== undefined;
const hasScreen = ({ columns }: Content): boolean => columns.flat().some(({ type }) => type === 'mock_up');

const blocksOf = ({ slides }: DeckSpec): Block[] =>
  slides.flatMap((slide) => (slide.kind === 'content' ? slide.columns.flat() : []));

/** The facts of a topic that the slides of a deck write down. */
function statedIn<T extends TopicName>({ slides }: DeckSpec, topic: T): TopicFact<T>[] {
  return slides.flatMap((slide) =>
    slide.kind === 'content' ? ((slide.topics?.[topic] ?? []) as readonly TopicFact<T>[]) : [],
  );
}

/** The facts of a truth stand in their boxes, and the words of screens in theirs. */
function expectOnPages(
  { truth, traits, mockUps }: Omit<GeneratedDeck, 'pdf'>,
  layouts: readonly PageLayout[],
  seed: number,
): void {
  const pageOf = ({ slide }: TopicPlace): PageLayout => {
    const page = layouts[slide - 1];
    if (page === undefined) throw new RangeError(`seed ${seed} has no slide ${slide}`);
    return page;
  };
  const { topics = {} } = truth;
  for (const topic of TOPIC_NAMES) {
    const facts: readonly (TopicFact & { readonly places: readonly TopicPlace[] })[] = topics[topic] ?? [];
    for (const fact of facts) {
      const context = `seed ${seed} [${traits.join(' ')}] ${topic}`;
      for (const place of fact.places) {
        expect(place.box, `${context}: ${JSON.stringify(fact)}`).toBeDefined();
        const [page, inBox] = [textIn(pageOf(place)), textIn(pageOf(place), place.box)];
        if ('name' in fact) expectWords(inBox, fact.name, context);
        if ('text' in fact) expectWords(inBox, fact.text, context);
        if ('role' in fact && !UNWRITTEN_ROLES.includes(fact.role)) expectWords(inBox, fact.role, context);
        if ('share' in fact && fact.share !== null) expectWords(page, `${fact.share}%`, context);
      }
    }
  }
  for (const { place, words } of mockUps)
    for (const text of words) expectWords(textIn(pageOf(place), place.box), text, `seed ${seed}, screen`);
}

it('a seed draws three to seven traits of topics and up to two others, and all of them come', () => {
  const drawn = SEEDS.map((seed) => topicTraitsOf(seed));
  for (const traits of drawn) {
    const ofTopics = traits.filter((trait) => TOPIC_TRAITS.includes(trait));
    expect(ofTopics.length).toBeGreaterThanOrEqual(3);
    expect(ofTopics.length).toBeLessThanOrEqual(7);
    expect(traits.length - ofTopics.length).toBeLessThanOrEqual(2);
    expect(new Set(traits).size).toBe(traits.length);
  }
  expect(new Set(drawn.flat().filter((trait) => TOPIC_TRAITS.includes(trait)))).toEqual(new Set(TOPIC_TRAITS));
});

it('the facts of the truth stand on the page, each within its box, and so do the words of screens', async () => {
  for (let seed = 1; seed <= propertyRuns(60, 2, 20); seed += 1) {
    const traits = seed % 3 === 0 ? topicTraitsOf(seed) : TOPIC_TRAITS;
    const deck = deckOf(seed, traits);
    const slides = deck.slides.filter((slide) => slide.kind === 'content' && (hasTopics(slide) || hasScreen(slide)));
    const drawn = await drawWithTruth({ ...deck, slides }, { compress: true });
    expectOnPages({ ...drawn, traits }, await layoutsOf(drawn.pdf), seed);
  }
});

it('the same seed and traits of topics give the same deck again', async () => {
  const deck = { seed: 31, traits: topicTraitsOf(31) };
  expect(await generateDeck(deck)).toEqual(await generateDeck(deck));
});

it('the truth names each competitor, market size, use and person that is drawn, and no word of a screen', () => {
  for (const seed of SEEDS) {
    const deck = deckOf(seed, TOPIC_TRAITS);
    const drawn = blocksOf(deck).flatMap((block): (readonly [TopicName, readonly string[]])[] => {
      switch (block.type) {
        case 'comparison':
          return [['competition', block.companies.flatMap(({ name, isOwn }) => (isOwn ? [] : [name]))]];
        case 'market':
          return [['market', block.items.map(({ name }) => name)]];
        case 'pie':
          return [['use_of_funds', block.points.map(({ name }) => name)]];
        case 'persons':
          return [['team', block.items.map(({ name }) => name)]];
        default:
          return [];
      }
    });
    expect(new Set(drawn.map(([topic]) => topic)).size).toBe(4);
    for (const [topic, names] of drawn) {
      const named = statedIn(deck, topic).map((fact) => ('name' in fact ? fact.name : fact.text));
      expect(named).toEqual(expect.arrayContaining([...names]));
    }
    const screens = blocksOf(deck).flatMap((block) =>
      block.type === 'mock_up' ? block.rows.flatMap(({ text, detail }) => [text, detail]) : [],
    );
    expect(screens.length).toBeGreaterThan(0);
    const facts = TOPIC_NAMES.flatMap((topic) => statedIn(deck, topic)).flatMap((fact) => Object.values(fact));
    for (const words of screens) expect(facts).not.toContain(words);
  }
});

it('shares of uses add up, amounts of uses are parts of the sum, market sizes fall, and plans are told from what is reached', () => {
  for (const seed of SEEDS) {
    const deck = deckOf(seed, TOPIC_TRAITS);
    const uses = statedIn(deck, 'use_of_funds');
    expect(uses.reduce((sum, { share }) => sum + (share ?? 0), 0)).toBe(100);
    for (const { amount, currency } of uses) expect(amount === null).toBe(currency === null);
    const given = uses.reduce((sum, { amount }) => sum + (amount ?? 0), 0);
    if (given > 0) expect(given / (deck.facts.amount ?? 0)).toBeCloseTo(1, 1);
    const sizes = statedIn(deck, 'market').flatMap(({ amount }) => amount ?? []);
    expect(sizes).toHaveLength(3);
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
    expect(new Set(statedIn(deck, 'traction').map(({ plan }) => plan))).toEqual(new Set([true, false]));
    expect(statedIn(deck, 'customers').length).toBeGreaterThanOrEqual(2);
    expect(statedIn(deck, 'stage').length).toBeGreaterThanOrEqual(1);
  }
});

it('each layout of each block comes, in both languages', () => {
  const seen = new Set<string>();
  for (const seed of SEEDS) {
    const deck = deckOf(seed, TOPIC_TRAITS);
    for (const block of blocksOf(deck)) {
      const layouts = ((): string[] => {
        switch (block.type) {
          case 'comparison': {
            const cells = block.companies.flatMap((company) => company.cells);
            const signs = cells.includes('✓') ? 'signs' : cells.some((cell) => /\d/u.test(cell)) ? 'figures' : 'words';
            return [`comparison in ${block.companiesIn}`, `comparison by ${signs}`];
          }
          case 'market':
            return [`market ${block.form} ${block.words}`];
          case 'pie':
            return [`pie, legend ${block.legend}`, `pie, ${block.entry}`];
          case 'persons':
            return [`persons ${block.form}`, `persons, role ${block.role}`, `persons, portrait ${block.portrait}`];
          case 'mock_up':
            return [`mock-up ${block.device}`];
          case 'plans':
            return [`plans, ${block.first} first`];
          default:
            return [];
        }
      })();
      for (const layout of layouts) seen.add(`${deck.language} ${layout}`);
    }
  }
  expect([...seen].filter((layout) => layout.startsWith('en')).length).toBe(seen.size / 2);
  expect(seen.size / 2).toBe(5 + 6 + 8 + 8 + 4 + 2);
});

it.each<[Trait, TopicName]>([
  ['competitor_table', 'competition'],
  ['legend_beside_pie', 'use_of_funds'],
  ['plans_beside_traction', 'traction'],
  ['customer_segments', 'customers'],
  ['stage_line', 'stage'],
])('a deck with %s alone writes down its facts of %s', async (trait, topic) => {
  const { truth, traits } = await generateDeck({ seed: 5, traits: [trait] });
  expect(traits).toEqual([trait]);
  expect(truth.topics?.[topic]?.length).toBeGreaterThan(0);
});

it('a white logo is no text of the cover, and the name stands in the text of later slides', async () => {
  for (const seed of [4, 5]) {
    const deck = deckOf(seed, ['white_logo']);
    const { pdf, truth } = await drawWithTruth({ ...deck, slides: deck.slides.slice(0, 2) }, { compress: true });
    const [cover, second] = (await layoutsOf(pdf)).map((page) => textIn(page));
    const name = bare(truth.company ?? '-');
    expect(cover).not.toContain(name);
    expect(second).toContain(name);
    expect(truth.places.company?.slide).toBeGreaterThan(1);
  }
});
