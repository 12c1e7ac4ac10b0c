/** Documents that are no pitch decks: what each kind is told by, and that a deck with one such page stays a deck. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { documentKindOf, type DocumentKind } from '../../../reader/document-kind.ts';
import { readPrompt } from '../../../reader/prompt.ts';
import { forAll } from '../../../testing/property.ts';
import { answered, ask, deckOfMarks } from './ask.ts';

type Pages = readonly string[];

const ROOM = '_'.repeat(30);
const DOCUMENTS: readonly (readonly [kind: DocumentKind, language: string, pages: Pages])[] = [
  [
    'form',
    'en',
    [
      '# Startup grant\n\nApplication form\n\nPlease complete all sections.',
      '# Section A: Problem and solution\n\nA1 Describe your idea.\n\nmax. 50 words\n\nCrates for bakeries that fold flat.\n\nA2 What problem do you solve?\n\nmax. 50 words\n\nBakeries send back empty crates.',
      '# Section B: Market\n\nB1 Who will buy from you?\n\nBakeries and mills.\n\nB2 How large is your market?\n\nmax. 80 words',
      '# Section C: Team\n\nC1 Which skills are you missing?\n\nSomebody who welds.\n\nC2 Who helped you?',
      '# Section D: Financials\n\nD1 How much money do you need?\n\nD2 Explain how you will spend it.\n\nSignature\n\nDate of birth',
    ],
  ],
  [
    'form',
    'en',
    [
      `# Hillside Seed Programme\n\nPlease complete all sections in block capitals.\n\nName of applicant: ${ROOM}\n\nPostal address: ${ROOM}\n\n1. Describe the need of your customers. (max. 150 words) [10 points]\n\n${ROOM}`,
      `2. What do you sell, and at which price? [10 points]\n\n${ROOM}\n\n3. How much money do you need? [5 points]\n\n${ROOM}\n\nSignature: ________ Date: ________`,
    ],
  ],
  [
    'form',
    'en',
    [
      '# Course project: a company of your own\n\nAnswer every question. One copy per group.\n\n1. Which need do you address? (5 marks)\n\n2. Who has it, and how often? (5 marks)\n\n3. What do they use today? (5 marks)\n\n4. What does one customer pay you in a year? (10 marks)\n\n5. How many customers are there in your country? (10 marks)\n\n6. Who does what in your group? (5 marks)',
    ],
  ],
  [
    'form',
    'en',
    [
      '# Trade fair: booth order form\n\nCompany:\n\nContact person:\n\nE-mail address:\n\nBooth size: ☐ 6 m² ☐ 9 m² ☐ 12 m²\n\nPower supply: ☐ yes ☐ no\n\nSignature, date',
    ],
  ],
  [
    'form',
    'de',
    [
      `# Antrag auf Anschubförderung\n\nBitte in Druckschrift ausfüllen. Zutreffendes ankreuzen.\n\nAntragsteller: ${ROOM}\n\nAnschrift: ${ROOM}\n\n1. Beschreiben Sie Ihr Vorhaben. (max. 900 Zeichen)\n\n${ROOM}\n\n2. Wer sind Ihre Kunden?\n\n${ROOM}`,
      `3. Wie hoch ist Ihr Kapitalbedarf? ________ €\n\n4. Haben Sie weitere Mittel beantragt? ☐ ja ☐ nein\n\nOrt, Datum: ________ Unterschrift: ________`,
    ],
  ],
  [
    'form',
    'de',
    [
      '# Bewertungsbogen\n\nName des Teams:\n\nJurymitglied:\n\n1. Ist das Problem klar beschrieben? (0-5 Punkte)\n\n2. Ist die Lösung neu? (0-5 Punkte)\n\n3. Wie groß ist der Markt? (0-10 Punkte)\n\n4. Passt das Team zur Aufgabe? (0-5 Punkte)\n\n5. Ist der Kapitalbedarf begründet? (0-5 Punkte)\n\nGesamtpunktzahl:\n\nUnterschrift:',
    ],
  ],
  [
    'invoice',
    'en',
    [
      '# INVOICE\n\nOakfield Printing Ltd, 4 Mill Road, Leeds\n\nInvoice no. 2026-118\nInvoice date: 3 March 2026\nDue date: 2 April 2026\n\nBill to: Amber Garden Ltd\n\n| Description | Qty | Unit price | Amount |\n| Brochures | 500 | £1.20 | £600.00 |\n\nSubtotal £600.00\nVAT 20% £120.00\nTotal due £720.00\n\nIBAN GB00 OAKF 0000 0000 0000 00',
    ],
  ],
  [
    'invoice',
    'en',
    [
      '# Ridgeline Hosting Inc.\n\nTax invoice\n\nInvoice number RH-5521\nDate of issue March 31, 2026\nPayment terms: net 30 days\n\nBilled to Tessel Labs LLC\n\n| Service | Hours | Rate | Line total |\n| Compute | 744 | $0.42 | $312.48 |\n\nAmount due $341.07',
      '| Machine | Hours | Cost |\n| Node 1 | 12 | $5.04 |\n| Node 2 | 80 | $33.60 |',
    ],
  ],
  [
    'invoice',
    'de',
    [
      '# Rechnung\n\nTischlerei Ahorn GmbH, Hafenstraße 3, 20457 Hamburg\n\nRechnungsnummer: R-77\nRechnungsdatum: 12.02.2026\n\n| Pos. | Bezeichnung | Menge | Einzelpreis |\n| 1 | Theke aus Eiche | 1 | 3.200,00 € |\n\nNettosumme 3.200,00 €\nzzgl. 19 % MwSt. 608,00 €\nZahlbar innerhalb von 14 Tagen.\n\nBankverbindung: IBAN DE00 0000 0000 0000 0000 00',
    ],
  ],
  [
    'invoice',
    'de',
    [
      '# Honorarrechnung\n\nRechnung Nr. 18 vom 5. Mai 2026\n\nAn: Kulturverein Süd e.V.\n\nPlakatentwurf, 14 Stunden zu 65 €: 910,00 €\n\nGesamtbetrag: 910,00 €\n\nGemäß § 19 UStG wird keine Umsatzsteuer berechnet.\n\nBitte überweisen Sie den Betrag bis zum 19. Mai 2026.',
    ],
  ],
  [
    'thesis',
    'en',
    [
      '# Room planning in small workshops\n\nMaster thesis\n\nsubmitted in partial fulfilment of the requirements for the degree of Master of Science\n\nNorthgate University, Department of Management\n\nSupervisor: Prof. Lee Frost',
      '# Abstract\n\nThe study asks how small workshops plan their rooms.',
      '# 1 Introduction\n\nWorkshops lose two hours a day because rooms are not planned.',
    ],
  ],
  [
    'thesis',
    'en',
    [
      '# A market entry plan for solar bicycles\n\nBachelor’s thesis in Business Administration\n\nThesis advisor: Dr. Rosa Field',
      '# Acknowledgements\n\nI thank everyone who took the time to answer.',
      '# Chapter 1 Market\n\nThe market for bicycles is worth €4 billion.',
      '# Chapter 2 Funding\n\nA company that sells solar bicycles needs €2 million.',
      '# Bibliography\n\nField, R. (2020). Bicycles.',
    ],
  ],
  [
    'thesis',
    'de',
    [
      '# Markteintritt für Lastenräder\n\nBachelorarbeit\n\nzur Erlangung des akademischen Grades Bachelor of Arts\n\nvorgelegt von Jonas Reiter, Matrikelnummer 4711\n\nErstprüferin: Prof. Dr. Petra Holm',
      '# 1 Einleitung\n\nStädte suchen Wege, den Lieferverkehr zu verringern.',
      '# 2 Theoretische Grundlagen\n\nDer Markteintritt ist gut untersucht.',
    ],
  ],
  [
    'thesis',
    'de',
    [
      '# Sensoren im Weinbau\n\nDissertation\n\neingereicht an der Fakultät für Maschinenbau',
      '# Kurzfassung\n\nDie Arbeit untersucht Sensoren im Weinbau.',
      '# Danksagung\n\nIch danke allen, die geholfen haben.',
      '# Literaturverzeichnis\n\nBenz, C. (2020). Sensoren.',
    ],
  ],
  [
    'lean_canvas',
    'en',
    [
      '# Lean Canvas: plumbing on call\n\n## Problem\n\nLeaks at night\n\n## Solution\n\nAn app with free plumbers\n\n## Unique Value Proposition\n\nA plumber within an hour\n\n## Unfair Advantage\n\nContract with two insurers\n\n## Customer Segments\n\nTenants in cities\n\n## Key Metrics\n\nCalls per week\n\n## Channels\n\nInsurers\n\n## Cost Structure\n\nStaff 60%\n\n## Revenue Streams\n\n15% of each job',
    ],
  ],
  [
    'lean_canvas',
    'en',
    [
      '# Greenbox\n\nBusiness model',
      '## Key partners\n\nFarms\n\n## Key activities\n\nPacking\n\n## Key resources\n\nTwo vans\n\n## Value propositions\n\nVegetables of today\n\n## Customer relationships\n\nWeekly subscription\n\n## Channels\n\nWebsite\n\n## Customer segments\n\nFamilies\n\n## Cost structure\n\nVans €2,400 a month\n\n## Revenue streams\n\n€29 a week',
    ],
  ],
  [
    'lean_canvas',
    'de',
    [
      '# Lean Canvas\n\n## Problem\n\nHandwerker sagen ab\n\n## Lösung\n\nFreie Termine\n\n## Einzigartiges Wertversprechen\n\nIn zwei Tagen ein Termin\n\n## Unfairer Vorteil\n\nVertrag mit der Innung\n\n## Kundensegmente\n\nEigentümer\n\n## Schlüsselkennzahlen\n\nTermine je Woche\n\n## Kanäle\n\nInnung\n\n## Kostenstruktur\n\nPersonal 70 %\n\n## Einnahmequellen\n\n12 % je Auftrag',
    ],
  ],
  [
    'lean_canvas',
    'de',
    [
      '1. Problem: Gemüse ist alt\n\n2. Kundensegmente: Familien\n\n3. Alleinstellungsmerkmal: geerntet am selben Tag\n\n4. Lösung: Kiste an der Tür\n\n5. Vertriebskanäle: Webseite, Kitas\n\n6. Einnahmequellen: 29 € je Kiste\n\n7. Kostenstruktur: zwei Wagen\n\n8. Schlüsselkennzahlen: Kisten je Woche\n\n9. Unfairer Vorteil: Höfe im Umland',
    ],
  ],
  [
    'event_programme',
    'en',
    [
      '# Harbour Founders Evening\n\n14 May 2026, Old Customs House\n\n- 17:30 Doors open\n- 18:00 Welcome by the city council\n- 18:15 Keynote: Ports without paper\n- 19:00 Panel with three founders\n- 19:45 Networking and drinks\n\nRegister by 7 May.',
    ],
  ],
  [
    'event_programme',
    'en',
    [
      '# Rural Energy Summit 2026\n\n12 June, Fairfield Hall\n\nTickets from €90',
      '# Day 1\n\n| 9.00 am | Arrival and coffee |\n| 9.30 am | Opening remarks, Mayor Ellen Stone |\n| 10.00 am | Storage for villages |\n| 1.00 pm | Lunch |\n| 2.00 pm | Workshops |',
      '# Speakers\n\nEllen Stone, Mayor of Fairfield',
      '# Venue\n\nFairfield Hall, 3 Station Road. Parking is behind the hall.',
      '# Our partners\n\nFairfield Bank, Stone Energy GmbH',
    ],
  ],
  [
    'event_programme',
    'de',
    [
      '# Gründertag Mittelhessen\n\n8. Oktober 2026\n\n- 09:00 Uhr Einlass\n- 09:30 Uhr Begrüßung durch die Kammer\n- 10:00 Uhr Vortrag: Von der Idee zum Kunden\n- 11:00 Uhr Kaffeepause\n- 12:30 Uhr Mittagessen\n\nVeranstaltungsort: Stadthalle\n\nAnmeldung bis 1. Oktober',
    ],
  ],
  [
    'event_programme',
    'de',
    [
      '# Fachtagung Wasserbau\n\nFreitag, 20. März 2026, Hörsaal 3',
      '# Programm\n\n- 8.30 Uhr Ankommen\n- 9.00 Uhr Eröffnung\n- 10.30 Uhr Pause\n- 12.30 Uhr Mittagsimbiss\n- 15.00 Uhr Preisverleihung',
      '# Anfahrt\n\nDer Tagungsort liegt zehn Minuten vom Bahnhof.',
    ],
  ],
];

const PITCH = [
  '# Planwerk\n\nPlanwerk is a planning app for small clinics.',
  '# Problem\n\nPatients wait six weeks because nobody plans the rooms.',
  '# Solution\n\nWe plan every room of a clinic each morning.',
  '# Price\n\nClinics pay €450 per month.',
  '# Team\n\nAda Winter, CEO, ran three clinics before.',
];
/** Pages that a pitch deck may hold. */
const PAGES: readonly (readonly [name: string, page: string])[] = [
  ...DOCUMENTS.map(([kind, language, pages]): [string, string] => [`${kind} ${language}`, pages[0] ?? '']),
  [
    'an agenda of a visit',
    '# Agenda\n\n- 09:00 Welcome\n- 09:15 Product demo\n- 10:00 Coffee break\n- 10:30 Questions',
  ],
  [
    'a log of times',
    '# A day at the clinic\n\n07:10 Rooms are planned\n08:00 First patient\n12:00 Lunch\n17:30 The last room closes',
  ],
  ['a mock-up', '# Create a key\n\nName:\n\nE-mail address:\n\n☐ Read\n\n☐ Write\n\nExpires: ________'],
  ['a price table', '| Plan | Qty | Unit price | Total |\n| Basic | 1 | €450 | €450 |'],
];

