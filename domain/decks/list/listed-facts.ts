/** Typed facts of a deck's profile as its entry in the list has them: one line for each topic. */
import { statementOfTopic } from '../../profile/statement.ts';
import { type Round, roundOf } from '../../profile/round.ts';
import { type DocumentKind, PROFILE_TOPICS, type ProfileTopic } from '../../profile/topics.ts';
import type { ReportFact } from '../report.ts';

/** A fact of a shown profile. */
export interface ShownFact extends Pick<ReportFact, 'name' | 'value' | 'amount' | 'currency' | 'isPlan'> {
  readonly topic: string;
  readonly evidence: readonly { readonly quote: string }[];
}

/** A profile with its facts in their order; those that say that there is none are left out. */
export interface ShownProfile {
  readonly documentKind: DocumentKind | null;
  readonly facts: readonly ShownFact[];
}

/** Facts of a profile in an entry; null where the deck says nothing. */
export interface ProfileColumns {
  readonly documentKind: DocumentKind | null;
  readonly roundStage: string | null;
  readonly round: Round | null;
  readonly customers: string | null;
  readonly useOfFunds: string | null;
  readonly traction: string | null;
  readonly team: string | null;
  readonly market: string | null;
  readonly competition: string | null;
  readonly marketAmount: number | null;
  readonly marketCurrency: string | null;
}

/** The words of each topic; topics without any are left out. */
export const topicTexts = ({ facts }: Pick<ShownProfile, 'facts'>): ReadonlyMap<ProfileTopic, string> =>
  new Map(
    PROFILE_TOPICS.flatMap((topic) => {
      const text = statementOfTopic({ topic, facts: facts.filter((fact) => fact.topic === topic) });
      return text === null ? [] : [[topic, text]];
    }),
  );

/** The facts of a profile as columns. */
export function profileColumns(profile: ShownProfile | null): ProfileColumns {
  const texts = profile === null ? new Map<ProfileTopic, string>() : topicTexts(profile);
  const lineOf = (topic: ProfileTopic): string | null => texts.get(topic)?.replaceAll(/\s+/gu, ' ').trim() ?? null;
  const roundStage = lineOf('stage');
  const largest = largestMarket(profile?.facts ?? []);
  return {
    documentKind: profile?.documentKind ?? null,
    roundStage,
    round: roundStage === null ? null : roundOf(roundStage),
    customers: lineOf('customers'),
    useOfFunds: lineOf('use_of_funds'),
    traction: lineOf('traction'),
    team: lineOf('team'),
    market: lineOf('market'),
    competition: lineOf('competition'),
    marketAmount: largest?.amount ?? null,
    marketCurrency: largest?.currency ?? null,
  };
}

/** The fact with the largest amount. Amounts of several currencies are compared as they stand. */
function largestMarket(facts: readonly ShownFact[]): ShownFact | undefined {
  return facts
    .filter(({ topic, amount, isPlan }) => topic === 'market' && amount !== null && !isPlan)
    .reduce<ShownFact | undefined>(
      (largest, fact) => ((fact.amount ?? 0) > (largest?.amount ?? -1) ? fact : largest),
      undefined,
    );
}
