/**
 * Lays the statements of a finished slide out anew: in narrow columns, boxes with a number above its label, a grid of cards, or tables. The
 * words stay the same, so what the slide answers does too.
 */
import type { Random } from '../random.ts';
import type { Block, SlideSpec } from '../spec.ts';
import type { Trait } from '../traits.ts';
import type { Phrases } from './phrases.ts';

type Content = Extract<SlideSpec, { kind: 'content' }>;
type Layout = Extract<Trait, 'columns' | 'number_boxes' | 'card_grid' | 'tables'>;

const LAYOUTS: readonly Layout[] = ['columns', 'number_boxes', 'card_grid', 'tables'];
const MOST_COLUMNS = 3;
const MOST_BOXES = 4;

/** A label with its value: "Monthly net burn: €40,000." */
const LABELLED = /^(?<label>[^:.]{4,50}): (?<value>[^:]{1,28}\d[^:]{0,14}?)\.?$/u;
/** A number with what it counts: "31 customers pay for it." */
const COUNTED = /^(?<value>\d[\d.,]*(?:%| %)?) (?<label>\p{L}.{4,60}?)\.?$/u;

interface Figure {
  readonly value: string;
  readonly label: string;
}

function figureOf(text: string): Figure | null {
  const { value, label } = (LABELLED.exec(text) ?? COUNTED.exec(text))?.groups ?? {};
  return value === undefined || label === undefined ? null : { value, label };
}

/** The statements of a block that is a list of them. */
function statementsOf(block: Block): readonly string[] {
  switch (block.type) {
    case 'bullets':
      return block.items;
    case 'cards':
      return block.items.map(({ text }) => text);
    case 'paragraph':
      return [block.text];
    default:
      return [];
  }
}

const isList = (block: Block): boolean => statementsOf(block).length > 0;

/** Deals statements into two or three columns, beside what else the slide has. */
function inColumns(slide: Content, statements: readonly string[], others: readonly Block[]): Content {
  const width = Math.max(1, Math.min(MOST_COLUMNS - others.length, statements.length));
  if (others.length >= MOST_COLUMNS || width + others.length < 2) return slide;
  const columns = Array.from({ length: width }, (_, column): Block[] =>
    statements.filter((_, index) => index % width === column).map((text) => ({ type: 'paragraph', text })),
  );
  const { split: _, ...rest } = slide;
  return { ...rest, columns: [...columns, ...others.map((block) => [block])] };
}

function inBoxes(statements: readonly string[]): Block[] {
  const figures = statements.map(figureOf);
  const boxes = figures.filter((figure) => figure !== null).slice(0, MOST_BOXES);
  const rest = statements.filter((_, index) => !boxes.includes(figures[index] as Figure));
  return [
    ...(boxes.length === 0 ? [] : [{ type: 'stats' as const, items: boxes }]),
    ...(rest.length === 0 ? [] : [{ type: 'bullets' as const, items: rest }]),
  ];
}

function inCards(statements: readonly string[], titles: readonly string[]): Block[] {
  return [{ type: 'cards', items: statements.map((text, index) => ({ title: titles[index] ?? '', text })) }];
}

function inRows(statements: readonly string[], { words }: Phrases): Block[] {
  const figures = statements.map(figureOf).filter((figure) => figure !== null);
  if (figures.length < 2) return [{ type: 'bullets', items: statements }];
  const rest = statements.filter((text) => figureOf(text) === null);
  return [
    { type: 'table', head: [words.criterion, words.sum], rows: figures.map(({ label, value }) => [label, value]) },
    ...(rest.length === 0 ? [] : [{ type: 'bullets' as const, items: rest }]),
  ];
}

/** People as a table of names, roles and what they did. */
function peopleInRows(block: Block, { words }: Phrases): Block {
  if (block.type !== 'people') return block;
  const rows = block.items.map(({ name, role, text }) => [name, role, text]);
  return { type: 'table', head: [words.person, words.role, words.background], rows };
}

/** The slides of a deck, laid out by its trait; as they are without one. */
export function laidOut(
  slides: readonly SlideSpec[],
  traits: ReadonlySet<Trait>,
  phrases: Phrases,
  random: Random,
): SlideSpec[] {
  const layout = LAYOUTS.find((each) => traits.has(each));
  if (layout === undefined) return [...slides];
  return slides.map((slide) => {
    if (slide.kind !== 'content') return slide;
    const blocks = slide.columns.flat();
    const statements = blocks.filter(isList).flatMap(statementsOf);
    const others = blocks.filter((block) => !isList(block));
    if (layout === 'columns') return statements.length < 2 ? slide : inColumns(slide, statements, others);
    const columns = slide.columns.map((column) => {
      const said = column.filter(isList).flatMap(statementsOf);
      const rest = column.filter((block) => !isList(block));
      if (layout === 'tables')
        return [
          ...rest.map((block) => peopleInRows(block, phrases)),
          ...(said.length === 0 ? [] : inRows(said, phrases)),
        ];
      if (said.length < 2) return column;
      return layout === 'number_boxes'
        ? [...rest, ...inBoxes(said)]
        : [...rest, ...inCards(said, random.shuffle(phrases.cardTitles))];
    });
    return { ...slide, columns };
  });
}
