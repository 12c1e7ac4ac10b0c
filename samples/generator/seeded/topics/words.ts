/**
 * The words of slides about topics, by language: competitors, parts of a market, uses of funds, roles, screens, plans, costs, segments. Blanks
 * are those of `phrases.ts`.
 */
import { z } from 'zod';
import { QUESTION_SLUGS } from '../../../../domain/evaluation/deck-truth.ts';
import { listOf, texts } from '../../spec.ts';
import german from './words.de.json' with { type: 'json' };
import english from './words.en.json' with { type: 'json' };

const text = z.string();
const three = z.tuple([text, text, text]);

const topicWordsSchema = z.strictObject({
  /** Invented companies. */
  rivals: texts,
  /** Kinds of alternatives that are no companies. */
  alternatives: texts,
  /** Above the first column of a table whose other columns are companies. */
  corners: texts,
  /** Above the first column of a table whose rows are companies. */
  companyHead: texts,
  /** Criteria that a company meets or not. */
  abilities: texts,
  /** Criteria with a figure. */
  figures: listOf(z.strictObject({ head: text, cell: text })),
  answers: z.strictObject({ yes: texts, no: texts, partly: texts }),
  competitionAfter: texts,
  /** Names of the whole market, of the part that is served, and of the part that can be reached. */
  marketNames: listOf(three),
  marketNotes: listOf(three),
  growth: texts,
  marketSources: texts,
  useTitles: texts,
  uses: texts,
  teamTitles: texts,
  founderRoles: listOf(three),
  staffRoles: texts,
  advisorHeads: texts,
  /** The first is the role of an advisor whose card has none. */
  advisorRoles: texts,
  /** Before a name. */
  titles: texts,
  screens: listOf(
    z.strictObject({
      devices: listOf(z.enum(['phone', 'browser', 'dashboard', 'map'])),
      title: text,
      menu: texts,
      rows: listOf(z.strictObject({ text, detail: text })),
      button: text,
    }),
  ),
  planNames: listOf(three),
  planPers: texts,
  planFeatures: texts,
  planBadges: texts,
  onRequest: texts,
  free: texts,
  spending: texts,
  burnTitles: texts,
  burnRows: z.strictObject({ month: texts, year: texts }),
  cashRow: text,
  /** Labels of the figures on burn: burn of a month, cash, runway, personnel. */
  burnLabels: z.tuple([text, text, text, text]),
  months: texts,
  achievedHeads: texts,
  plannedHeads: texts,
  achieved: listOf(z.strictObject({ text, answers: z.enum(QUESTION_SLUGS).optional() })),
  planned: texts,
  customerTitles: texts,
  segments: listOf(z.strictObject({ name: text, text })),
  partnersHead: text,
  stageTitles: texts,
  rounds: texts,
  steps: texts,
  stepNotes: z.strictObject({ done: text, now: text, next: text }),
  /** Blanks {round} and {step}. */
  stateLines: texts,
  stageLabels: z.strictObject({ round: text, step: text }),
});
/** Everything that slides about topics say in one language. */
export type TopicWords = z.infer<typeof topicWordsSchema>;

/** Words of slides about topics, by language. */
export const TOPIC_WORDS: Readonly<Record<'en' | 'de', TopicWords>> = {
  en: topicWordsSchema.parse(english),
  de: topicWordsSchema.parse(german),
};

/** The round of a deck that names its stage; the same on each of its slides. */
export function roundOf({ seed, language }: { readonly seed: number; readonly language: 'en' | 'de' }): string {
  const { rounds } = TOPIC_WORDS[language];
  return rounds[Math.abs(seed) % rounds.length] ?? '';
}
