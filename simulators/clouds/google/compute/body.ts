/**
 * Bodies of requests, as far as they are the same for instances and disks: fields, names, labels, types.
 */
import { z } from 'zod';
import type { Tag } from '../../core/state.ts';
import { isOffered } from '../catalogue.ts';
import { invalid } from '../errors.ts';
import { lastPart } from './links.ts';

/** Names of resources. */
export const NAME = /^[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?$/u;
const LABEL_KEY = /^[\p{Ll}\p{Lo}][\p{Ll}\p{Lo}\d_-]{0,62}$/u;
const LABEL_VALUE = /^[\p{Ll}\p{Lo}\d_-]{0,63}$/u;

/** A whole number, which may be written as text. */
export const wholeText = z.union([z.string().regex(/^\d+$/u).transform(Number), z.int()]);
export const labels = z.record(z.string(), z.string()).default({});

/** Validates a body. @throws GoogleError that names the first wrong field */
export function readBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid(`resource.${issue?.path.join('.') ?? ''}`, '', issue?.message ?? 'It is not valid.');
}

/** @throws GoogleError for a type that the zone does not have */
export function checkedType(zone: string, url: string): string {
  const instanceType = lastPart(url);
  const named = /zones\/([^/]+)\/machineTypes/u.exec(url)?.[1] ?? zone;
  if (named === zone && isOffered(instanceType, zone)) return instanceType;
  throw invalid(
    'resource.machineType',
    url,
    `Machine type with name '${instanceType}' does not exist in zone '${named}'.`,
  );
}

/** @throws GoogleError for labels that are none */
export function checkLabels(all: Readonly<Record<string, string>>): void {
  for (const [key, value] of Object.entries(all))
    if (!LABEL_KEY.test(key) || !LABEL_VALUE.test(value))
      throw invalid(
        'resource.labels',
        `${key}=${value}`,
        'Label keys and values must be lower case and at most 63 characters.',
      );
}

/** Labels as the core keeps them. */
export const tagsOf = (all: Readonly<Record<string, string>>): Tag[] =>
  Object.entries(all).map(([key, value]) => ({ id: '', key, value }));
