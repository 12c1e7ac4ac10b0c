/** An entry of the deck list as a function of a deck's reviews, of what people said, and of costs. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ANALYSIS_STATUSES, ATTENTION_REASONS } from '../../../../domain/decks/list/kinds.ts';
import {
  entryOf,
  newestReview,
  type ListedFacts,
  type ListedReport,
  type ReviewOfDeck,
  type ShownReview,
  shownReview,
} from '../../../../domain/decks/list/entry-of.ts';
import { ILLEGIBLE_CODE, LANGUAGE_CODE, NO_TEXT_CODE } from '../../../../domain/decks/unread.ts';
import { MARK_RULE } from '../../../../domain/evidence/answering-settings.ts';
import { ANSWERING } from '../../../../domain/evidence/answering.ts';
import type { HumanVerdict } from '../../../../domain/decks/verdicts/human-verdict.ts';
import { forAll } from '../../../../testing/property.ts';
import { said } from '../../../../testing/said.ts';

const STARTED = { id: 'a', createdAtMs: 0, status: 'running', overallScore: null, hasFound: false } as const;
const review = (changes: Partial<ReviewOfDeck>): ReviewOfDeck => ({ ...STARTED, ...changes });

const value = (field: string, raw: string | null, more: Partial<ShownReview['values'][number]> = {}) => ({
  field,
  raw,
  status: raw === null ? 'not_found' : 'found',
  amount: null,
  currency: null,
  isoDate: null,
  ...more,
});

const shown = (changes: Partial<ShownReview> = {}): ShownReview => ({
  engineKind: 'language model',
  profile: null,
  overallScore: 4,
  scoredQuestions: 3,
  askedQuestions: 4,
  values: [],
  sector: null,
  quotes: [],
  gaps: [],
  hasSteering: false,
  hasContradictions: false,
  said: new Map(),
  chapters: [],
  ...changes,
});

const DECK: ListedReport['deck'] = {
  fileName: 'acme.pdf',
  otherNames: [],
  title: null,
  hazards: [],
  hasInvisibleText: false,
  company: null,
};

const entry = (
  of: ShownReview | null,
  { deck = {}, verdicts = [] }: { deck?: Partial<ListedReport['deck']>; verdicts?: HumanVerdict[] } = {},
): ListedFacts =>
  entryOf(
    {
      deck: { ...DECK, ...deck },
      newestStatus: of === null ? null : 'completed',
      shown: of,
      sectorNames: new Map([['fintech', 'Financial technology']]),
    },
    { verdicts, costs: { usd: null }, rule: MARK_RULE },
  );

const NEITHER = { reread: null, answerId: null, state: null } as const;

it('the shown review is the newest with a result, before the first of these the newest that found something', () => {
  const whole = review({ id: 'whole', createdAtMs: 1, status: 'completed' });
  const scored = review({ id: 'scored', createdAtMs: 2, status: 'failed', overallScore: 3 });
  const found = review({ id: 'found', createdAtMs: 3, hasFound: true });
  const empty = review({ id: 'empty', createdAtMs: 4 });
  expect(shownReview([empty])).toBeNull();
  expect(shownReview([found, empty])?.id).toBe('found');
  expect(shownReview([whole, found, empty])?.id).toBe('whole');
  expect(shownReview([whole, scored, found, empty])?.id).toBe('scored');
  expect(newestReview([whole, empty, found])?.id).toBe('empty');
});

it('the shown review does not depend on the order in which reviews are read', () => {
  const someReview = fc.record({
    id: fc.string(),
    createdAtMs: fc.integer({ min: 0, max: 3 }),
    status: fc.constantFrom(...ANALYSIS_STATUSES),
    overallScore: fc.option(fc.integer({ min: 0, max: 7 })),
    hasFound: fc.boolean(),
  });
  return forAll([fc.uniqueArray(someReview, { selector: ({ id }) => id })], (reviews) => {
    expect(shownReview(reviews.toReversed())).toEqual(shownReview(reviews));
    expect(newestReview(reviews.toReversed())).toEqual(newestReview(reviews));
  });
});

it('an entry names the company as a person did, then as it was found; a person who moved the deck has the last word', () => {
  const found = shown({ values: [value('company_name', 'Found')] });
  const verdicts = [said({ subject: 'value/company_name', text: 'Said' })];
  const put = { company: { name: 'Put', isByPerson: false } };
  const moved = { company: { name: 'Moved', isByPerson: true } };
  expect(entry(found).company).toBe('Found');
  expect(entry(found, { deck: put }).company).toBe('Put');
  expect(entry(found, { deck: put, verdicts }).company).toBe('Said');
  expect(entry(found, { deck: moved, verdicts }).company).toBe('Moved');
  expect(entry(null, { verdicts }).company).toBe('Said');
});

it('an entry has amount and currency of the ask from the source of its text', () => {
  const found = shown({ values: [value('funding', '€2m', { amount: 2_000_000, currency: 'EUR' })] });
  expect(entry(found)).toMatchObject({ askText: '€2m', askAmount: 2_000_000, askCurrency: 'EUR' });
  const verdicts = [said({ subject: 'value/funding', text: 'about a million' })];
  expect(entry(found, { verdicts })).toMatchObject({ askText: 'about a million', askAmount: null });
});

it('an entry counts gaps as a report does: a notice about the deck replaces the gaps that follow from it', () => {
  const gaps = [NO_TEXT_CODE, ILLEGIBLE_CODE, 'model_failed'].map((code) => ({ code }));
  expect(entry(shown({ gaps }))).toMatchObject({ gaps: 1, attention: ['unreadable', 'gaps'] });
  const read = shown({ gaps, values: [value('offering', 'Robots')], quotes: [] });
  expect(entry(read)).toMatchObject({ gaps: 3, attention: ['gaps', 'little_found'] });
  const foreign = shown({ gaps: [{ code: LANGUAGE_CODE }, { code: LANGUAGE_CODE }] });
  expect(entry(foreign)).toMatchObject({ gaps: 0, attention: ['language'] });
});

it('an entry is found by every name and word that it shows', () => {
  const { words } = entry(shown({ values: [value('company_name', 'Found')] }), {
    deck: { otherNames: ['old.pdf'], company: { name: 'Put', isByPerson: true } },
    verdicts: [
      said({ subject: 'value/sector', text: 'fintech' }),
      said({ kind: 'tag', subject: 'hot', text: 'hot' }),
      said({ kind: 'note', item: 'n', text: 'Ask about churn.' }),
    ],
  });
  for (const word of ['acme.pdf', 'old.pdf', 'Put', 'Found', 'fintech', 'Financial technology', 'hot', 'churn'])
    expect(words).toContain(word);
});

it('an entry keeps shares between 0 and 1, counts no quote twice, and gives reasons once, in their order', () => {
  const quote = fc.record({
    slide: fc.integer({ min: 1, max: 3 }),
    quote: fc.constantFrom('a b', 'a  b', 'c'),
    verdict: fc.constantFrom('verified' as const, 'unverified' as const),
    answering: fc.constantFrom(...ANSWERING, null),
    claim: fc.constantFrom('question/a', 'question/b'),
    reread: fc.constant(null),
    answerId: fc.option(fc.constantFrom('1', '2')),
    state: fc.constantFrom('found' as const, 'stated_absent' as const, null),
  });
  const gap = fc.constantFrom({ code: NO_TEXT_CODE }, { code: LANGUAGE_CODE }, { code: 'x' });
  return forAll(
    [fc.array(quote), fc.integer({ min: 0, max: 40 }), fc.array(gap), fc.boolean()],
    (quotes, askedQuestions, gaps, hasInvisibleText) => {
      const of = shown({ quotes, askedQuestions, scoredQuestions: Math.min(3, askedQuestions), gaps });
      const facts = entry(of, { deck: { hasInvisibleText } });
      expect(facts.quotes).toBe(new Set(quotes.map((q) => `${q.slide} ${q.quote.replace('  ', ' ')}`)).size);
      expect(facts.verifiedQuotes).toBeLessThanOrEqual(facts.quotes);
      expect(facts.judgedQuotes).toBeLessThanOrEqual(facts.verifiedQuotes);
      expect(facts.highQuotes + facts.someQuotes).toBeLessThanOrEqual(facts.judgedQuotes);
      expect(facts.answeringShare === null).toBe(facts.judgedQuotes === 0);
      expect(facts.coverage).toSatisfy((share: number | null) => share === null || (share >= 0 && share <= 1));
      expect(facts.attention).toEqual(ATTENTION_REASONS.filter((reason) => facts.attention.includes(reason)));
      expect(facts.attention.includes('invisible_text')).toBe(hasInvisibleText);
      expect(facts.score).toBe(facts.machineScore);
      expect(facts.evidenceFound ?? 0).toBeLessThanOrEqual(new Set(quotes.map(({ answerId }) => answerId)).size);
      const isCountable = facts.verifiedQuotes === 0 || facts.judgedQuotes > 0;
      expect([null, ...(askedQuestions > 0 && isCountable ? [askedQuestions] : [])]).toContain(facts.evidenceAsked);
      expect(facts.rank).toSatisfy((rank: number) => rank >= 2 && rank <= 3);
    },
  );
});

it('the share of answering quotes is null where none was judged, and follows what a person says of the very words', () => {
  const quotes = [
    {
      slide: 1,
      quote: 'a',
      verdict: 'verified' as const,
      answering: 'doubtful' as const,
      claim: 'question/moat',
      ...NEITHER,
    },
    { slide: 2, quote: 'b', verdict: 'verified' as const, answering: null, claim: 'question/churn', ...NEITHER },
  ];
  const of = shown({ quotes, said: new Map([['question/moat', 'A patent.']]) });
  expect(entry(shown({ quotes: quotes.slice(1) }))).toMatchObject({ answeringShare: null, judgedQuotes: 0 });
  expect(entry(of)).toMatchObject({ answeringShare: 0, judgedQuotes: 1, highQuotes: 0, verifiedQuotes: 2 });
  const judged = (machine: string) => [
    said({ kind: 'judgement', subject: 'question/moat', text: 'right', machine: { text: machine, score: null } }),
  ];
  expect(entry(of, { verdicts: judged('A patent.') })).toMatchObject({ answeringShare: 0.5, highQuotes: 1 });
  expect(entry(of, { verdicts: judged('Another answer.') })).toMatchObject({ answeringShare: 0 });
});

it('a value that a person confirmed counts as answered', () => {
  const quotes = [
    { slide: 1, quote: 'a', verdict: 'verified' as const, answering: null, claim: 'value/company_name', ...NEITHER },
  ];
  const of = shown({ quotes, said: new Map([['value/company_name', 'Acme']]) });
  const confirmed = (text: string) => [said({ subject: 'value/company_name', text })];
  expect(entry(of, { verdicts: confirmed('Acme') })).toMatchObject({ answeringShare: 1, highQuotes: 1 });
  expect(entry(of, { verdicts: confirmed('Other') })).toMatchObject({ answeringShare: null, highQuotes: 0 });
});

it('quotes that a person called right count although they were withdrawn or their answer was not supported', () => {
  const quote = { quote: 'a', answering: null, claim: 'question/moat', answerId: null } as const;
  const quotes = [
    { ...quote, slide: 1, verdict: 'unverified' as const, reread: 'withdrawn' as const, state: 'found' as const },
    { ...quote, slide: 2, verdict: 'verified' as const, reread: null, state: 'not_supported' as const },
  ];
  const of = shown({ quotes, said: new Map([['question/moat', 'A patent.']]) });
  const judged = (text: 'right' | 'wrong') => [
    said({ kind: 'judgement', subject: 'question/moat', text, machine: { text: 'A patent.', score: null } }),
  ];
  expect(entry(of)).toMatchObject({ quotes: 1, verifiedQuotes: 0 });
  expect(entry(of, { verdicts: judged('wrong') })).toMatchObject({ quotes: 1, verifiedQuotes: 0, highQuotes: 0 });
  expect(entry(of, { verdicts: judged('right') })).toMatchObject({ quotes: 2, verifiedQuotes: 2, highQuotes: 2 });
});

it('a question has evidence where it was answered or is stated to be absent, by settled quotes, each answer for itself', () => {
  const quote = (
    answerId: string,
    more: Partial<ShownReview['quotes'][number]> = {},
  ): ShownReview['quotes'][number] => ({
    slide: 1,
    quote: 'a',
    verdict: 'verified',
    answering: 'high',
    claim: 'question/moat',
    reread: null,
    answerId,
    state: 'found',
    ...more,
  });
  const found = (...quotes: ShownReview['quotes']): number | null =>
    entry(shown({ quotes, askedQuestions: 34 })).evidenceFound;
  expect(found(quote('1'))).toBe(1);
  // The same question in two chapters.
  expect(found(quote('1'), quote('2'))).toBe(2);
  expect(found(quote('1', { state: 'stated_absent' }))).toBe(1);
  expect(found(quote('1', { answering: 'some' }))).toBe(0);
  expect(found(quote('1', { answering: null }))).toBeNull();
  expect(found(quote('1'), quote('1', { verdict: 'contradicted', quote: 'b' }))).toBe(0);
  expect(entry(shown({ quotes: [quote('1')], askedQuestions: 0 })).evidenceFound).toBeNull();
  expect(entry(null)).toMatchObject({ evidenceFound: null, evidenceAsked: null, rank: null, documentKind: null });
});

it('a person who calls an answer wrong takes its evidence away', () => {
  const quote = { slide: 1, quote: 'a', verdict: 'verified', answering: 'high', reread: null, state: 'found' } as const;
  const of = shown({
    quotes: [{ ...quote, claim: 'question/moat', answerId: '1' }],
    said: new Map([['question/moat', 'A patent.']]),
  });
  const wrong = said({
    kind: 'judgement',
    subject: 'question/moat',
    text: 'wrong',
    machine: { text: 'A patent.', score: null },
  });
  expect(entry(of).evidenceFound).toBe(1);
  expect(entry(of, { verdicts: [wrong] }).evidenceFound).toBe(0);
});

it('a judgement of a person on a topic of the profile changes its counts', () => {
  const quote = { slide: 1, quote: 'a', verdict: 'verified', answering: null, reread: null, state: null } as const;
  const of = shown({
    quotes: [{ ...quote, claim: 'profile/team', answerId: null }],
    said: new Map([['profile/team', 'Ada Lovelace (CEO)']]),
  });
  const right = said({
    kind: 'judgement',
    subject: 'profile/team',
    text: 'right',
    machine: { text: 'Ada Lovelace (CEO)', score: null },
  });
  expect(entry(of)).toMatchObject({ judgedQuotes: 0 });
  expect(entry(of, { verdicts: [right] })).toMatchObject({ judgedQuotes: 1, highQuotes: 1 });
});

it('an entry has the facts of the profile, and ranks by them where rules reviewed the deck', () => {
  const fact = { topic: 'stage', name: '', value: 'Seed', amount: null, currency: null, isPlan: false, evidence: [] };
  const profile = { documentKind: 'pitch_deck' as const, facts: [fact, { ...fact, topic: 'team', name: 'Ada' }] };
  const byRules = shown({ engineKind: 'rules', profile, askedQuestions: 34 });
  expect(entry(byRules)).toMatchObject({
    documentKind: 'pitch_deck',
    roundStage: 'Seed',
    round: 'seed',
    team: 'Ada (Seed)',
    market: null,
    resultEngineKind: 'rules',
  });
  expect(entry(byRules).rank).toBeCloseTo(2 + 1 / 9);
  expect(entry(shown({ profile, overallScore: 3.5 })).rank).toBe(2.5);
  const form = entry(shown({ profile: { ...profile, documentKind: 'form' }, overallScore: 7 }));
  expect(form).toMatchObject({ documentKind: 'form', rank: 1 });
});
