/** Words of the section with questions to the founder. */
import { bothLanguages } from '../../words/language.ts';

export const founderSectionWords = bothLanguages(
  {
    none: 'The deck leaves no question open.',
    later: 'They follow once the answers are there.',
    reasons: {
      unreadable: 'Could not be read',
      contradiction: 'The deck contradicts itself',
      not_found: 'Not found in the deck',
      stated_absent: 'The deck says that there is none',
      partly: 'Said only in part',
    },
    chosenOf: (chosen: number, all: number) => `${chosen} of ${all} chosen`,
    chooseAll: 'Choose all',
    chooseNone: 'Choose none',
    copyText: 'Copy',
    copyMail: 'Copy as mail',
    openMail: 'Open as mail',
    copied: 'Copied',
    notCopied: 'The browser did not let the page copy it.',
    longMail: 'Some mail programs cut a mail of this length that a page opens. Copy it in that case.',
    language: 'Language of the questions',
  },
  {
    none: 'Das Deck lässt keine Frage offen.',
    later: 'Sie folgen, sobald die Antworten da sind.',
    reasons: {
      unreadable: 'Nicht lesbar',
      contradiction: 'Das Deck widerspricht sich',
      not_found: 'Im Deck nicht gefunden',
      stated_absent: 'Laut Deck nicht vorhanden',
      partly: 'Nur zum Teil gesagt',
    },
    chosenOf: (chosen, all) => `${chosen} von ${all} ausgewählt`,
    chooseAll: 'Alle auswählen',
    chooseNone: 'Keine auswählen',
    copyText: 'Kopieren',
    copyMail: 'Als Mail kopieren',
    openMail: 'Als Mail öffnen',
    copied: 'Kopiert',
    notCopied: 'Der Browser hat das Kopieren nicht zugelassen.',
    longMail: 'Manche Mailprogramme kürzen eine so lange Mail, die eine Seite öffnet. Kopieren Sie sie in diesem Fall.',
    language: 'Sprache der Fragen',
  },
);
