/**
 * Decks in bulk: a very long one for endurance tests, and many short ones of which no two pages are alike for benchmarks.
 *
 * They need not tell a pitch. The benchmark decks look like real pages to a renderer: photo-like pictures, gradients, text and a chart.
 */
import sharp from 'sharp';
import { drawWithTruth } from './deck-pdf.ts';
import { drawChart } from './charts.ts';
import { deckOf, type GeneratedDeck } from './generate.ts';
import { PAGE_HEIGHT, PAGE_WIDTH, Pen } from './pen.ts';
import { randomFrom, type Random } from './random.ts';
import { randomTheme } from './seeded/looks.ts';
import { pitchOf, type Pitch } from './seeded/pitch.ts';
import type { SlideSpec } from './spec.ts';

const SITES = 'Aarhus Bergen Cork Delft Evora Fulda Ghent Halle Izmir Jena Kaunas Linz Malmo Nantes'.split(' ');
const SUBJECTS = [
  'enrolment',
  'device uptime',
  'support tickets',
  'staff training',
  'order volume',
  'user interviews',
  'shift planning',
];
const REMARKS = [
  'Two visits were needed to complete the installation.',
  'Staff asked for a printed guide beside the workstation.',
  'The network had to be opened for one more port.',
  'Usage rises after the monthly refresher course.',
  'One delivery arrived late because of a strike.',
  'The night team uses the system more than the day team.',
];

/** A page of site data; the running number in its title makes it unlike every other. */
function appendixSlide(number: number, random: Random): SlideSpec {
  const site = random.pick(SITES);
  const quarters = ['Q1', 'Q2', 'Q3', 'Q4'];
  const values = quarters.map(() => random.int(20, 990));
  return {
    kind: 'content',
    title: `Appendix ${number}: ${random.pick(SUBJECTS)} at the ${site} site`,
    columns: [
      [
        random.chance(0.5)
          ? {
              type: 'bars',
              title: `Site ${site}, record ${number}`,
              categories: quarters,
              series: [{ name: site, values }],
            }
          : {
              type: 'table',
              head: ['Quarter', 'Count'],
              rows: quarters.map((name, index) => [name, String(values[index])]),
            },
      ],
      [
        {
          type: 'bullets',
          items: [
            ...random.sample(REMARKS, 2),
            `Record ${number} covers ${random.int(12, 96)} days and ${random.int(3, 70)} people.`,
          ],
        },
      ],
    ],
  };
}

/**
 * A deck of the given length (at least 20 slides): the deck of the seed, with an appendix of site data between its pitch and its last slide.
 * The truth is that of the seed's deck.
 */
export async function generateLargeDeck({
  slides,
  seed,
}: {
  readonly slides: number;
  readonly seed: number;
}): Promise<GeneratedDeck> {
  if (slides < 20) throw new RangeError(`a large deck has at least 20 slides, not ${slides}`);
  const deck = deckOf(seed);
  const random = randomFrom(`large/${seed}`);
  const missing = slides - deck.slides.length;
  const appendix = Array.from({ length: missing }, (_, index) => appendixSlide(index + 1, random));
  const long = { ...deck, slides: [...deck.slides, ...appendix] };
  return { ...(await drawWithTruth(long, { compress: true })), traits: [] };
}

/** A picture of soft shapes in kindred colours, as a photograph is to a decoder. */
async function photo(random: Random): Promise<Buffer> {
  const [columns, rows] = [9, 5];
  const base = [random.int(60, 200), random.int(60, 200), random.int(60, 200)];
  const coarse = new Uint8ClampedArray(columns * rows * 3);
  for (let at = 0; at < coarse.length; at += 3) {
    const light = random.int(-60, 50);
    for (let channel = 0; channel < 3; channel += 1)
      coarse[at + channel] = (base[channel] ?? 0) + light + random.int(-12, 12);
  }
  return sharp(coarse, { raw: { width: columns, height: rows, channels: 3 } })
    .resize(420, 200, { kernel: 'cubic', fit: 'fill' })
    .jpeg({ quality: 75 })
    .toBuffer();
}

function drawUniqueSlide(pen: Pen, pitch: Pitch, picture: Buffer, number: number): void {
  const { random, phrases, seed } = pitch;
  const { theme, doc } = pen;
  pen.page();
  const gradient = doc.linearGradient(0, 0, PAGE_WIDTH, 120);
  gradient.stop(0, theme.accent).stop(1, theme.second);
  doc.rect(0, 0, PAGE_WIDTH, 92).fill(gradient);
  const answers = random.sample(Object.values(phrases.answers), 4).map((pool) => pitch.say(random.pick(pool)));
  const title = `${random.pick(SITES)} ${seed}-${number}: ${random.pick(SUBJECTS)} ${random.int(100, 999)}`;
  pen.oneLine(title, 40, 30, 880, { size: 28, bold: true, color: '#ffffff' });
  let y = 116;
  for (const answer of answers) y += pen.text(answer, 40, y, 430, { size: 17 }) + 14;
  doc.image(picture, 500, 116, { width: 420, height: 200 });
  const categories = ['A', 'B', 'C', 'D', 'E'];
  const values = categories.map(() => random.int(5, 99));
  drawChart(
    pen,
    { type: 'bars', title: `Series ${seed}/${number}`, categories, series: [{ name: 'Value', values }] },
    { x: 500, y: 330, width: 420, height: 170 },
  );
  pen.oneLine(`${pitch.legal} · ${seed}/${number}`, 40, PAGE_HEIGHT - 28, 600, { size: 10, color: theme.muted });
}

/** A deck for load: every slide differs from every other slide of every other seed. */
export async function generateUniqueDeck({
  slides,
  seed,
}: {
  readonly slides: number;
  readonly seed: number;
}): Promise<Uint8Array> {
  const pitch = pitchOf(seed);
  const theme = { ...randomTheme(pitch.random), font: 'helvetica' as const };
  const pen = new Pen(theme, {
    title: `Load ${seed}`,
    createdAt: new Date(Date.UTC(pitch.year, 0, 1)),
    language: pitch.language,
    compress: true,
  });
  const pictures = await Promise.all(Array.from({ length: slides }, () => photo(pitch.random)));
  pictures.forEach((picture, index) => drawUniqueSlide(pen, pitch, picture, index + 1));
  return pen.finish();
}
