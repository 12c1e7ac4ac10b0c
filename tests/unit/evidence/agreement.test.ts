import fc from 'fast-check';
import { expect, it } from 'vitest';
import { agreementOf } from '../../../domain/evidence/agreement.ts';
import { forAll } from '../../../testing/property.ts';

it.each([
  ['amount', '€2.5M', '2,5 Mio. Euro', 'high'],
  ['amount', '€2.5M', '2.5 million', 'high'],
  ['amount', '€2.5M', '€3M', 'doubtful'],
  ['amount', '€2.5M', '$2.5M', 'doubtful'],
  ['amount', '375 million people', 'seed round', null],
  ['date', 'March 2026', '2026-03-14', 'high'],
  ['date', 'March 2026', 'April 2026', 'doubtful'],
  ['company', 'Acme', 'ACME Robotics GmbH', 'high'],
  ['company', 'Acme Robotics', 'Robotics', 'doubtful'],
  ['company', 'Acme', 'Acmeon', 'doubtful'],
  ['prose', 'Robots that clean hospital rooms at night', 'Cleaning robots: robots for hospital rooms', 'high'],
  ['prose', 'Robots that clean rooms', 'An app for sailors', null],
  ['prose', '', 'An app', null],
] as const)('two readings of a value of kind %s, %s and %s, come to %s', (kind, a, b, together) =>
  expect(agreementOf(kind, a, b)).toBe(together),
);

it('two readings say the same together whichever comes first, and a reading agrees with itself or says nothing', () =>
  forAll(
    [
      fc.constantFrom('amount' as const, 'date' as const, 'company' as const, 'prose' as const),
      fc.constantFrom('€2.5M', '€3M', 'Acme', 'Acme AG', 'March 2026', '2026', 'Robots clean rooms', ''),
      fc.constantFrom('€2.5M', '€3M', 'Acme', 'Acme AG', 'March 2026', '2026', 'Robots clean rooms', ''),
    ],
    (kind, a, b) => {
      expect(agreementOf(kind, a, b)).toBe(agreementOf(kind, b, a));
      expect(agreementOf(kind, a, a)).not.toBe('doubtful');
    },
  ));
