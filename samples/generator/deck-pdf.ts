/**
 * Draws a whole deck: covers, statements and content slides in the theme's look, text in reading order.
 *
 * The result has one page per slide, a real text layer and nothing that depends on the clock or the machine.
 */
import { drawColumn } from './blocks.ts';
import { type EntryListener, PAGE_HEIGHT, PAGE_WIDTH, Pen, type TextStyle } from './pen.ts';
import type { DeckSpec, SlideSpec, Theme } from './spec.ts';
import { DrawnEntries, type DrawnMockUp, mockUpsOf, topicsOf } from './topics.ts';
import { asVisionOnly, DeckTruth, type QuestionSlug } from '../../domain/evaluation/deck-truth.ts';

const MARGIN = 56;
const INNER = PAGE_WIDTH - 2 * MARGIN;
const TITLE_WIDTH = INNER - 30;

type Slide<K extends SlideSpec['kind']> = Extract<SlideSpec, { kind: K }>;

function paintCover(pen: Pen, theme: Theme): { title: string; text: string; width: number } {
  switch (theme.cover) {
    case 'solid':
      pen.page(theme.accent);
      pen.fill({ x: MARGIN, y: 150, width: 90, height: 6 }, theme.second);
      return { title: '#ffffff', text: '#ffffff', width: INNER };
    case 'split':
      pen.page(theme.background);
      pen.fill({ x: 640, y: 0, width: 320, height: PAGE_HEIGHT }, theme.accent);
      pen.disc(800, 270, 92, theme.second);
      pen.disc(800, 270, 58, theme.background);
      pen.disc(800, 270, 24, theme.accent);
      return { title: theme.accent, text: theme.ink, width: 560 };
    case 'band':
      pen.page(theme.background);
      pen.fill({ x: 0, y: 0, width: PAGE_WIDTH, height: 110 }, theme.accent);
      pen.fill({ x: 0, y: 110, width: PAGE_WIDTH, height: 8 }, theme.second);
      return { title: theme.ink, text: theme.muted, width: INNER };
    case 'circles':
      pen.page(theme.background);
      pen.disc(900, 60, 210, theme.panel);
      pen.disc(840, 470, 130, theme.second);
      pen.disc(930, 400, 90, theme.accent);
      return { title: theme.accent, text: theme.ink, width: 640 };
    case 'stripes':
      pen.page(theme.panel);
      for (let index = 0; index < 6; index += 1) {
        const color = index % 2 === 0 ? theme.accent : theme.second;
        pen.fill({ x: 780 + index * 30, y: 60 + index * 50, width: 18, height: 480 - index * 50 }, color);
      }
      return { title: theme.ink, text: theme.ink, width: 690 };
  }
}

const LOGO_SIZE = 46;

/** A page as dark as the ink, with a white sign and white words. Returns the colours of a cover and where its title begins. */
async function paintLogo(
  pen: Pen,
  { words, drawnAs, isCentred }: NonNullable<Slide<'cover'>['logo']>,
): Promise<{ readonly title: string; readonly text: string; readonly width: number; readonly y: number }> {
  pen.page(pen.theme.ink);
  const style: TextStyle = { size: LOGO_SIZE, bold: true, color: '#ffffff' };
  const x = isCentred ? (PAGE_WIDTH - pen.widthOf(words, style)) / 2 : MARGIN + 66;
  const y = isCentred ? 120 : 70;
  pen.disc(x - 40, y + 28, 24, '#ffffff');
  pen.disc(x - 32, y + 20, 12, pen.theme.ink);
  if (drawnAs === 'picture') await pen.picture(words, x, y, style);
  else pen.outlined(words, x, y, style);
  return { title: '#ffffff', text: pen.theme.panel, width: INNER, y: isCentred ? 230 : 190 };
}

async function drawCover(pen: Pen, slide: Slide<'cover'>): Promise<void> {
  const look = slide.logo === undefined ? { ...paintCover(pen, pen.theme), y: 176 } : await paintLogo(pen, slide.logo);
  let { y } = look;
  const size = slide.title.length > 36 ? 36 : 54;
  const style: TextStyle = { size, bold: true, color: look.title };
  const used =
    slide.titleAsPicture === true
      ? await pen.picture(slide.title, MARGIN, y, style)
      : pen.headline(slide.title, MARGIN, y, look.width, style);
  y += used + 14;
  pen.text(slide.subtitle, MARGIN, y, look.width, { size: 22, color: look.text });
  let foot = 478 - (slide.lines.length - 1) * 22;
  for (const line of slide.lines) {
    pen.oneLine(line, MARGIN, foot, look.width, { size: 15, color: look.text });
    foot += 22;
  }
}

function drawStatement(pen: Pen, slide: Slide<'statement'>): void {
  pen.page(pen.theme.accent);
  let y = 150;
  if (slide.kicker !== undefined) {
    pen.oneLine(slide.kicker, MARGIN, y, INNER, { size: 16, bold: true, color: pen.theme.panel });
    y += 34;
  }
  y += pen.text(slide.text, MARGIN, y, INNER - 60, { size: 38, bold: true, color: '#ffffff' }) + 26;
  for (const line of slide.lines) y += pen.text(line, MARGIN, y, INNER - 60, { size: 19, color: '#ffffff' }) + 8;
}

