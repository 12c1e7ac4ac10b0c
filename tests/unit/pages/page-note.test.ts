/** What a reader of the review is told of a page. */
import { expect, it } from 'vitest';
import { pageNoteOf, type PageState } from '../../../domain/pages/page.ts';

const PAGE: PageState = { widthPt: 960, heightPt: 540, source: 'layer', ocr: 'none', readableShare: 1, blank: false };

it.each([
  ['a page whose text layer is its text', PAGE, null],
  ['a page with added words', { ...PAGE, ocr: 'done' as const }, null],
  ['a scan', { ...PAGE, source: 'ocr' as const, ocr: 'done' as const }, 'recognised'],
  ['a photograph', { ...PAGE, source: 'none' as const, ocr: 'done' as const, readableShare: null }, 'no_text'],
  ['a page of which recognition failed', { ...PAGE, ocr: 'failed' as const }, 'not_recognised'],
  ['a blank page', { ...PAGE, source: 'none' as const, readableShare: null, blank: true }, 'blank'],
])('%s', (_, page, note) => expect(pageNoteOf(page)).toBe(note));
