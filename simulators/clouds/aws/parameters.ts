/** Parameters of the Query protocol: `Filter.1.Value.2=x` as nested objects and lists, read with zod and refused with EC2's messages. */
import { z } from 'zod';
import type { Tag } from '../core/state.ts';
import { AwsError } from './errors.ts';

/** A parameter: text, or parameters below its name. */
export type Parameter = string | Parameter[] | { readonly [name: string]: Parameter };
export type Parameters = Readonly<Record<string, Parameter>>;

interface Branch {
  value?: string;
  readonly below: Map<string, Branch>;
}

/** Parameters that belong to the protocol and to no operation. */
const ENVELOPE =
  /^(?:Action|Version|AWSAccessKeyId|Signature|SignatureMethod|SignatureVersion|Timestamp|Expires|SecurityToken|X-Amz-.*)$/u;

function grown({ value, below }: Branch): Parameter {
  if (below.size === 0) return value ?? '';
  const entries = [...below].map(([name, branch]) => [name, grown(branch)] as const);
  if (entries.some(([name]) => !/^\d+$/u.test(name))) return Object.fromEntries(entries);
  return entries.toSorted(([a], [b]) => Number(a) - Number(b)).map(([, parameter]) => parameter);
}

/** The parameters of an operation. */
export function parametersOf(form: URLSearchParams): Parameters {
  const root: Branch = { below: new Map() };
  for (const [name, value] of form) {
    if (ENVELOPE.test(name)) continue;
    let branch = root;
    for (const part of name.split('.')) {
      const next = branch.below.get(part) ?? { below: new Map() };
      branch.below.set(part, next);
      branch = next;
    }
    branch.value = value;
  }
  return Object.fromEntries([...root.below].map(([name, branch]) => [name, grown(branch)]));
}

export const text = z.string();
export const flag = z
  .string()
  .toLowerCase()
  .pipe(z.enum(['true', 'false']))
  .transform((value) => value === 'true');
export const whole = z
  .string()
  .regex(/^-?\d+$/u)
  .transform(Number);
/** A list; one value without a number counts as a list of one. */
export const listOf = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (typeof value === 'string' ? [value] : value), z.array(schema)).default([]);

export const filters = listOf(z.strictObject({ Name: text, Value: listOf(text) }));
export type Filters = z.output<typeof filters>;

export const tagList = listOf(z.strictObject({ Key: text.min(1).max(128), Value: text.max(256).default('') }));
export const tagSpecifications = listOf(z.strictObject({ ResourceType: text, Tag: tagList }));

/** The tags of specifications, of one kind of resource if it is named, as the core keeps them. */
export const coreTags = (specifications: z.output<typeof tagSpecifications>, type?: string): Tag[] =>
  specifications
    .filter((s) => type === undefined || s.ResourceType === type)
    .flatMap((s) => s.Tag.map(({ Key, Value }) => ({ id: '', key: Key, value: Value })));

const firstBad = (issue: z.core.$ZodIssue): string =>
  issue.path.map((part) => (typeof part === 'number' ? String(part + 1) : String(part))).join('.');

/** Reads the parameters of an operation. @throws AwsError MissingParameter, UnknownParameter or InvalidParameterValue */
export function read<Shape extends z.core.$ZodShape>(
  parameters: Parameters,
  shape: Shape,
): z.output<z.ZodObject<Shape, z.core.$strict>> {
  // A schema that is used once is not worth compiling.
  const parsed = z.strictObject({ DryRun: flag.optional(), ...shape }).safeParse(parameters, { jitless: true });
  if (parsed.success) return parsed.data as z.output<z.ZodObject<Shape, z.core.$strict>>;
  const [issue] = parsed.error.issues;
  if (issue === undefined) throw new AwsError('InvalidRequest', 'The request is not valid.');
  const where = firstBad(issue);
  if (issue.code === 'unrecognized_keys') {
    const name = [where, issue.keys[0]].filter((part) => part !== '').join('.');
    throw new AwsError('UnknownParameter', `The parameter ${name} is not recognized`);
  }
  if (issue.code === 'invalid_type' && issue.input === undefined)
    throw new AwsError('MissingParameter', `The request must contain the parameter ${where}`);
  throw new AwsError('InvalidParameterValue', `Invalid value for parameter ${where}: ${issue.message}`);
}

/** True when `text` fits a pattern of EC2, in which `*` stands for any characters and `?` for one. */
export function fitsFilter(pattern: string, value: string): boolean {
  const escaped = pattern.replaceAll(/[.+^${}()|[\]\\]/gu, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 'u').test(value);
}

/** Values of an object by the name of the filter. */
export type FilterValues = Readonly<Record<string, string | null | readonly (string | null)[]>>;

/** Values of the filters on tags; null for other filters. */
function tagFilterValues(tags: readonly Tag[], name: string): readonly string[] | null {
  if (name.startsWith('tag:')) return tags.filter((t) => t.key === name.slice('tag:'.length)).map((t) => t.value);
  if (name === 'tag-key') return tags.map((t) => t.key);
  return name === 'tag-value' ? tags.map((t) => t.value) : null;
}

/**
 * True when an object passes all filters.
 *
 * @param tags absent = it has none, and no filters on them
 * @throws AwsError InvalidParameterValue for a filter that the operation does not have
 */
export const passes = (wanted: Filters, own: FilterValues, tags?: readonly Tag[]): boolean =>
  wanted.every(({ Name, Value }) => {
    const values = Object.hasOwn(own, Name)
      ? [own[Name] ?? null].flat()
      : tags === undefined
        ? null
        : tagFilterValues(tags, Name);
    if (values === null) throw new AwsError('InvalidParameterValue', `The filter '${Name}' is invalid`);
    return Value.some((pattern) => values.some((value) => value !== null && fitsFilter(pattern, value)));
  });

export const paging = { MaxResults: whole.optional(), NextToken: text.optional() };

interface Page<Item> {
  readonly items: readonly Item[];
  /** Undefined on the last page. */
  readonly nextToken: string | undefined;
}

/** The requested page of a list. @throws AwsError for a size out of range or a token that is none */
export function pageOf<Item>(
  all: readonly Item[],
  request: { readonly MaxResults?: number | undefined; readonly NextToken?: string | undefined },
  [least, most]: readonly [number, number] = [5, 1000],
): Page<Item> {
  const { MaxResults: size = most, NextToken: token } = request;
  if (size < least || size > most)
    throw new AwsError(
      'InvalidParameterValue',
      `Value ( ${size} ) for parameter maxResults is invalid. Expecting a value between ${least} and ${most}.`,
    );
  const written = token === undefined ? '0' : Buffer.from(token, 'base64').toString();
  const offset = Number(written);
  if (!/^\d+$/u.test(written)) throw new AwsError('InvalidNextToken', 'The pagination token is invalid.');
  const end = offset + size;
  return {
    items: all.slice(offset, end),
    nextToken: end < all.length ? Buffer.from(String(end)).toString('base64') : undefined,
  };
}

/** Validates a body of the JSON protocol. @throws AwsError ValidationException that names the first wrong field */
export function jsonInput<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new AwsError('ValidationException', `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is not valid'}`);
}
