/** Words that every page uses. */
import { bothLanguages } from './language.ts';

export const commonWords = bothLanguages(
  {
    close: 'Close',
    cancel: 'Cancel',
    save: 'Save',
    loading: 'Loading …',
    message: 'Message',
    tryAgain: 'Try again',
    languages: { en: 'English', de: 'German' },
    offline: 'Deckhand does not answer. Nothing is lost; the page continues once it answers again.',
    notFound: 'There is no such page.',
    toDecks: 'To the decks',
  },
  {
    close: 'Schließen',
    cancel: 'Abbrechen',
    save: 'Speichern',
    loading: 'Wird geladen …',
    message: 'Meldung',
    tryAgain: 'Noch einmal versuchen',
    languages: { en: 'Englisch', de: 'Deutsch' },
    offline: 'Deckhand antwortet nicht. Es geht nichts verloren; die Seite macht weiter, sobald es wieder antwortet.',
    notFound: 'Diese Seite gibt es nicht.',
    toDecks: 'Zu den Decks',
  },
);
