/**
 * Documents that the API gave (tests/pages/record-documents.ts): two versions of Pulsara's deck and two sample decks. Each is checked by its schema when it
 * is first read, so a schema that changes asks for a new recording.
 */
import { z } from 'zod';
import { calibrationSchema } from '../../../api/calibration/schemas.ts';
import { companyDetailsSchema, companyPageSchema } from '../../../api/companies/schemas.ts';
import type { CostsDocument } from '../../../api/costs/schemas.ts';
import { analysisPageSchema } from '../../../api/decks/analyses/schemas.ts';
import { slideListSchema, slideWordsSchema } from '../../../api/decks/files/schemas.ts';
import { facetsSchema, portfolioSchema } from '../../../api/decks/list/schemas.ts';
import { viewListSchema } from '../../../api/views/schemas.ts';
import { comparisonSchema } from '../../../domain/decks/compare/comparison.ts';
import { type DeckEntry, deckEntryPageSchema } from '../../../domain/decks/list/entry.ts';
import { analysisReportSchema } from '../../../domain/decks/report.ts';
import { humanVerdictSchema } from '../../../domain/decks/verdicts/human-verdict.ts';
import type { Answers } from './api.ts';

const FILES = import.meta.glob<unknown>('../documents/*.json', { eager: true, import: 'default' });

/** Reads a recorded document, which is checked once; each call gives a copy of its own. */
function recorded<T>(name: string, schema: z.ZodType<T>): () => T {
  let checked: T | undefined;
  return () => structuredClone((checked ??= schema.parse(FILES[`../documents/${name}.json`])));
}

const listOf = <T>(schema: z.ZodType<T>) => z.object({ items: z.array(schema) });

/** The recorded documents. */
export const documents = {
  /** Four decks, the newest first: Pulsara 2027, Pulsara 2026, Quayline, CardioSense. */
  decks: recorded('decks', deckEntryPageSchema),
  facets: recorded('facets', facetsSchema),
  portfolio: recorded('portfolio', portfolioSchema),
  people: recorded('people', listOf(z.object({ name: z.string() }))),
  views: recorded('views', viewListSchema),
  samples: recorded('samples', listOf(z.object({ name: z.string(), fileName: z.string(), slides: z.number() }))),
  companies: recorded('companies', companyPageSchema),
  /** Pulsara, with its two decks. */
  company: recorded('company', companyDetailsSchema),
  calibration: recorded('calibration', calibrationSchema),
  /** Of Pulsara 2026, as are the following. */
  slides: recorded('slides', slideListSchema),
  /** Words of the second slide. */
  words: recorded('words', slideWordsSchema),
  verdicts: recorded('verdicts', listOf(humanVerdictSchema)),
  runs: recorded('runs', analysisPageSchema),
  report: recorded('report', analysisReportSchema),
  /** Of Pulsara 2027. */
  laterReport: recorded('later-report', analysisReportSchema),
  /** Pulsara 2026 against Pulsara 2027. */
  comparison: recorded('comparison', comparisonSchema),
};

/** The recorded entry of a deck, by its file name. @throws Error for an unknown one */
export function deckNamed(fileName: string): DeckEntry {
  const found = documents.decks().items.find((deck) => deck.fileName === fileName);
  if (found === undefined) throw new Error(`no recorded deck is called ${fileName}`);
  return found;
}

const NO_COSTS: CostsDocument = {
  by: 'analysis',
  scope: 'acme',
  from: '2026-01-01T00:00:00.000Z',
  until: '2026-02-01T00:00:00.000Z',
  timezone: 'UTC',
  currency: 'USD',
  totalUsd: '0',
  kinds: {},
  items: [],
  more: 0,
  moreUsd: '0',
};

/** Answers with the recorded documents, for every page: what a test is not about. Its own answers replace them. */
export function recordedAnswers(): Answers {
  const [decks, report, laterReport] = [documents.decks(), documents.report(), documents.laterReport()];
  return {
    'GET /decks': decks,
    'GET /decks/facets': documents.facets(),
    'GET /decks/portfolio': documents.portfolio(),
    'GET /decks/:deck': ({ params }) =>
      decks.items.find(({ id }) => id === params['deck']) ?? deckNamed('Pulsara 2026.pdf'),
    'GET /decks/:deck/slides': documents.slides(),
    'GET /decks/:deck/slides/:slide/words': documents.words(),
    'GET /decks/:deck/verdicts': ({ params }) =>
      params['deck'] === report.deck.id ? documents.verdicts() : { items: [] },
    'GET /analyses': documents.runs(),
    'GET /analyses/:analysis/report': ({ params }) =>
      params['analysis'] === laterReport.analysisId ? laterReport : report,
    'GET /analyses/:a/compare/:b': documents.comparison(),
    'GET /costs': NO_COSTS,
    'GET /people': documents.people(),
    'GET /views': documents.views(),
    'GET /samples': documents.samples(),
    'GET /companies': documents.companies(),
    'GET /companies/:company': documents.company(),
    'GET /calibration': documents.calibration(),
  };
}
