/** Words of a topic of a profile. Without a library at run time: the pages of the workspace import it. */
import type { ReportEvidence, ReportFact, ReportTopic } from '../decks/report.ts';
import type { ProfileTopic } from './topics.ts';

/** Between two facts of a topic. */
const BETWEEN = ' · ';

/** Words of a fact: `Ada Lovelace (CEO)`, `Bikes 45 %`, `TAM €12.4B`, `31 paying hospitals`; its quote where it has no others. */
export function statementOfFact(
  topic: ProfileTopic,
  {
    name,
    value,
    evidence: [first],
  }: Pick<ReportFact, 'name' | 'value'> & { readonly evidence: readonly { readonly quote: string }[] },
): string {
  // A bare figure does not say of which market it is.
  if (name === '' && topic === 'market' && first !== undefined) return first.quote;
  if (name === '' || value === '') return `${name}${value}` || (first?.quote ?? '');
  switch (topic) {
    case 'team':
      return `${name} (${value})`;
    case 'ask':
      return value.toLowerCase().includes(name.toLowerCase()) || name === AMOUNT ? value : `${name}: ${value}`;
    default:
      return `${name} ${value}`;
  }
}

/** Name of the fact that is the money sought. */
export const AMOUNT = 'amount';

/** Words of a topic, its facts one after the other; null without facts. Plans are left out. */
export function statementOfTopic({
  topic,
  facts,
}: {
  readonly topic: ProfileTopic;
  readonly facts: readonly (Pick<ReportFact, 'isPlan'> & Parameters<typeof statementOfFact>[1])[];
}): string | null {
  const said = facts.filter(({ isPlan }) => !isPlan).map((fact) => statementOfFact(topic, fact));
  return said.length === 0 ? null : said.join(BETWEEN);
}

/** All quotes of a topic. */
export const quotesOfTopic = ({ facts, evidence }: Pick<ReportTopic, 'facts' | 'evidence'>): ReportEvidence[] => [
  ...facts.flatMap((fact) => fact.evidence),
  ...evidence,
];
