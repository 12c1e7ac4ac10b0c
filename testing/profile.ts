/** Profiles of decks for tests of what is made of them. */
import type { ReportEvidence, ReportFact, ReportProfile, ReportTopic } from '../domain/decks/report.ts';
import type { DeckEntry } from '../domain/decks/list/entry.ts';
import { PROFILE_TOPICS, type ProfileTopic } from '../domain/profile/topics.ts';

/** The facts in the list of a deck that states none. */
export const NO_LISTED_FACTS: DeckEntry['facts'] = {
  stage: null,
  round: null,
  customers: null,
  useOfFunds: null,
  traction: null,
  team: null,
  market: null,
  competition: null,
};

/** A quote that stands on its slide; whether it answers was not judged. */
export const quoteFrom = (slide: number, quote: string, changes: Partial<ReportEvidence> = {}): ReportEvidence => ({
  slide,
  quote,
  verdict: 'verified',
  reason: null,
  boxes: null,
  answering: null,
  answeringBy: null,
  citedSlide: null,
  recognised: false,
  reread: null,
  rereadReason: null,
  ...changes,
});

/** A fact with its quote. */
export const factFrom = (slide: number, quote: string, changes: Partial<ReportFact> = {}): ReportFact => ({
  name: '',
  value: '',
  amount: null,
  minAmount: null,
  currency: null,
  percent: null,
  isPlan: false,
  evidence: [quoteFrom(slide, quote)],
  ...changes,
});

/** A profile with these facts or states of topics; nothing was found on the others. */
export const profileOf = (
  topics: Readonly<Partial<Record<ProfileTopic, readonly ReportFact[] | Partial<ReportTopic>>>>,
  changes: Partial<ReportProfile> = {},
): ReportProfile => ({
  status: 'analysed',
  reason: null,
  document: { kind: 'pitch_deck', evidence: [] },
  topics: PROFILE_TOPICS.map((topic) => {
    const given = topics[topic] ?? {};
    const found = 'length' in given ? { status: 'found' as const, facts: [...given] } : given;
    return { topic, status: 'not_found', facts: [], evidence: [], ...found };
  }),
  computedWithout: [],
  provenance: null,
  ...changes,
});

/** The profile of a review that was made before decks had one. */
export const NO_PROFILE: ReportProfile = {
  status: 'not_asked',
  reason: null,
  document: null,
  topics: [],
  computedWithout: [],
  provenance: null,
};

/** A topic in each of its states, with the absence that it is told as; `found` has a fact. */
export const TOPIC_STATES = [
  { status: 'found', absence: null },
  { status: 'stated_absent', absence: null },
  { status: 'not_found', absence: 'not_found' },
  { status: 'unreadable', absence: 'unreadable' },
  { status: 'not_asked', absence: 'not_asked' },
  { status: 'unparseable', absence: 'failed' },
  { status: 'failed', absence: 'failed' },
] as const;

/** The profile with its competition in a state: two competitors, or words that there are none. */
export function competitionIn(status: (typeof TOPIC_STATES)[number]['status']): ReportProfile {
  switch (status) {
    case 'found':
      return profileOf({ competition: [factFrom(6, 'Quay', { name: 'Quay' }), factFrom(6, 'Dock', { name: 'Dock' })] });
    case 'stated_absent':
      return profileOf({ competition: { status, evidence: [quoteFrom(6, 'Nobody else does this today.')] } });
    default:
      return profileOf({ competition: { status } });
  }
}