/** Draws the title; returns where the content starts. */
function drawTitle(pen: Pen, slide: Slide<'content'>): number {
  const { theme } = pen;
  const wanted = pen.widthOf(slide.title, { size: 28, bold: true });
  // A title that only just wraps is set a little smaller on one line.
  const size = wanted > TITLE_WIDTH && wanted * 0.8 < TITLE_WIDTH ? (28 * TITLE_WIDTH) / wanted - 0.2 : 28;
  let color = theme.ink;
  let y = 34;
  switch (theme.header) {
    case 'band':
      pen.fill({ x: 0, y: 0, width: PAGE_WIDTH, height: slide.kicker === undefined ? 84 : 98 }, theme.accent);
      color = '#ffffff';
      y = slide.kicker === undefined ? 28 : 22;
      break;
    case 'rail':
      pen.fill({ x: 0, y: 0, width: 16, height: PAGE_HEIGHT }, theme.accent);
      break;
    case 'corner':
      pen.doc
        .moveTo(PAGE_WIDTH - 120, 0)
        .lineTo(PAGE_WIDTH, 0)
        .lineTo(PAGE_WIDTH, 120)
        .closePath()
        .fill(theme.second);
      color = theme.accent;
      break;
    case 'underline':
    case 'plain':
      color = theme.header === 'plain' ? theme.ink : theme.accent;
  }
  if (slide.kicker !== undefined) {
    const kickerColor = theme.header === 'band' ? theme.panel : theme.second;
    pen.oneLine(slide.kicker, MARGIN, y, INNER - 40, { size: 12.5, bold: true, color: kickerColor });
    y += 19;
  }
  y += pen.headline(slide.title, MARGIN, y, TITLE_WIDTH, { size, bold: true, color, lineGap: 2 });
  if (theme.header === 'underline') pen.fill({ x: MARGIN, y: y + 7, width: 64, height: 4 }, theme.second);
  return Math.max(y + 26, theme.header === 'band' ? 116 : 98);
}

function drawContent(pen: Pen, slide: Slide<'content'>, number: number, { footer, header }: DeckSpec): void {
  pen.page();
  const top = drawTitle(pen, slide);
  const gap = 36;
  const weights = slide.split ?? slide.columns.map(() => 1);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const free = INNER - gap * (slide.columns.length - 1);
  let x = MARGIN;
  slide.columns.forEach((blocks, index) => {
    const width = (free * (weights[index] ?? 1)) / total;
    drawColumn(pen, blocks, { x, y: top, width, height: 494 - top });
    x += width + gap;
  });
  const small: TextStyle = { size: 10.5, color: pen.theme.muted, role: 'footer' };
  if (header !== undefined) pen.oneLine(header, PAGE_WIDTH - MARGIN - 300, 12, 300, { ...small, align: 'right' });
  pen.oneLine(footer, MARGIN, 513, INNER - 80, small);
  pen.oneLine(String(number), PAGE_WIDTH - MARGIN - 40, 513, 40, { ...small, align: 'right' });
}

/** How a deck is drawn. */
interface DrawOptions {
  /** Deflate streams. */
  readonly compress: boolean;
  /** Called with where the entries of blocks are drawn. */
  readonly onEntry?: EntryListener;
  /** Called after each slide, to draw more on it; the number is 1-based. */
  readonly onSlide?: (pen: Pen, slide: number) => void;
}

/** Draws a deck. */
export async function drawDeck(deck: DeckSpec, { compress, onSlide, onEntry }: DrawOptions): Promise<Uint8Array> {
  const pen = new Pen(deck.theme, {
    title: deck.metadataTitle,
    createdAt: deck.createdAt,
    language: deck.language,
    compress,
    ...(deck.drawing === undefined ? {} : { drawing: deck.drawing }),
    ...(onEntry === undefined ? {} : { onEntry }),
  });
  for (const [index, slide] of deck.slides.entries()) {
    if (slide.kind === 'cover') await drawCover(pen, slide);
    else if (slide.kind === 'statement') drawStatement(pen, slide);
    else drawContent(pen, slide, index + 1, deck);
    onSlide?.(pen, index + 1);
  }
  if (deck.blankLastPage === true) pen.page('#ffffff');
  return pen.finish();
}

/** The truth about a deck: its stated facts, for each question the slides that answer it, and what it states of its topics. */
function truthOf(deck: DeckSpec, drawn: DrawnEntries): DeckTruth {
  const answered: Partial<Record<QuestionSlug, number[]>> = {};
  deck.slides.forEach((slide, index) => {
    for (const slug of slide.answers ?? []) (answered[slug] ??= []).push(index + 1);
  });
  const topics = topicsOf(deck, drawn);
  const facts = { ...deck.facts, sector: deck.sector, answered, ...(topics === undefined ? {} : { topics }) };
  const slides = deck.slides.length + (deck.blankLastPage === true ? 1 : 0);
  const truth = DeckTruth.parse({ ...facts, language: deck.language, slides });
  if (deck.onlyInPictures === undefined) return truth;
  if (deck.onlyInPictures === 'everything') return asVisionOnly(truth);
  return { ...truth, company: null, places: { ...truth.places, company: null }, visionOnly: facts };
}

/** Draws a deck; gives the truth about it, and the screens of products on its slides. */
export async function drawWithTruth(
  deck: DeckSpec,
  { compress }: { readonly compress: boolean },
): Promise<{ readonly pdf: Uint8Array; readonly truth: DeckTruth; readonly mockUps: readonly DrawnMockUp[] }> {
  const drawn = new DrawnEntries();
  const pdf = await drawDeck(deck, { compress, onEntry: drawn.listener });
  return { pdf, truth: truthOf(deck, drawn), mockUps: mockUpsOf(deck, drawn) };
}
