/**
 * Fields of a chat request that a server does not take. Servers of this protocol differ in them, and say so by a refusal (400 or 422) that names
 * the field; the request is sent again without it, and later ones leave it out from the start.
 */
import type { DeckhandError } from '../../../../domain/errors.ts';
import type { ChatRequest } from '../model-server.ts';

/** A way in which requests to a server differ from the usual one. */
export type Deviation =
  /** The most tokens are asked for as `max_completion_tokens`. */
  | 'completion_tokens'
  /** `strict` is not said of the schema: it has keywords beyond those that are enforced. */
  | 'loose_schema'
  /** Any object instead of one of the schema; then no wish for JSON at all. The schema stands in the question. */
  | 'any_object'
  | 'no_format'
  /** The instructions stand at the begin of the question. */
  | 'no_system'
  /** These fields are left out. */
  | 'no_seed'
  | 'no_temperature'
  | 'no_top_p'
  | 'no_stream_options';
export type Dialect = ReadonlySet<Deviation>;

/** Words of a refusal, and the deviation that helps; several are tried in this order. */
const REMEDIES: readonly (readonly [RegExp, Deviation])[] = [
  [/max_completion_tokens|\bmax_tokens\b/iu, 'completion_tokens'],
  [/stream_options|include_usage/iu, 'no_stream_options'],
  [/\bsystem\b.*\brole\b|\brole\b.*\bsystem\b|roles must alternate|only user and assistant roles/iu, 'no_system'],
  [/\bseed\b/iu, 'no_seed'],
  [/\btemperature\b/iu, 'no_temperature'],
  [/\btop_p\b/iu, 'no_top_p'],
];
const ABOUT_FORMAT = /response_format|json_schema|json schema|schema|grammar/iu;
const FORMAT_REMEDIES: readonly Deviation[] = ['loose_schema', 'any_object', 'no_format'];

/** The dialect to try after a refusal; null = none helps, and the refusal stands. */
export function dialectAfter(dialect: Dialect, refusal: DeckhandError, request: ChatRequest): Dialect | null {
  if (refusal.code !== 'model_input_rejected') return null;
  const { message } = refusal;
  const found = REMEDIES.find(
    ([pattern, deviation]) => pattern.test(message) && !dialect.has(deviation) && changes(deviation, request),
  )?.[1];
  if (found !== undefined) return new Set([...dialect, found]);
  if (request.schema === null || !ABOUT_FORMAT.test(message)) return null;
  const next = FORMAT_REMEDIES.find((deviation) => !dialect.has(deviation));
  return next === undefined ? null : new Set([...dialect, next]);
}

/** Whether a request differs with it from the usual one. */
function changes(deviation: Deviation, { topP, messages }: ChatRequest): boolean {
  if (deviation === 'no_top_p') return topP !== undefined;
  return deviation !== 'no_system' || messages.some(({ role }) => role === 'system');
}

/** Keys kept at most; then everything is learned anew. */
const KNOWN_LIMIT = 1000;

/** Dialects of servers, as learned since this process began. How JSON is asked for is learned for each schema, all else for each model. */
export class Dialects {
  readonly #known = new Map<string, Dialect>();

  of(key: DialectKey): Dialect {
    return new Set(keysOf(key).flatMap((each) => [...(this.#known.get(each) ?? [])]));
  }

  /** Calls that run at the same time learn for each other. */
  learn(key: DialectKey, dialect: Dialect): void {
    const known = this.of(key);
    const found = dialect.difference(known);
    if (found.size === 0) return;
    if (this.#known.size >= KNOWN_LIMIT) this.#known.clear();
    const isOfFormat = (deviation: Deviation): boolean => FORMAT_REMEDIES.includes(deviation);
    const [ofModel, ofSchema] = keysOf(key);
    this.#known.set(ofModel, new Set([...known.union(found)].filter((each) => !isOfFormat(each))));
    this.#known.set(ofSchema, new Set([...known.union(found)].filter(isOfFormat)));
  }
}

/** Of the model, and of the schema with it. */
const keysOf = ({ server, model, schema }: DialectKey): [string, string] => [
  JSON.stringify([server, model]),
  JSON.stringify([server, model, schema]),
];

/** Requests that are answered alike. */
export interface DialectKey {
  readonly server: string;
  readonly model: string;
  /** Name of the schema; empty without one. */
  readonly schema: string;
}
