/**
 * Answer of the call that collects a deck's profile: all topics at once, each with a list of facts.
 *
 * Lengths are chosen so that the longest answer fits the output limit of the task at three characters a token. A model whose server enforces
 * no schema gets lists wrong in ways that are told apart without it: those are repaired, and a topic that cannot be is named as unanswered.
 */
import { z } from 'zod';
import { ANSWERING } from '../evidence/answering.ts';
import { DOCUMENT_KINDS, PROFILE_TOPICS, type ProfileTopic } from './topics.ts';

const slide = z.int().min(1).max(500);

/** A quote with its slide, evidence before the fact that it carries. */
const quoted = (length: number) => ({
  slide,
  quote: z.string().max(length),
  /** The built-in reader's own judgement, as in the evidence of answers. */
  answering: z.enum(ANSWERING).optional().meta({ readOnly: true }),
});

const text = (length: number): z.ZodString => z.string().max(length);

/** Most facts of each list. */
const MOST: Readonly<Record<ProfileTopic | 'absent', number>> = {
  offering: 2,
  customers: 5,
  ask: 4,
  use_of_funds: 9,
  traction: 5,
  team: 11,
  market: 4,
  competition: 11,
  stage: 2,
  absent: 2,
};

const shapes = {
  offering: z.object({ ...quoted(180), value: text(160) }),
  customers: z.object({ ...quoted(120), name: text(60) }),
  ask: z.object({ ...quoted(140), name: text(30), value: text(50) }),
  use_of_funds: z.object({ ...quoted(90), name: text(60), value: text(20) }),
  traction: z.object({ ...quoted(120), name: text(60) }),
  team: z.object({ ...quoted(90), name: text(40), value: text(50) }),
  market: z.object({ ...quoted(120), name: text(70), value: text(40) }),
  competition: z.object({ ...quoted(80), name: text(40) }),
  stage: z.object({ ...quoted(100), value: text(40) }),
  absent: z.object({ ...quoted(80), topic: z.enum(PROFILE_TOPICS) }),
} as const satisfies Record<ProfileTopic | 'absent', z.ZodObject>;

const document = z.object({ slide, quote: text(80), kind: z.enum(DOCUMENT_KINDS) });

const answer = z.object({
  /** Kind of the document, with words that show it where it is no pitch deck. */
  document,
  offering: z.array(shapes.offering).max(MOST.offering),
  customers: z.array(shapes.customers).max(MOST.customers),
  ask: z.array(shapes.ask).max(MOST.ask),
  use_of_funds: z.array(shapes.use_of_funds).max(MOST.use_of_funds),
  traction: z.array(shapes.traction).max(MOST.traction),
  team: z.array(shapes.team).max(MOST.team),
  market: z.array(shapes.market).max(MOST.market),
  competition: z.array(shapes.competition).max(MOST.competition),
  stage: z.array(shapes.stage).max(MOST.stage),
  /** Topics of which the deck says that there is none, with the words that say so. */
  absent: z.array(shapes.absent).max(MOST.absent),
  /** Topics whose list cannot be read; found while the answer is repaired, and asked of no model. */
  unanswered: z.array(z.enum(PROFILE_TOPICS)).max(PROFILE_TOPICS.length).optional().meta({ readOnly: true }),
});

/** Schema of the answer; see the file's header. */
export const profileSchema = z.preprocess(repaired, answer);
export type ProfileOutput = z.infer<typeof answer>;

/** A fact of any topic; `name` and `value` are empty where its topic has none. */
export interface ProfileFactOutput {
  readonly slide: number;
  readonly quote: string;
  readonly answering?: (typeof ANSWERING)[number] | undefined;
  readonly name: string;
  readonly value: string;
}

/** Facts of a topic, all of one shape. */
export function factsOfTopic(output: ProfileOutput, topic: ProfileTopic): ProfileFactOutput[] {
  const facts: readonly (Omit<ProfileFactOutput, 'name' | 'value'> & Partial<ProfileFactOutput>)[] = output[topic];
  return facts.map((fact) => ({ name: '', value: '', ...fact }));
}

/** Every quote of an answer. */
export function quotesOfProfile(output: ProfileOutput): Pick<ProfileFactOutput, 'slide' | 'quote' | 'answering'>[] {
  const facts = PROFILE_TOPICS.flatMap((topic) => factsOfTopic(output, topic));
  return [output.document, ...facts, ...output.absent].filter(({ quote }) => quote.trim() !== '');
}

type Plain = Readonly<Record<string, unknown>>;
const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An answer with lists where they are meant; whatever is no answer at all stays as it is, for the schema to refuse. */
function repaired(json: unknown): unknown {
  if (!isPlain(json) || !PROFILE_TOPICS.some((topic) => topic in json)) return json;
  const unanswered: ProfileTopic[] = [];
  const lists = PROFILE_TOPICS.map((topic) => {
    const facts = listOf(topic, json[topic]);
    if (facts === null) unanswered.push(topic);
    return [topic, facts ?? []];
  });
  const named = memberList(json['unanswered']);
  return {
    document: documentOf(json['document']),
    ...Object.fromEntries(lists),
    absent: listOf('absent', json['absent']) ?? [],
    unanswered: PROFILE_TOPICS.filter((topic) => unanswered.includes(topic) || named.includes(topic)),
  };
}

const memberList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Without a kind that is known, nothing is said against the document. */
function documentOf(value: unknown): unknown {
  const given = isPlain(value) ? value : {};
  const kind = document.shape.kind.safeParse(given['kind']).data ?? 'pitch_deck';
  return { slide: slideOf(given['slide']) ?? 1, quote: cut(given['quote'], 80), kind };
}

/** The facts of a list that can be read; null where none of those given can, and where there is no list. */
function listOf(name: ProfileTopic | 'absent', value: unknown): unknown[] | null {
  const given: readonly unknown[] | null = Array.isArray(value) ? value : isPlain(value) ? [value] : null;
  if (given === null) return null;
  const facts = given.flatMap((each) => (isPlain(each) ? factOf(each, shapes[name]) : []));
  return facts.length === 0 && given.length > 0 ? null : facts.slice(0, MOST[name]);
}

/** One fact with each text at most as long as it may be; empty where its slide or its quote is missing. */
function factOf(given: Plain, shape: z.ZodObject): Plain[] {
  const texts = Object.entries(shape.shape).flatMap(([field, schema]) =>
    schema instanceof z.ZodString ? [[field, cut(given[field], schema.maxLength ?? 0)]] : [],
  );
  const fact: Plain = { ...given, slide: slideOf(given['slide']), ...Object.fromEntries(texts) };
  return shape.safeParse(fact).success && fact['quote'] !== '' ? [fact] : [];
}

/** A slide's number, also from "4" and "Slide 4". */
function slideOf(value: unknown): number | null {
  const number =
    typeof value === 'number' ? value : Number(/\d{1,3}/u.exec(typeof value === 'string' ? value : '')?.[0]);
  return slide.safeParse(number).data ?? null;
}

/** At most so many characters, cut between words. */
function cut(value: unknown, length: number): string {
  const whole = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  if (whole.length <= length) return whole;
  const end = whole.slice(0, length + 1).lastIndexOf(' ');
  return whole.slice(0, end > length / 2 ? end : length).trim();
}
