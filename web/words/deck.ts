/** Names of what a deck and its review have: statuses, stages, decisions, sectors, reasons to look at it, why a file cannot be read. */
import type { Stage } from '../../domain/decks/stage-graph.ts';
import type { ErrorCode } from '../../domain/errors.ts';
import type { Round } from '../../domain/profile/round.ts';
import type { DocumentKind } from '../../domain/profile/topics.ts';
import type { SectorSlug } from '../../domain/models/result-schemas.ts';
import { bothLanguages, wordFor } from './language.ts';

const STAGES_EN: Readonly<Record<Stage, string>> = {
  probe: 'File check',
  slides: 'Slides',
  extraction: 'Key facts',
  classification: 'Sector',
  template: 'Questions',
  scoring: 'Scores',
  specialised: 'Special readings',
  review: 'Review',
};

const STAGES_DE: Readonly<Record<Stage, string>> = {
  probe: 'Dateiprüfung',
  slides: 'Folien',
  extraction: 'Eckdaten',
  classification: 'Branche',
  template: 'Fragen',
  scoring: 'Bewertung',
  specialised: 'Fachprüfung',
  review: 'Prüfung',
};

export const deckWords = bothLanguages(
  {
    status: {
      uploaded: 'Not reviewed',
      queued: 'Waiting',
      running: 'Running',
      completed: 'Complete',
      completed_with_gaps: 'Complete, with gaps',
      failed: 'Failed',
      cancelled: 'Cancelled',
    },
    paused: 'Paused',
    stage: STAGES_EN,
    /** A stage with its count: `slide 7 of 30`. */
    progress: (stage: Stage, done: number, total: number) =>
      stage === 'slides' ? `Slide ${done} of ${total}` : `${STAGES_EN[stage]}: ${done} of ${total}`,
    /** A review that waits for the decks before it. */
    place: (place: number) => (place === 1 ? 'Next in line' : `Place ${place} in line`),
    /** When a review is expected. */
    expected: (duration: string) => `about ${duration}`,
    decision: { meet: 'Meet', later: 'Later', pass: 'Pass' },
    /** Kinds of documents. */
    kind: {
      pitch_deck: 'Pitch deck',
      form: 'Form',
      invoice: 'Invoice',
      thesis: 'Thesis',
      lean_canvas: 'Lean canvas',
      event_programme: 'Event programme',
      template: 'Template',
      other: 'No pitch deck',
    } satisfies Readonly<Record<DocumentKind, string>>,
    /** Financing rounds. */
    round: {
      pre_seed: 'Pre-seed',
      seed: 'Seed',
      series_a: 'Series A',
      series_b: 'Series B',
      series_c: 'Series C',
      later: 'Series D or later',
    } satisfies Readonly<Record<Round, string>>,
    attention: {
      failed: 'The review failed',
      unreadable: 'No text could be read',
      language: 'Language not supported',
      gaps: 'Something could not be computed',
      steering: 'Text that tries to steer the score',
      invisible_text: 'Invisible text',
      contradictions: 'The deck contradicts itself',
      few_quotes: 'Few quotes are verified',
      little_found: 'Little of what is asked was found',
    },
    /** Names of sectors that come with Deckhand; see {@link sectorName}. */
    sector: {
      digital_therapeutics: 'Digital therapeutics',
      healthcare_infrastructure: 'Healthcare infrastructure',
      telemedicine: 'Telemedicine',
      diagnostics_devices: 'Diagnostics and medical devices',
      biotech_pharma: 'Biotech and pharma',
      health_data_ai: 'Health data and AI',
      consumer_health: 'Consumer health',
      healthcare_marketplaces: 'Healthcare marketplaces',
      other: 'Outside health',
    } satisfies Readonly<Record<SectorSlug, string>>,
    /** Why a file could not be read, with what to do; other failures have only the words of the API. */
    failure: {
      pdf_encrypted: { text: 'Password-protected', hint: 'Ask for a copy without a password and add it.' },
      pdf_damaged: { text: 'The PDF is damaged', hint: 'Export the deck again and add it.' },
      pdf_no_pages: { text: 'The PDF has no pages', hint: 'Export the deck again and add it.' },
      pdf_too_many_pages: { text: 'The PDF has too many pages', hint: 'Add the slides without their appendix.' },
      pdf_portfolio: { text: 'A portfolio of files', hint: 'Save the deck that is inside as a PDF and add it.' },
      pdf_xfa_form: { text: 'An XFA form without pages', hint: 'Print it to a PDF in Acrobat and add that.' },
      page_too_large: { text: 'A page is too large to draw', hint: 'Export the deck in a usual page size.' },
      cancelled: { text: 'Cancelled', hint: 'Review it again when it is needed.' },
    } satisfies Readonly<Partial<Record<ErrorCode, { readonly text: string; readonly hint: string }>>>,
  },
  {
    status: {
      uploaded: 'Nicht geprüft',
      queued: 'Wartet',
      running: 'Läuft',
      completed: 'Fertig',
      completed_with_gaps: 'Fertig, mit Lücken',
      failed: 'Fehlgeschlagen',
      cancelled: 'Abgebrochen',
    },
    paused: 'Angehalten',
    stage: STAGES_DE,
    progress: (stage, done, total) =>
      stage === 'slides' ? `Folie ${done} von ${total}` : `${STAGES_DE[stage]}: ${done} von ${total}`,
    place: (place) => (place === 1 ? 'Als Nächstes an der Reihe' : `Platz ${place} in der Reihe`),
    expected: (duration) => `etwa ${duration}`,
    decision: { meet: 'Treffen', later: 'Später', pass: 'Absage' },
    kind: {
      pitch_deck: 'Pitch Deck',
      form: 'Formular',
      invoice: 'Rechnung',
      thesis: 'Abschlussarbeit',
      lean_canvas: 'Lean Canvas',
      event_programme: 'Veranstaltungsprogramm',
      template: 'Vorlage',
      other: 'Kein Pitch Deck',
    },
    round: {
      pre_seed: 'Pre-Seed',
      seed: 'Seed',
      series_a: 'Series A',
      series_b: 'Series B',
      series_c: 'Series C',
      later: 'Series D oder später',
    },
    attention: {
      failed: 'Die Prüfung ist fehlgeschlagen',
      unreadable: 'Kein Text war lesbar',
      language: 'Sprache nicht unterstützt',
      gaps: 'Etwas konnte nicht berechnet werden',
      steering: 'Text, der die Bewertung lenken will',
      invisible_text: 'Unsichtbarer Text',
      contradictions: 'Das Deck widerspricht sich',
      few_quotes: 'Wenige Zitate sind belegt',
      little_found: 'Wenig von dem Gefragten wurde gefunden',
    },
    sector: {
      digital_therapeutics: 'Digitale Therapien',
      healthcare_infrastructure: 'Infrastruktur im Gesundheitswesen',
      telemedicine: 'Telemedizin',
      diagnostics_devices: 'Diagnostik und Medizinprodukte',
      biotech_pharma: 'Biotech und Pharma',
      health_data_ai: 'Gesundheitsdaten und KI',
      consumer_health: 'Gesundheit für Verbraucher',
      healthcare_marketplaces: 'Marktplätze im Gesundheitswesen',
      other: 'Außerhalb der Gesundheit',
    },
    failure: {
      pdf_encrypted: {
        text: 'Passwortgeschützt',
        hint: 'Eine Fassung ohne Passwort anfordern und hinzufügen.',
      },
      pdf_damaged: { text: 'Die PDF-Datei ist beschädigt', hint: 'Das Deck neu exportieren und hinzufügen.' },
      pdf_no_pages: { text: 'Die PDF-Datei hat keine Seiten', hint: 'Das Deck neu exportieren und hinzufügen.' },
      pdf_too_many_pages: { text: 'Die PDF-Datei hat zu viele Seiten', hint: 'Die Folien ohne Anhang hinzufügen.' },
      pdf_portfolio: { text: 'Eine Sammlung von Dateien', hint: 'Das Deck darin als PDF speichern und hinzufügen.' },
      pdf_xfa_form: { text: 'Ein XFA-Formular ohne Seiten', hint: 'In Acrobat als PDF drucken und dieses hinzufügen.' },
      page_too_large: { text: 'Eine Seite ist zu groß', hint: 'Das Deck in einem üblichen Seitenformat exportieren.' },
      cancelled: { text: 'Abgebrochen', hint: 'Bei Bedarf erneut prüfen.' },
    },
  },
);

/** Name of a sector; one that an operator added keeps its slug. */
export const sectorName = (slug: string, names: Readonly<Record<string, string>>): string =>
  wordFor(names, slug) ?? slug;