const kindOf = (pages: Pages) => documentKindOf(readPrompt([{ role: 'user', content: deckOfMarks(pages) }]).slides);

describe('a document that is no pitch deck', () => {
  it.each(DOCUMENTS)('is known as a %s (%s): case %#', (kind, _, pages) => {
    const known = kindOf(pages);
    expect(known?.kind).toBe(kind);
    const words = (pages[(known?.slide ?? 0) - 1] ?? '').replaceAll(/\s*\|\s*|\s+/gu, ' ');
    expect(words).toContain(known?.quote);
  });

  it.each(DOCUMENTS)('states no company, offering and ask: %s (%s), case %#', (_, __, pages) => {
    for (const task of ['extract_company_name', 'extract_offering', 'extract_funding'] as const)
      expect(ask(task, deckOfMarks(pages)).stated).toBe(false);
  });

  it('keeps its date', () => {
    const programme = DOCUMENTS.find(([, , [page]]) => page?.includes('Harbour') === true)?.[2] ?? [];
    expect(ask('extract_deck_date', deckOfMarks(programme)).value).toBe('14 May 2026');
  });

  it('answers no question where it is a form', () => {
    const form = DOCUMENTS[0]?.[2] ?? [];
    expect(answered('paying_customers', deckOfMarks(form)).covered).toBe('no');
  });
});

