/** Bodies of requests, as far as they are the same for instances and disks: fields, names, labels, types. */
import { z } from 'zod';
import type { Tag } from '../../core/state.ts';
import { googleType, isOffered, withAttached } from '../catalogue.ts';
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

/** GPUs in the body of an insert. */
export const acceleratorsSchema = z
  .array(z.looseObject({ acceleratorType: z.string(), acceleratorCount: z.int().min(0) }))
  .default([]);

/** The type of a body with the GPUs that are attached to it. @throws GoogleError for a type or GPUs that the zone does not have */
export function checkedType(zone: string, url: string, accelerators: z.infer<typeof acceleratorsSchema> = []): string {
  const machineType = lastPart(url);
  const named = /zones\/([^/]+)\/machineTypes/u.exec(url)?.[1] ?? zone;
  const type = googleType(machineType);
  if (named !== zone || type?.machineType !== machineType || !isOffered(machineType, zone))
    throw invalid(
      'resource.machineType',
      url,
      `Machine type with name '${machineType}' does not exist in zone '${named}'.`,
    );
  const [gpu] = accelerators;
  if (gpu === undefined || gpu.acceleratorCount === 0) return machineType;
  const accelerator = lastPart(gpu.acceleratorType);
  if (accelerator === type.series.accelerator && gpu.acceleratorCount === type.gpuCount) return machineType;
  const instanceType = withAttached(machineType, accelerator, gpu.acceleratorCount);
  if (accelerators.length === 1 && isOffered(instanceType, zone)) return instanceType;
  throw invalid(
    'resource.guestAccelerators[0]',
    `${accelerator} x ${gpu.acceleratorCount}`,
    `Machine type '${machineType}' cannot have these accelerators.`,
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
