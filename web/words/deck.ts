/** Names of what a deck and its review have: statuses, stages, decisions, sectors, reasons to look at it. */
import type { AttentionReason, EntryStatus } from '../../domain/decks/list/entry.ts';
import type { Stage } from '../../domain/decks/stage-graph.ts';
import type { Decision } from '../../domain/decks/verdicts/kinds.ts';
import { bothLanguages } from './language.ts';

interface DeckWords {
  readonly status: Readonly<Record<EntryStatus, string>>;
  readonly paused: string;
  readonly stage: Readonly<Record<Stage, string>>;
  /** A stage with its count: `slide 7 of 30`. */
  readonly progress: (stage: Stage, done: number, total: number) => string;
  readonly decision: Readonly<Record<Decision, string>>;
  readonly attention: Readonly<Record<AttentionReason, string>>;
}

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

export const deckWords = bothLanguages<DeckWords>(
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
    progress: (stage, done, total) =>
      stage === 'slides' ? `Slide ${done} of ${total}` : `${STAGES_EN[stage]}: ${done} of ${total}`,
    decision: { meet: 'Meet', later: 'Later', pass: 'Pass' },
    attention: {
      failed: 'The review failed',
      unreadable: 'No text could be read',
      language: 'Language not supported',
      gaps: 'Something could not be computed',
      steering: 'Text that tries to steer the score',
      invisible_text: 'Invisible text',
      contradictions: 'The deck contradicts itself',
      few_quotes: 'Few quotes are verified',
    },
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
    decision: { meet: 'Treffen', later: 'Später', pass: 'Absage' },
    attention: {
      failed: 'Die Prüfung ist fehlgeschlagen',
      unreadable: 'Kein Text war lesbar',
      language: 'Sprache nicht unterstützt',
      gaps: 'Etwas konnte nicht berechnet werden',
      steering: 'Text, der die Bewertung lenken will',
      invisible_text: 'Unsichtbarer Text',
      contradictions: 'Das Deck widerspricht sich',
      few_quotes: 'Wenige Zitate sind belegt',
    },
  },
);