describe('a pitch deck', () => {
  it.each(PAGES)('stays one with a page of %s', (_, page) => {
    expect(kindOf([...PITCH.slice(0, 3), page, ...PITCH.slice(3)])).toBeNull();
  });

  it('stays one with one such page wherever it stands behind the cover, whatever order its slides have', () =>
    forAll(
      [fc.shuffledSubarray(PITCH, { minLength: 4 }), fc.constantFrom(...PAGES), fc.nat(4)],
      { runs: 200 },
      (pitch, [, page], at) => expect(kindOf(pitch.toSpliced(at + 1, 0, page))).toBeNull(),
    ));

  it('stays one where no headline names a subject', () => {
    const pitch = [
      '# Planwerk\n\nPlanning for clinics',
      '# Rooms stand empty\n\nPatients wait six weeks.',
      '# A plan each morning\n\nWe plan every room.',
      '# Ada ran three clinics\n\nAda Winter, CEO',
    ];
    for (const [name, page] of PAGES)
      expect(kindOf([...pitch, page, '# Thank you\n\nhello@planwerk.example']), name).toBeNull();
  });

  it('stays one where it is a filled application', () => {
    const filled = [
      '# Application\n\nName of applicant: Planwerk GmbH\n\n1. What do you sell?\n\nPlanwerk sells a planning app for small clinics that plans every room each morning.\n\nIt runs in the browser and needs no training of the staff.\n\n2. Who pays?\n\nForty clinics in Hesse pay €450 per month for it, and none has cancelled so far.\n\nThree hospital groups have asked for an offer since March.\n\n3. Who are you?\n\nAda Winter ran three clinics, and Tom Berg built the software of a hospital.',
    ];
    expect(kindOf(filled)).toBeNull();
  });
});
