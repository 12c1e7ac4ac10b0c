/**
 * The profile of a deck: facts by topic, each with its quote. Each topic has a rule of its own in `reader/profile`; what a rule does not find is
 * left out.
 */
import type { ProfileOutput } from '../domain/profile/schema.ts';
import { PROFILE_TOPICS } from '../domain/profile/topics.ts';
import { documentKindOf, statesNothing } from './document-kind.ts';
import type { ReadPrompt } from './prompt.ts';
import { absentTopics } from './profile/absent.ts';
import { askFacts } from './profile/ask.ts';
import { competitionFacts } from './profile/competition.ts';
import { customersFacts } from './profile/customers.ts';
import { marketFacts } from './profile/market.ts';
import { offeringFacts } from './profile/offering.ts';
import { stageFacts } from './profile/stage.ts';
import { teamFacts } from './profile/team.ts';
import { tractionFacts } from './profile/traction.ts';
import { useOfFundsFacts } from './profile/funds.ts';

const NOTHING: ProfileOutput = {
  document: { slide: 1, quote: '', kind: 'pitch_deck' },
  offering: [],
  customers: [],
  ask: [],
  use_of_funds: [],
  traction: [],
  team: [],
  market: [],
  competition: [],
  stage: [],
  absent: [],
};

/** The profile of a deck; nothing but its kind where it states nothing of a company. */
export function extractProfile(prompt: ReadPrompt): ProfileOutput {
  const document = documentKindOf(prompt.slides) ?? NOTHING.document;
  if (statesNothing(prompt.slides)) return { ...NOTHING, document };
  const found = {
    ...NOTHING,
    document,
    offering: offeringFacts(prompt),
    customers: customersFacts(prompt),
    ask: askFacts(prompt),
    use_of_funds: useOfFundsFacts(prompt),
    traction: tractionFacts(prompt),
    team: teamFacts(prompt),
    market: marketFacts(prompt),
    competition: competitionFacts(prompt),
    stage: stageFacts(prompt),
  };
  return {
    ...found,
    absent: absentTopics(
      prompt,
      PROFILE_TOPICS.filter((topic) => found[topic].length === 0),
    ),
  };
}
