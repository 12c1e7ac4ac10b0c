/** Words of how a review was made: models, prompts, hosts, times, cost. */
import type { ModelTask } from '../../../domain/models/model-tasks.ts';
import type { RolloutSide } from '../../../domain/rollouts/assignment.ts';
import { bothLanguages } from '../../words/language.ts';

interface MadeWords {
  readonly title: string;
  readonly engine: string;
  readonly rules: string;
  readonly rollout: string;
  readonly rolloutSides: Readonly<Record<RolloutSide, string>>;
  readonly template: string;
  readonly language: string;
  readonly started: string;
  readonly finished: string;
  readonly duration: string;
  readonly cost: string;
  readonly costOfDeck: string;
  readonly analysis: string;
  readonly file: string;
  readonly steps: string;
  readonly task: string;
  readonly model: string;
  readonly digest: string;
  readonly prompt: string;
  readonly host: string;
  readonly setup: string;
  readonly calls: string;
  readonly time: string;
  readonly computed: string;
  readonly attempts: string;
  readonly method: string;
  readonly methodText: string;
  readonly seconds: (seconds: string) => string;
  readonly version: (version: number) => string;
  readonly tasks: Readonly<Record<ModelTask, string>>;
}

export const madeWords = bothLanguages<MadeWords>(
  {
    title: 'How this review was made',
    engine: 'Answered by',
    rules: 'rules, not a language model',
    rollout: 'Rollout',
    rolloutSides: { candidate: 'candidate', baseline: 'baseline' },
    template: 'Questions',
    language: 'Language of the answers',
    started: 'Started',
    finished: 'Finished',
    duration: 'Took',
    cost: 'Cost of this run',
    costOfDeck: 'Cost of all runs of the deck',
    analysis: 'Id of the run',
    file: 'SHA-256 of the file',
    steps: 'Steps',
    task: 'Step',
    model: 'Model',
    digest: 'Digest',
    prompt: 'Prompt',
    host: 'Host',
    setup: 'set-up',
    calls: 'Calls',
    time: 'Time',
    computed: 'Computed',
    attempts: 'Attempts',
    method: 'Score',
    methodText: 'Mean of the chapters by weight; each is the mean of its scored questions by weight.',
    seconds: (seconds) => `${seconds} s`,
    version: (version) => `version ${version}`,
    tasks: {
      describe_slide: 'Reading of a slide',
      slide_feedback: 'Feedback on a slide',
      condense_slide: 'Shortening of a slide',
      extract_offering: 'Offering',
      extract_company_name: 'Company',
      extract_funding: 'Funding sought',
      extract_deck_date: 'Date of the deck',
      classify_sector: 'Sector',
      answer_question: 'Answer',
      score_answer: 'Score',
      specialised_clinical: 'Clinical reading',
      specialised_regulatory: 'Regulatory reading',
      specialised_science: 'Scientific reading',
    },
  },
  {
    title: 'Wie diese Prüfung entstand',
    engine: 'Beantwortet von',
    rules: 'Regeln, kein Sprachmodell',
    rollout: 'Rollout',
    rolloutSides: { candidate: 'Kandidat', baseline: 'Vergleichsgruppe' },
    template: 'Fragen',
    language: 'Sprache der Antworten',
    started: 'Begonnen',
    finished: 'Beendet',
    duration: 'Dauer',
    cost: 'Kosten dieses Laufs',
    costOfDeck: 'Kosten aller Läufe des Decks',
    analysis: 'Kennung des Laufs',
    file: 'SHA-256 der Datei',
    steps: 'Schritte',
    task: 'Schritt',
    model: 'Modell',
    digest: 'Prüfsumme',
    prompt: 'Prompt',
    host: 'Rechner',
    setup: 'Einrichtung',
    calls: 'Aufrufe',
    time: 'Zeit',
    computed: 'Berechnet',
    attempts: 'Versuche',
    method: 'Bewertung',
    methodText: 'Mittel der Kapitel nach Gewicht; jedes ist das Mittel seiner bewerteten Fragen nach Gewicht.',
    seconds: (seconds) => `${seconds} s`,
    version: (version) => `Version ${version}`,
    tasks: {
      describe_slide: 'Lesen einer Folie',
      slide_feedback: 'Rückmeldung zu einer Folie',
      condense_slide: 'Kürzen einer Folie',
      extract_offering: 'Angebot',
      extract_company_name: 'Unternehmen',
      extract_funding: 'Gesuchte Finanzierung',
      extract_deck_date: 'Stand des Decks',
      classify_sector: 'Branche',
      answer_question: 'Antwort',
      score_answer: 'Bewertung',
      specialised_clinical: 'Klinische Prüfung',
      specialised_regulatory: 'Regulatorische Prüfung',
      specialised_science: 'Wissenschaftliche Prüfung',
    },
  },
);
