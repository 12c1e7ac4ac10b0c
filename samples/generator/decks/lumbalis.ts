/**
 * Lumbalis: a digital therapeutic in German. Clinical and regulatory matters are strong; unit economics, the sales cycle and churn are
 * thin or missing, and the burn is given per year only. The company is invented.
 */
import type { DeckSpec } from '../spec.ts';

/** The deck of `samples/lumbalis.pdf`. */
export const lumbalis: DeckSpec = {
  language: 'de',
  sector: 'digital_therapeutics',
  metadataTitle: 'Lumbalis Unternehmenspräsentation',
  footer: 'Lumbalis Therapeutics GmbH | vertraulich',
  createdAt: new Date('2026-02-15T08:30:00Z'),
  theme: {
    background: '#ffffff',
    ink: '#22332b',
    muted: '#6f8078',
    accent: '#1f6f54',
    second: '#d98324',
    panel: '#eef5f1',
    font: 'helvetica',
    header: 'rail',
    cover: 'circles',
  },
  facts: {
    company: 'Lumbalis',
    offering:
      'App auf Rezept für Menschen mit chronischen Rückenschmerzen: tägliches Training und Schmerztherapie in zwölf Wochen',
    amount: 2_500_000,
    currency: 'EUR',
    date: '2026-02-15',
    datePrecision: 'day',
    places: {
      company: { slide: 1, text: 'Lumbalis' },
      offering: {
        slide: 1,
        text: 'App auf Rezept für Menschen mit chronischen Rückenschmerzen: tägliches Training und Schmerztherapie in zwölf Wochen',
      },
      amount: { slide: 11, text: 'Wir suchen 2,5 Mio. € für 18 Monate' },
      date: { slide: 1, text: '15. Februar 2026' },
    },
  },
  slides: [
    {
      kind: 'cover',
      title: 'Lumbalis',
      subtitle:
        'App auf Rezept für Menschen mit chronischen Rückenschmerzen: tägliches Training und Schmerztherapie in zwölf Wochen',
      lines: ['Präsentation für Investoren', 'Leipzig, 15. Februar 2026'],
    },
    {
      kind: 'content',
      kicker: 'DAS PROBLEM',
      title: 'Rückenschmerz ist Volkskrankheit Nummer eins – und wird falsch behandelt',
      answers: ['target_problem', 'pain_points', 'problem_quantification', 'problem_nature'],
      columns: [
        [
          {
            type: 'bullets',
            items: [
              'Betroffene bekommen Tabletten und Spritzen statt der Bewegung, die in jeder Leitlinie steht.',
              'Auf einen Platz in der multimodalen Schmerztherapie warten sie im Schnitt sieben Monate.',
              'Der Schmerz ist chronisch: Nach zwei Jahren haben 62 % noch Beschwerden, viele verlieren ihre Arbeit.',
              'Hausärzte haben acht Minuten je Termin und kaum eine Alternative zum Rezept.',
            ],
          },
        ],
        [
          {
            type: 'stats',
            items: [
              { value: '11,2 Mio.', label: 'Menschen mit chronischen Rückenschmerzen in Deutschland' },
              { value: '48,9 Mrd. €', label: 'Kosten pro Jahr, davon zwei Drittel durch Arbeitsausfall' },
            ],
          },
          {
            type: 'quote',
            text: 'Ich habe vier Ärzte gesehen und dreimal dieselbe Spritze bekommen.',
            by: 'Patientin, 47 Jahre, aus unserer Befragung mit 230 Betroffenen',
          },
        ],
      ],
    },
    {
      kind: 'content',
      kicker: 'UNSERE LÖSUNG',
      title: 'Zwölf Wochen, jeden Tag 18 Minuten, begleitet wie in der Klinik',
      answers: ['solution_description', 'differentiation'],
      columns: [
        [
          {
            type: 'cards',
            items: [
              {
                title: 'Bewegen',
                text: 'Die Kamera des Telefons misst die Haltung und passt jede Übung an Schmerz und Kraft an.',
              },
              {
                title: 'Verstehen',
                text: 'Kurze Lektionen der Verhaltenstherapie helfen gegen Angst vor Bewegung und Schlafprobleme.',
              },
              {
                title: 'Dranbleiben',
                text: 'Physiotherapeuten antworten im Chat binnen eines Werktags und sehen den Verlauf.',
              },
            ],
          },
          {
            type: 'paragraph',
            text: 'Anders als reine Trainings-Apps behandelt Lumbalis Schmerz, Psyche und Schlaf zusammen. Die Bewegungsanalyse läuft auf dem Telefon; kein Bild verlässt das Gerät.',
          },
          { type: 'callout', text: 'Medizinprodukt der Klasse IIa nach MDR, zertifiziert seit Juni 2025.' },
        ],
      ],
    },
    {
      kind: 'content',
      kicker: 'EVIDENZ',
      title: 'Randomisierte Studie: Schmerz sinkt doppelt so stark wie unter Standardtherapie',
      answers: ['quantified_advantage'],
      columns: [
        [
          {
            type: 'lines',
            title: 'Mittlerer Schmerz (NRS 0–10) nach Wochen',
            categories: ['Start', 'Woche 4', 'Woche 8', 'Woche 12', 'Woche 24'],
            series: [
              { name: 'Lumbalis (n = 164)', values: [6.4, 5.1, 4.0, 3.2, 3.3] },
              { name: 'Standardtherapie (n = 158)', values: [6.3, 5.8, 5.2, 4.8, 5.0] },
            ],
          },
        ],
        [
          {
            type: 'table',
            head: ['Endpunkt nach 12 Wochen', 'Lumbalis', 'Standard'],
            rows: [
              ['Schmerz (NRS)', '–3,2', '–1,5'],
              ['Funktion (RMDQ)', '–5,1', '–2,2'],
              ['Tage mit Schmerzmitteln', '–41 %', '–12 %'],
              ['Abbruch', '14 %', '9 %'],
            ],
          },
          {
            type: 'note',
            text: '322 Teilnehmende, vier Zentren, Intention-to-treat, p < 0,001. Positiver Versorgungseffekt nachgewiesen; eingereicht zur Veröffentlichung.',
          },
        ],
      ],
    },
    {
      kind: 'content',
      kicker: 'ZULASSUNG UND ERSTATTUNG',
      title: 'Als DiGA vorläufig gelistet, dauerhafte Aufnahme im Herbst',
      answers: ['payer_identification', 'payer_vs_user', 'decision_making'],
      columns: [
        [
          {
            type: 'timeline',
            items: [
              { when: 'Juni 2025', what: 'CE-Zertifikat nach MDR, Klasse IIa' },
              { when: 'Sept. 2025', what: 'Vorläufige Aufnahme in das DiGA-Verzeichnis' },
              { when: 'Mai 2026', what: 'Studienbericht an das BfArM' },
              { when: 'Sept. 2026', what: 'Dauerhafte Aufnahme, Preisverhandlung' },
            ],
          },
          {
            type: 'bullets',
            items: [
              'Es zahlt die gesetzliche Krankenkasse, 73 Millionen Versicherte; private Kassen erstatten im Einzelfall.',
              'Nutzer ist der Patient, ohne Zuzahlung.',
              'Über die Verordnung entscheidet der Arzt oder Psychotherapeut; die Kasse schaltet den Code frei.',
            ],
          },
        ],
      ],
    },
    {
      kind: 'content',
      kicker: 'MARKT',
      title: 'Ein Markt von 1,3 Mrd. € allein in Deutschland',
      columns: [
        [
          {
            type: 'table',
            head: ['Markt', 'Patienten', 'Volumen'],
            rows: [
              ['Gesamt (TAM), chronischer Rückenschmerz', '11,2 Mio.', '5,6 Mrd. €'],
              ['Adressierbar (SAM), Smartphone und Diagnose', '2,6 Mio.', '1,3 Mrd. €'],
              ['Erreichbar bis 2030 (SOM)', '74.000', '37 Mio. €'],
            ],
          },
          {
            type: 'bullets',
            items: [
              'DiGA-Verordnungen sind 2025 um 58 % gewachsen.',
              'Frankreich (PECAN) und Belgien (mHealth) erstatten nach ähnlichen Regeln; dort folgt der Markteintritt ab 2027.',
            ],
          },
        ],
      ],
    },
    {
      kind: 'content',
      kicker: 'WETTBEWERB',
      title: 'Was es heute gibt',
      answers: ['current_solutions', 'competitive_landscape'],
      columns: [
        [
          {
            type: 'table',
            head: ['Angebot', 'Schmerz', 'Psyche', 'Erstattet', 'Betreuung', 'Evidenz'],
            rows: [
              ['Lumbalis', 'ja', 'ja', 'ja', 'Chat, Physio', 'RCT, 322 Personen'],
              ['RückenFit Pro', 'ja', 'nein', 'ja', 'keine', 'RCT, 213 Personen'],
              ['Trainings-Apps', 'teilweise', 'nein', 'nein', 'keine', 'keine'],
              ['Physiotherapie', 'ja', 'nein', 'ja', '6 Termine', 'Leitlinie'],
              ['Schmerzklinik', 'ja', 'ja', 'ja', 'Team', 'Leitlinie, 7 Monate Wartezeit'],
            ],
          },
          {
            type: 'paragraph',
            text: 'Wettbewerber RückenFit Pro ist dauerhaft gelistet, behandelt aber nur die Bewegung. Zwei weitere Anbieter sind in Prüfung.',
          },
        ],
      ],
    },
    {
      kind: 'content',
      kicker: 'TRAKTION',
      title: '5.140 eingelöste Rezepte in fünf Monaten',
      answers: [
        'paying_customers',
        'pilot_customers',
        'customer_acquisition',
        'customer_satisfaction',
        'monthly_sales',
      ],
      columns: [
        [
          {
            type: 'bars',
            title: 'Freigeschaltete Codes je Monat',
            categories: ['Sep', 'Okt', 'Nov', 'Dez', 'Jan'],
            series: [{ name: 'Codes', values: [410, 760, 1080, 1190, 1700] }],
          },
        ],
        [
          {
            type: 'bullets',
            items: [
              '1.260 Praxen haben mindestens einmal verordnet; 84 Kassen haben bezahlt.',
              'Umsatz im Januar: 381.000 € vor Rückstellung für den späteren Preis.',
              'Pilotprojekt mit einem Autozulieferer: 420 Beschäftigte, 31 % weniger Krankheitstage.',
              'Neue Ärzte gewinnen wir über Fortbildungen und einen Außendienst mit sechs Personen; eine aktive Praxis kostet 214 €.',
              '4,6 von 5 Sternen bei 1.900 Bewertungen; 78 % der Nutzer empfehlen uns weiter.',
            ],
          },
        ],
      ],
    },
    {
      kind: 'content',
      kicker: 'GESCHÄFTSMODELL',
      title: '499 € je Rezept im ersten Jahr',
      answers: ['pricing_strategy'],
      columns: [
        [
          {
            type: 'stats',
            items: [
              { value: '499 €', label: 'Herstellerpreis je Quartal im ersten Jahr' },
              { value: '230 €', label: 'unsere Annahme für den verhandelten Preis' },
            ],
          },
          {
            type: 'bullets',
            items: [
              'Zweites Standbein: Lizenzen für Betriebe, 9 € je Beschäftigten und Monat.',
              'Folgerezepte: 22 % der Patienten lösen ein zweites Quartal ein.',
            ],
          },
        ],
      ],
    },
    {
      kind: 'content',
      kicker: 'FINANZEN',
      title: 'Planung bis zum Jahr 2029',
      answers: ['annual_burn', 'financial_fluctuations'],
      columns: [
        [
          {
            type: 'table',
            head: ['in Tsd. €', '2025', '2026', '2027', '2028', '2029'],
            rows: [
              ['Umsatz', '690', '3.400', '7.900', '15.200', '26.800'],
              ['Personal', '1.310', '2.400', '3.600', '5.100', '7.300'],
              ['Vertrieb', '520', '1.700', '2.900', '4.600', '7.100'],
              ['Übrige Kosten', '460', '900', '1.500', '2.400', '3.900'],
              ['Ergebnis', '–1.600', '–1.600', '–100', '3.100', '8.500'],
            ],
          },
          {
            type: 'bullets',
            items: [
              'Mittelverbrauch 2025 und 2026: je 1,6 Mio. € im Jahr.',
              'Die Umsätze schwanken: Im Sommer sinken die Verordnungen um etwa 20 %, im Januar steigen sie.',
              'Bisher finanziert durch 900.000 € von Business Angels (2023) und 1,4 Mio. € Fördermittel.',
            ],
          },
        ],
      ],
    },
    {
      kind: 'content',
      kicker: 'KAPITALBEDARF',
      title: 'Mit dieser Runde zur dauerhaften Listung und in die Gewinnzone',
      answers: ['funding_requirements', 'fund_allocation', 'investment_strategy', 'future_state'],
      columns: [
        [
          { type: 'callout', text: 'Wir suchen 2,5 Mio. € für 18 Monate' },
          {
            type: 'bullets',
            items: [
              'Zuerst Evidenz und Preis, dann Breite: Der Außendienst wächst erst nach der dauerhaften Aufnahme.',
              'Ziel für Ende 2027: 40.000 Patienten im Jahr, Gewinnschwelle erreicht, Markteintritt in Frankreich.',
              '600.000 € sind von den bisherigen Gesellschaftern zugesagt.',
            ],
          },
        ],
        [
          {
            type: 'donut',
            title: 'Verwendung der Mittel',
            points: [
              { label: 'Vertrieb und Ärzte', value: 45, shown: '45 %' },
              { label: 'Studie und Zulassung', value: 25, shown: '25 %' },
              { label: 'Produkt', value: 20, shown: '20 %' },
              { label: 'Reserve', value: 10, shown: '10 %' },
            ],
          },
        ],
      ],
    },
    {
      kind: 'content',
      kicker: 'TEAM',
      title: 'Schmerzmedizin, Sportwissenschaft und Software',
      answers: ['team_experience', 'team_composition', 'skill_gaps', 'urgent_hiring'],
      columns: [
        [
          {
            type: 'people',
            items: [
              {
                name: 'Dr. med. Henrike Vogt',
                role: 'Geschäftsführerin, Gründerin',
                text: 'Schmerzmedizinerin, leitete neun Jahre eine Tagesklinik.',
              },
              {
                name: 'Mirko Lehnert',
                role: 'Technik, Gründer',
                text: 'Baute die Bewegungsanalyse einer Sport-App mit zwei Millionen Nutzern.',
              },
              {
                name: 'Prof. Dr. Ayse Karaca',
                role: 'Wissenschaft',
                text: 'Professorin für Verhaltensmedizin, 60 Veröffentlichungen.',
              },
              {
                name: 'Stefan Brügge',
                role: 'Marktzugang',
                text: 'Brachte zwei DiGA in die dauerhafte Erstattung.',
              },
            ],
          },
          {
            type: 'bullets',
            items: [
              '26 Beschäftigte, davon 12 in Produkt und Technik, 8 im Vertrieb, 4 in Medizin und Zulassung, 2 in der Verwaltung.',
              'Uns fehlt Erfahrung im französischen Markt und eine kaufmännische Leitung; beide Stellen besetzen wir bis Juni.',
            ],
          },
        ],
      ],
    },
    {
      kind: 'statement',
      kicker: 'KONTAKT',
      text: 'Bewegung statt Tabletten. Gehen Sie den Weg mit uns.',
      lines: ['Dr. med. Henrike Vogt', 'vogt@lumbalis.example · Lumbalis Therapeutics GmbH, Leipzig'],
    },
  ],
};
