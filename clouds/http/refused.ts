/**
 * The error of an answer that is no 2xx, from what a provider's own table makes of it.
 */
import type { DeckhandError } from '../../domain/errors.ts';
import type { BlockRule, ProviderErrorClass } from '../../domain/fleet/provider/provider-errors.ts';
import { providerError, quoted } from '../errors.ts';
import { readRetryAfter } from './retry.ts';
import type { WireAnswer } from './wire.ts';

/** Code and words of a refusal, without secrets; code null where the answer is not the service's own. */
export interface Refusal {
  readonly code: string | null;
  readonly message: string;
}

/** Class of a refusal with what it blocks and hints. */
export interface Classified {
  readonly errorClass: ProviderErrorClass;
  readonly block?: BlockRule;
  readonly hints?: readonly string[];
}

/** The provider, and next steps for people. */
export interface RefusalWords {
  readonly provider: string;
  readonly byClass: Partial<Record<ProviderErrorClass, string>>;
  /** Where the class says too little. */
  readonly byCode: Readonly<Record<string, string>>;
  /** After a throttled call that names no time, ms. */
  readonly throttledMs?: number;
}

/** Options of reading an answer. */
export interface RefusalContext {
  readonly nowMs: number;
  /** Takes secrets out of the other side's words. */
  readonly clean: (text: string) => string;
}

/** Codes that stand in a text with spaces or lines between them. */
export const codesIn = (text: string): readonly string[] => text.trim().split(/\s+/u);

/** Rows by their codes. @param rows the codes of each row as text */
export const errorTable = <Row>(rows: readonly (readonly [codes: string, row: Row])[]): Readonly<Record<string, Row>> =>
  Object.fromEntries(rows.flatMap(([codes, row]) => codesIn(codes).map((code) => [code, row])));

/** Class of a refusal by its status, where its code is not known. @param wrongRequest codes of requests that will be refused each time */
export function classOfUnknown(status: number, code: string | null, wrongRequest: RegExp): ProviderErrorClass {
  if (status === 429) return 'throttled';
  // Something in between answered.
  if (status >= 500 || code === null) return 'transient';
  if (status === 401 || status === 403) return 'auth';
  return wrongRequest.test(code) ? 'config' : 'transient';
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A text with something in it, or null. */
export const filled = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Codes of refusals, for the few callers to whom the class says too little. */
const CODES = new WeakMap<object, string>();

/** The service's own code of a refusal; null for any other error. */
export const refusalCode = (error: unknown): string | null =>
  typeof error === 'object' && error !== null ? (CODES.get(error) ?? null) : null;

/** The error that a refusal stands for. @param where the call, for messages */
export function refusedError(
  { provider, byClass, byCode }: RefusalWords,
  where: string,
  status: number,
  { code, message }: Refusal,
  { errorClass, ...directions }: Classified,
  retryAfterMs?: number,
): DeckhandError {
  const said = message === '' ? `status ${status}` : message;
  const hint = byCode[code ?? ''] ?? byClass[errorClass];
  const error = providerError(errorClass, `${where}: ${code === null ? status : quoted(code)}: ${said}`, {
    userMessage: `${provider} refused ${where}: ${said}`,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(hint === undefined ? {} : { hint }),
    ...directions,
  });
  if (code !== null) CODES.set(error, code);
  return error;
}

/** The error that an answer stands for. A redirect, which no API answers, is none that is read. */
export function answerError(
  words: RefusalWords,
  where: string,
  { status, headers, text }: WireAnswer,
  { clean, nowMs }: RefusalContext,
  read: (text: string, clean: (words: string) => string) => readonly [Refusal, Classified],
): DeckhandError {
  if (status >= 300 && status < 400) {
    return providerError('config', `${where}: the address answers with a redirect (${status})`, {
      hint: 'Set "baseUrl" to the address of the API itself, or leave it out.',
    });
  }
  const [refusal, classified] = read(text, clean);
  const code = refusal.code === null ? null : clean(refusal.code);
  const asked = readRetryAfter(headers.get('retry-after'), nowMs);
  const retryAfterMs = asked ?? (classified.errorClass === 'throttled' ? words.throttledMs : undefined);
  return refusedError(words, where, status, { ...refusal, code }, classified, retryAfterMs);
}
