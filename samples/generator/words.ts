/**
 * The words of a slide as data, to find which slide states a fact before anything is drawn.
 */
import type { Block, SlideSpec } from './spec.ts';

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
  }
}

/** All words of a slide, one statement per line, the footer last on slides that have one. */
export function slideWords(slide: SlideSpec, footer: string): string {
  switch (slide.kind) {
    case 'cover':
      return [slide.title, slide.subtitle, ...slide.lines].join('\n');
    case 'statement':
      return [slide.kicker ?? '', slide.text, ...slide.lines].join('\n');
    case 'content':
      return [slide.title, ...slide.columns.flat().flatMap(blockWords), footer].join('\n');
  }
}
