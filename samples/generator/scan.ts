/**
 * Turns a drawn deck into what a scanner makes of its printout: pages that are pictures only, a little skewed, grey and noisy.
 *
 * The pages are rendered by pdfium (WebAssembly) and disturbed by plain arithmetic here, so that the pictures come out the same on every
 * machine. Nothing of the text layer survives.
 */
import { PDFiumLibrary } from '@hyzyla/pdfium';
import PDFDocument from 'pdfkit';
import sharp from 'sharp';
import { PAGE_HEIGHT, PAGE_WIDTH } from './pen.ts';
import { randomFrom } from './random.ts';

const SCAN_WIDTH = 1200;
const SCAN_HEIGHT = 675;

/** Pixels of a picture, three bytes each (red, green, blue). */
interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

async function renderPages(pdf: Uint8Array): Promise<Pixels[]> {
  const library = await PDFiumLibrary.init();
  try {
    const document = await library.loadDocument(pdf);
    const pages: Pixels[] = [];
    for (const page of document.pages()) {
      const image = await page.render({ width: SCAN_WIDTH, height: SCAN_HEIGHT, render: 'bitmap' });
      const data = new Uint8Array(image.width * image.height * 3);
      for (let pixel = 0; pixel < image.width * image.height; pixel += 1) {
        data[pixel * 3] = image.data[pixel * 4] ?? 255;
        data[pixel * 3 + 1] = image.data[pixel * 4 + 1] ?? 255;
        data[pixel * 3 + 2] = image.data[pixel * 4 + 2] ?? 255;
      }
      pages.push({ width: image.width, height: image.height, data });
    }
    document.destroy();
    return pages;
  } finally {
    library.destroy();
  }
}

/** A page as the scanner saw it: rotated by under a degree, shifted, with uneven light, grain and a few specks of dust. */
function scanned(page: Pixels, seed: string): Pixels {
  const random = randomFrom(seed);
  const angle = (random.next() - 0.5) * 0.022;
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  const { width, height } = page;
  const shiftX = random.int(-5, 5) - width / 2;
  const shiftY = random.int(-4, 4) - height / 2;
  const data = new Uint8Array(page.data.length);
  const at = (x: number, y: number, channel: number): number =>
    x < 0 || y < 0 || x >= width || y >= height ? 236 : (page.data[(y * width + x) * 3 + channel] ?? 236);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const fromX = cos * (x + shiftX) - sin * (y + shiftY) + width / 2;
      const fromY = sin * (x + shiftX) + cos * (y + shiftY) + height / 2;
      const left = Math.floor(fromX);
      const top = Math.floor(fromY);
      const dx = fromX - left;
      const dy = fromY - top;
      const light = 0.955 + (0.045 * x) / width - (0.03 * y) / height;
      const grain = (random.next() + random.next() - 1) * 9;
      for (let channel = 0; channel < 3; channel += 1) {
        const upper = at(left, top, channel) * (1 - dx) + at(left + 1, top, channel) * dx;
        const lower = at(left, top + 1, channel) * (1 - dx) + at(left + 1, top + 1, channel) * dx;
        // Ink on paper is never quite black, paper never quite white and a little warm.
        const value = (14 + 0.93 * (upper * (1 - dy) + lower * dy)) * light + grain - (channel === 2 ? 5 : 0);
        data[(y * width + x) * 3 + channel] = Math.max(0, Math.min(255, Math.round(value)));
      }
    }
  }
  for (let speck = 0; speck < 14; speck += 1) {
    const start = (random.int(2, height - 3) * width + random.int(2, width - 3)) * 3;
    data.fill(random.int(90, 150), start, start + random.int(1, 3) * 3);
  }
  return { width, height, data };
}

/** An image-only PDF of a deck. Its metadata are those a scanner writes; `title` is the scanner's file name. */
export async function scanOf(
  pdf: Uint8Array,
  facts: { readonly title: string; readonly createdAt: Date },
): Promise<Uint8Array> {
  const document = new PDFDocument({
    size: [PAGE_WIDTH, PAGE_HEIGHT],
    margin: 0,
    autoFirstPage: false,
    compress: false,
    info: { Title: facts.title, CreationDate: facts.createdAt, Producer: 'deckhand samples', Creator: 'scanner' },
  });
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => {
    document.once('end', resolve);
    document.once('error', reject);
  });
  for (const [index, page] of (await renderPages(pdf)).entries()) {
    const { data, width, height } = scanned(page, `${facts.title}/${index}`);
    const jpeg = await sharp(data, { raw: { width, height, channels: 3 } })
      .jpeg({ quality: 62, mozjpeg: false })
      .toBuffer();
    document.addPage();
    document.image(jpeg, 0, 0, { width: PAGE_WIDTH, height: PAGE_HEIGHT });
  }
  document.end();
  await ended;
  return new Uint8Array(Buffer.concat(chunks));
}
