/**
 * An unfilled template for pitch decks: placeholders and advice in place of a company, a product, figures and dates.
 */
import { randomFrom } from '../random.ts';
import type { DeckSpec, SlideSpec } from '../spec.ts';
import { randomTheme } from './looks.ts';

const COVERS = [
  { title: 'Company Name', subtitle: 'Your tagline goes here', lines: ['Presenter name', 'Month YYYY'] },
  { title: '[Company name]', subtitle: 'One sentence that says what you do', lines: ['Date of the presentation'] },
  { title: 'Pitch Deck Template', subtitle: 'Insert your logo and subtitle', lines: ['Name | Title | Date'] },
] as const;

const PAGES: readonly (readonly [title: string, advice: readonly string[]])[] = [
  ['Problem', ['Describe the pain of your customer in one sentence.', 'Add a statistic that shows how large it is.']],
  ['Solution', ['Explain how your product works.', 'Lorem ipsum dolor sit amet, consectetur adipiscing elit.']],
  ['Market size', ['TAM: $XXB', 'SAM: $XXM', 'SOM: $XXM']],
  ['Business model', ['How do you make money?', 'List your prices and your margin here.']],
  [
    'Traction',
    ['Insert a chart of your growth.', 'Sed do eiusmod tempor incididunt ut labore et dolore magna aliqua.'],
  ],
  ['Competition', ['Competitor A', 'Competitor B', 'You']],
  ['Team', ['Name, title', 'Two lines about relevant experience']],
  ['The ask', ['We are raising $X million', 'Use of funds: XX% product, XX% sales']],
  ['Contact', ['your@email.com', 'www.yourwebsite.com']],
];

/** The template of a seed. It states nothing. */
export function templateDeck(seed: number): DeckSpec {
  const random = randomFrom(`template/${seed}`);
  const form = random.pick(['bullets', 'cards'] as const);
  const slides = PAGES.map(([title, items]): SlideSpec => ({
    kind: 'content',
    title,
    columns: [
      [
        form === 'bullets'
          ? { type: 'bullets', items }
          : { type: 'cards', items: items.map((text, index) => ({ title: `Title ${index + 1}`, text })) },
      ],
    ],
  }));
  const places = { company: null, offering: null, amount: null, date: null };
  return {
    language: 'en',
    theme: randomTheme(random),
    metadataTitle: 'Template',
    footer: random.pick(['Company name | Confidential', 'Footer text', 'Your logo here']),
    createdAt: new Date(Date.UTC(2025, 0, 1)),
    slides: [{ kind: 'cover', ...random.pick(COVERS) }, ...slides],
    sector: null,
    facts: { company: null, offering: null, amount: null, currency: null, date: null, datePrecision: null, places },
  };
}
