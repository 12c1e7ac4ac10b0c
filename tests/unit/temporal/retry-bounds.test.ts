/** No class of error is repeated without a bound, except the wait for a machine. */
import { expect, it } from 'vitest';
import { ERROR_KINDS, type ErrorCode } from '../../../domain/errors.ts';
import { mostTries } from '../../../domain/temporal/retry-bounds.ts';

const codes = Object.keys(ERROR_KINDS) as ErrorCode[];

it('every class of error ends, on a machine', () =>
  expect(codes.filter((code) => mostTries(code, true) === null)).toEqual([]));

it('every class ends in planning and rendering but the wait for a model that no host has shown', () =>
  expect(codes.filter((code) => mostTries(code, false) === null)).toEqual(['model_not_ready']));

it('an error that is not ours ends', () => expect(mostTries(null, false)).toBe(2880));
