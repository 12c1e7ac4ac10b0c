/**
 * Where on its slides a deck says something.
 */
import { capital } from './seeded/pitch.ts';
import type { Block, SlideSpec } from './spec.ts';
import type { FactPlace } from '../../domain/evaluation/deck-truth.ts';

/** The first slide whose words hold the text. */
export function placeOf(slides: readonly SlideSpec[], footer: string, text: string): FactPlace {
  const index = slides.findIndex((slide) => slideWords(slide, footer).includes(text));
  if (index < 0) throw new RangeError(`no slide says: ${text}`);
  return { slide: index + 1, text };
}

/** The offering with the first letter as it stands on the slide. */
export function offeringPlace(slides: readonly SlideSpec[], footer: string, offering: string): FactPlace {
  const lower = slides.some((slide) => slideWords(slide, footer).includes(offering));
  return placeOf(slides, footer, lower ? offering : capital(offering));
}

function blockWords(block: Block): string[] {
  switch (block.type) {
    case 'paragraph':
    case 'heading':
    case 'callout':
    case 'note':
      return [block.text];
    case 'bullets':
      return [...block.items];
    case 'stats':
      return block.items.flatMap((item) => [item.value, item.label]);
    case 'cards':
      return block.items.flatMap((item) => [item.title, item.text]);
    case 'people':
      return block.items.flatMap((item) => [item.name, item.role, item.text]);
    case 'timeline':
      return block.items.flatMap((item) => [item.when, item.what]);
    case 'quote':
      return [block.text, block.by];
    case 'table':
      return [block.head, ...block.rows].flat();
    case 'bars':
    case 'lines':
      return [block.title, ...block.categories, ...block.series.map((one) => one.name)];
    case 'donut':
      return [block.title, ...block.points.map((point) => point.label)];
    case 'comparison':
      return [block.corner, ...block.criteria, ...block.companies.flatMap(({ name, cells }) => [name, ...cells])];
    case 'market':
      return block.items.flatMap(({ name, figure, note }) => [name, figure, note]);
    case 'pie':
      return [block.title, ...block.points.flatMap(({ name, shown, amount = '' }) => [name, shown, amount])];
    case 'persons':
      return block.items.flatMap(({ name, role, text }) => [name, role, text]);
    case 'plans':
      return block.items.flatMap(({ name, price, per, features, badge = '' }) => [
        name,
        price,
        per,
        badge,
        ...features,
      ]);
    // The words of a screen are no statements of the deck.
    case 'mock_up':
      return [];
  }
}

/** All words of a slide, one statement per line, the footer last on slides that have one. */
function slideWords(slide: SlideSpec, footer: string): string {
  switch (slide.kind) {
    case 'cover':
      return [slide.title, slide.subtitle, ...slide.lines].join('\n');
    case 'statement':
      return [slide.kicker ?? '', slide.text, ...slide.lines].join('\n');
    case 'content':
      return [slide.title, ...slide.columns.flat().flatMap(blockWords), footer].join('\n');
  }
}
