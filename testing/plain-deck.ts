/**
 * Small decks of plain text for tests that are about the pipeline and not about the deck: a health company, five slides, one name.
 *
 * Another name makes another deck: other bytes, other content keys, so that one rig serves many tests without answering from stored
 * results.
 */
import { buffer } from 'node:stream/consumers';
import PDFDocument from 'pdfkit';

/** One slide: a title and lines under it. */
export interface PlainSlide {
  readonly title: string;
  readonly lines: readonly string[];
}

/** Draws slides; equal slides give equal bytes. */
export function drawPlainDeck(slides: readonly PlainSlide[]): Promise<Buffer> {
  const info = { Title: 'deck', CreationDate: new Date(Date.UTC(2026, 0, 1)) };
  const deck = new PDFDocument({ size: [960, 540], margin: 40, autoFirstPage: false, info });
  const bytes = buffer(deck);
  for (const { title, lines } of slides) {
    deck.addPage();
    deck.fontSize(30).text(title, 40, 40);
    deck.fontSize(18);
    lines.forEach((line, index) => deck.text(line, 40, 120 + index * 40));
  }
  deck.end();
  return bytes;
}

/** Slides of a digital-health company of the given name, which stands on every slide and where answers are quoted from. */
export function plainSlides(company: string): PlainSlide[] {
  return slidesOf(company).map(({ title, lines }) => ({ title, lines: [...lines, `${company} GmbH`] }));
}

function slidesOf(company: string): PlainSlide[] {
  return [
    { title: company, lines: [`${company} offers a remote monitoring app for heart failure patients`, 'March 2026'] },
    {
      title: 'Problem',
      lines: [
        'Heart failure patients are readmitted within 30 days in 24 % of cases.',
        'Each readmission costs a hospital 11,400 euros.',
        'Nurses call patients by phone today, once a week at best.',
      ],
    },
    {
      title: 'Solution',
      lines: [
        'Patients wear a patch; our algorithm warns the cardiologist four days ahead.',
        'In a pilot with 212 patients readmissions fell by 38 %.',
        'Competitors sell scales and need the patient to remember them.',
      ],
    },
    {
      title: 'Business model',
      lines: [
        `Hospitals pay ${company} 45 euros per patient and month.`,
        `14 hospitals are paying customers of ${company}, none has churned.`,
        'Monthly burn is 140,000 euros.',
      ],
    },
    {
      title: 'The ask',
      lines: [
        'We are raising 4.5 million euros.',
        'Half goes to sales, a third to clinical studies.',
        'Team: 11 people, led by Dr. Ines Falk, cardiologist for 15 years.',
      ],
    },
  ];
}

/** The plain deck of a company. */
export const plainDeck = (company: string): Promise<Buffer> => drawPlainDeck(plainSlides(company));
