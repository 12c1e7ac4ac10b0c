/** Target customers that the reader finds for a profile, by the way a deck names them. */
import { describe, expect, it } from 'vitest';
import { factsOfTopic } from '../../../domain/profile/schema.ts';
import type { Language } from '../../../domain/models/model-tasks.ts';
import { ask, deckOfMarks } from './ask.ts';

const COVER = '# Velhain\n\nVelhain rents bikes at village stations\n\n© Velhain GmbH';

const customers = (slide: string, language: Language = 'en'): string[] =>
  factsOfTopic(ask('extract_profile', deckOfMarks([COVER, slide]), language), 'customers').map(
    ({ name, quote }) => name || `“${quote}”`,
  );

describe('target customers', () => {
  it.each([
    [
      'a column of payers',
      '# Pricing\n\n| Plan | Who pays | Price |\n| Base | Rail company | €90 |\n| Plus | Town council | €240 |',
      ['Rail company', 'Town council'],
    ],
    [
      'rows that are priced by group',
      '# Business model\n\n| Channel | Price |\n| Restaurants | £14 |\n| Wholesalers | £9 |',
      ['Restaurants', 'Wholesalers'],
    ],
    ['the subject of a payment', '# Business model\n\nPrivate insurers pay €290 per case.', ['Private insurers']],
    ['the unit of a price', '# Business model\n\nThe licence costs €49 per clinic and month.', ['clinic']],
    ['a count of those who pay', '# Traction\n\n19 paying farms in two countries', ['farms']],
    [
      'a group that has the problem',
      '# The problem\n\nSmall bakeries lose a tenth of their bread.',
      ['Small bakeries'],
    ],
    ['a run-in heading', '# Business model\n\nWho pays. Nursing homes with 80 beds.', ['Nursing homes with 80 beds.']],
    [
      'a label before its list',
      '# Go-to-market\n\nOur customers: dental practices, clinics',
      ['dental practices, clinics'],
    ],
    [
      'items without a word for a group',
      '# Target customers\n\n- Trucking\n- Cold storage\n- Event logistics',
      ['Trucking', 'Cold storage', 'Event logistics'],
    ],
    [
      'cards of payer and user',
      '# Market\n\nPayer\nHospitals\n\nUser\nNurses\n\nBuyer\nProcurement teams',
      ['Hospitals', 'Nurses', 'Procurement teams'],
    ],
    ['a statement of help', '# Solution\n\nWe help dental practices fill empty slots.', ['dental practices']],
    [
      'words of design',
      '# Solution\n\nDesigned for small hotels, hostels and campsites.',
      ['small hotels, hostels and campsites'],
    ],
  ])('target customers are found in %s', (_, slide, names) => expect(customers(slide)).toEqual(names));

  it.each([
    [
      'a column of payers',
      '# Preise\n\n| Leistung | Zahler | Preis |\n| Basis | Krankenkasse | 90 € |\n| Plus | Pflegeheim | 240 € |',
      ['Krankenkasse', 'Pflegeheim'],
    ],
    ['the subject of a payment', '# Geschäftsmodell\n\nPflegeheime zahlen 49 € je Bett und Monat.', ['Pflegeheime']],
    ['a tier of a price', '# Preise\n\nPraxis\n39 € pro Monat\n\nKita\n590 € pro Jahr', ['Praxis', 'Kita']],
    [
      'a label before its list',
      '# Markt\n\nZielgruppe: Bäckereien mit mehreren Filialen',
      ['Bäckereien mit mehreren Filialen'],
    ],
    [
      'a run-in heading',
      '# Geschäftsmodell\n\nWer zahlt. Kommunen unter 20.000 Einwohnern.',
      ['Kommunen unter 20.000 Einwohnern.'],
    ],
    [
      'a group that has the problem',
      '# Problem\n\nViele Hausverwaltungen haben keine Übersicht über ihre Zähler.',
      ['Hausverwaltungen'],
    ],
    [
      'a table of first customers',
      '# Erste Kunden\n\n| Betrieb | Geräte |\n| Tiefbau, Bochum | 4 |\n| Abbruch, Essen | 2 |',
      ['Tiefbau, Bochum', 'Abbruch, Essen'],
    ],
  ])('target customers are found in German in %s', (_, slide, names) => expect(customers(slide, 'de')).toEqual(names));

  it.each([
    ['advisers who sold to somebody', '# Team\n\nAda Example\nCEO\nRan 12 hotels'],
    ['costs', '# Financials\n\nStaff costs €49 per month.'],
    ['anybody', '# The problem\n\nPeople lose time every day.'],
  ])('target customers are not taken from %s', (_, slide) => expect(customers(slide)).toEqual([]));
});
