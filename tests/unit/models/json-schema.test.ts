/**
 * Only schemas that a model server can enforce get through, and they arrive as they were meant.
 */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { toModelSchema } from '../../../domain/models/json-schema.ts';

it('a schema for a model carries its name first, keeps the order of properties and forbids others', () => {
  const schema = toModelSchema(
    z.object({
      evidence: z.array(z.object({ slide: z.int().min(1).max(500), quote: z.string().max(300) })).max(4),
      covered: z.enum(['yes', 'no']),
      score: z.int().min(0).max(7),
      note: z.string().max(20).nullable(),
    }),
    'answer_question',
  );
  expect(Object.keys(schema)[0]).toBe('title');
  expect(schema).toEqual({
    title: 'answer_question',
    type: 'object',
    properties: {
      evidence: {
        type: 'array',
        maxItems: 4,
        items: {
          type: 'object',
          properties: {
            slide: { type: 'integer', minimum: 1, maximum: 500 },
            quote: { type: 'string', maxLength: 300 },
          },
          required: ['slide', 'quote'],
          additionalProperties: false,
        },
      },
      covered: { type: 'string', enum: ['yes', 'no'] },
      score: { type: 'integer', minimum: 0, maximum: 7 },
      note: { anyOf: [{ type: 'string', maxLength: 20 }, { type: 'null' }] },
    },
    required: ['evidence', 'covered', 'score', 'note'],
    additionalProperties: false,
  });
  expect(Object.keys(schema['properties'] as object)).toEqual(['evidence', 'covered', 'score', 'note']);
});

it('a schema for a model leaves out the bounds of a safe integer and the pattern of a date', () => {
  const schema = toModelSchema(z.object({ count: z.int(), day: z.iso.date() }), 't');
  expect(schema['properties']).toEqual({ count: { type: 'integer' }, day: { type: 'string', format: 'date' } });
});

it('a schema for a model takes anchored patterns, literals, tuples and unions', () => {
  const schema = z.object({
    code: z.string().regex(/^[A-Z]{3}-[0-9]+\.[0-9]$/),
    kind: z.literal('chart'),
    pair: z.tuple([z.string().max(3), z.boolean()]),
    value: z.union([z.string().max(5), z.int()]),
  });
  expect(() => toModelSchema(schema, 't')).not.toThrow();
});

it.each([
  ['a pattern without anchors', z.string().regex(/[a-z]+/), /anchored/],
  ['a pattern with a class that ends the runner', z.string().regex(/^\d{4}$/), /\[0-9\]/],
  ['a pattern with a group that ends the server', z.string().regex(/^(?:a|b)$/), /group/],
  ['a very long string', z.string().max(2001), /maxLength/],
  ['a very long list', z.array(z.boolean()).max(2001), /maxItems/],
  ['bounds of a number', z.number().min(0).max(1), /integers only/],
  ['steps of a number', z.int().multipleOf(5), /multipleOf/],
  ['an e-mail address', z.email(), /format email|pattern/],
  ['free keys', z.record(z.string(), z.string()), /propertyNames|free keys/],
  ['a loose object', z.looseObject({ a: z.boolean() }), /free keys/],
  ['anything', z.unknown(), /any type/],
  [
    'an exclusive union',
    z.discriminatedUnion('k', [z.object({ k: z.literal('a') }), z.object({ k: z.literal('b') })]),
    /oneOf/,
  ],
])('a schema for a model refuses %s and names the place', (_name, inner, reason) => {
  const define = (): unknown => toModelSchema(z.object({ outer: z.object({ field: inner }) }), 'task');
  expect(define).toThrow(reason);
  expect(define).toThrow(/task\.outer\.field/);
});

it('a schema for a model refuses what JSON cannot hold', () =>
  expect(() => toModelSchema(z.object({ when: z.date() }), 't')).toThrow());

it('a schema for a model leaves out what only the built-in reader says', () => {
  const quote = z.object({
    quote: z.string().max(300),
    answering: z.enum(['high', 'doubtful']).optional().meta({ readOnly: true }),
  });
  expect(toModelSchema(quote, 'task')['properties']).toEqual({ quote: { type: 'string', maxLength: 300 } });
});
