/** Every deck ends, whatever its model server does: on servers of OpenAI's protocol. See every-deck-ends.deep.test.ts. */
import { describe, expect, it } from 'vitest';
import { PROFILE_TOPICS } from '../../domain/profile/topics.ts';
import { perFile } from '../../testing/per-file.ts';
import { startTrials } from '../../testing/scripted-model/review.ts';
import type { Act, Answer } from '../../testing/scripted-openai/script.ts';
import type { ScriptedOpenAiOptions } from '../../testing/scripted-openai/server.ts';
import { type DeckFault, scriptedOpenAi } from '../../testing/scripted-openai/trial.ts';
import { expectEnded, expectWhole } from './ended.ts';

const trials = perFile(startTrials);

type Options = Omit<ScriptedOpenAiOptions, 'models' | 'script'>;
const always = (act: Act): DeckFault => ({ act: () => act });
const breaking = (how: NonNullable<Answer['breaks']>['how'], afterTokens = 2): DeckFault =>
  always({ kind: 'answer', breaks: { how, afterTokens } });
const refused: Act = { kind: 'refuse', refusal: 'rate_limit', retryAfter: '1' };

const USABLE: Readonly<Record<string, readonly [Options, DeckFault]>> = {
  'is a sound vLLM': [{ dialect: 'vllm' }, {}],
  'is a sound llama-server': [{ dialect: 'llama-server' }, {}],
  'is a hosted model that reasons and refuses fields': [
    { dialect: 'hosted', isReasoningModel: true, thinks: 'field' },
    {},
  ],
  'refuses a storm of calls and then takes them': [
    { dialect: 'hosted' },
    { act: (number) => (number <= 3 ? refused : undefined) },
  ],
  'breaks some answers off': [
    {},
    { act: (number) => (number % 5 === 0 ? { kind: 'answer', breaks: { how: 'reset', afterTokens: 2 } } : undefined) },
  ],
  'puts fences and prose around its answers': [{}, always({ kind: 'answer', text: 'fence' })],
  'thinks in its answers': [{ thinks: 'content' }, {}],
  'is gone in the middle and comes back': [{}, { death: { atRequest: 4, backAfterSec: 600 } }],
};

/** With what the gaps or the state say of it. */
const NEVER_USABLE: Readonly<Record<string, readonly [Options, DeckFault, RegExp]>> = {
  'is always busy': [{ dialect: 'hosted' }, always(refused), /busy/u],
  'gives half answers': [{}, breaking('end'), /runner ended/u],
  'resets every answer': [{}, breaking('reset'), /cannot be reached|connection/u],
  'says nothing at all': [{}, breaking('silence', 0), /did not read|stopped answering/u],
  'stops in the middle of every answer': [{}, breaking('silence'), /stopped answering/u],
  'writes in a loop': [{}, always({ kind: 'answer', text: 'loop', ignoresLimits: true }), /no usable answer/u],
  'writes white space': [{}, always({ kind: 'answer', text: 'white_space', ignoresLimits: true }), /no usable answer/u],
  'only thinks': [
    { thinks: 'field' },
    always({ kind: 'answer', text: { exactly: '' }, finish: 'length' }),
    /no usable answer/u,
  ],
  'withholds every answer': [{}, always({ kind: 'answer', finish: 'content_filter' }), /content filter/u],
  'refuses every request': [
    {},
    always({ kind: 'document', status: 400, body: { error: { message: 'No.' } } }),
    /refused the input/u,
  ],
  'has no credit left': [
    { dialect: 'hosted' },
    {
      ...always({ kind: 'document', status: 429, body: { error: { message: 'No.', code: 'insufficient_quota' } } }),
      isOfAccount: true,
    },
    /no credit left/u,
  ],
  'wants another key from the middle on': [
    {},
    { act: (number) => (number > 4 ? { kind: 'refuse', refusal: 'bad_key' } : undefined), isOfAccount: true },
    /(?:wants a|refuses the) key \(401\)/u,
  ],
  'is gone for good': [{}, { death: { atRequest: 4, backAfterSec: null } }, /reached|host|machine/u],
};

/** A profile with a list for one fact, a fact without its list, a slide in words, and a sentence for a list. */
const MALFORMED_PROFILE = {
  ...Object.fromEntries(PROFILE_TOPICS.map((topic) => [topic, []])),
  document: { slide: 1, quote: '', kind: 'pitch_deck' },
  absent: [],
  traction: { slide: 3, quote: 'In a pilot with 212 patients readmissions fell by 38 %.', name: '38 % in a pilot' },
  customers: [{ slide: 'Slide 4', quote: '45 euros per patient and month', name: 'Hospitals' }, 'clinics'],
  team: 'See the last slide.',
};

describe.concurrent('reviews on scripted servers of OpenAI’s protocol', () => {
  it.for(Object.entries(USABLE))('a deck on a server that %s is reviewed whole', async ([, [options, fault]]) => {
    expectWhole(await trials.reviewOn(scriptedOpenAi(options, fault), 2));
  });

  it.for(Object.entries(NEVER_USABLE))(
    'a deck on a server that %s ends with the reason',
    async ([, [options, fault, reason]]) => {
      const outcome = await trials.reviewOn(scriptedOpenAi(options, fault), 2);
      expectEnded(outcome);
      const { status, gaps, failure } = outcome.report;
      expect(status).not.toBe('completed');
      expect(JSON.stringify([gaps.map(({ message }) => message), failure])).toMatch(reason);
    },
  );

  it('a model is asked for all topics once, and what cannot be read of its lists is a gap by name', async () => {
    let asked = 0;
    const outcome = await trials.reviewOn(
      scriptedOpenAi(
        { dialect: 'vllm' },
        {
          act: (_number, { response_format: format }) => {
            if (format?.json_schema?.name !== 'extract_profile') return undefined;
            asked += 1;
            return { kind: 'answer', text: { exactly: JSON.stringify(MALFORMED_PROFILE) } };
          },
        },
      ),
      5,
    );
    expectEnded(outcome);
    expect(asked).toBe(1);
    const { profile, gaps } = outcome.report;
    const topics = new Map(profile.topics.map((each) => [each.topic, each]));
    expect(topics.get('traction')).toMatchObject({ status: 'found', facts: [{ evidence: [{ verdict: 'verified' }] }] });
    expect(topics.get('customers')).toMatchObject({ status: 'found', facts: [{ evidence: [{ slide: 4 }] }] });
    expect(topics.get('team')?.status).toBe('unparseable');
    expect(topics.get('market')).toMatchObject({ status: 'not_found', facts: [] });
    expect(gaps.map(({ item, code, message }) => [item, code, message])).toEqual([
      ['profile', 'model_output_unparseable', expect.stringContaining('lacks team')],
    ]);
  });

  it('a server whose certificate is for another name is named when it is added', async () => {
    const start = scriptedOpenAi({ tls: { name: 'other.example' } });
    await expect(trials.reviewOn(start, 1)).rejects.toThrow(/certificate of the server is/u);
  });
});
