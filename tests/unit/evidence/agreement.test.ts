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
  ['date', 'Q1 2026', 'Q4 2026', null],
  ['date', 'Q1 2026', 'Q1/2026', 'high'],
  ['date', 'Q1 2026', 'March 2026', null],
  ['date', 'Q1 2026', 'Q1 2025', 'doubtful'],
  ['date', '2026', 'March 2026', null],
  ['date', '2026', '2026', 'high'],
  ['date', '2026', '14 March 2025', 'doubtful'],
  ['company', 'Acme', 'ACME Robotics GmbH', 'high'],
  ['company', 'Acme Robotics', 'Robotics', 'doubtful'],
  ['company', 'Acme', 'Acmeon', 'doubtful'],
  ['prose', 'Robots that clean hospital rooms at night', 'Cleaning robots: robots for hospital rooms', 'high'],
  ['prose', 'Robots that clean rooms', 'An app for sailors', null],
  ['prose', 'AI software', 'We sell toys; software for kids and their parents', null],
  ['prose', 'A software platform for hospitals', 'A software platform that lends money to farmers', null],
  ['prose', 'Apps that help them with their work', 'Games that come with their own screen and help them', null],
  ['prose', '', 'An app', null],
] as const)('the comparison of two values of kind %s, %s and %s, comes to %s', (kind, a, b, together) =>
  expect(agreementOf(kind, a, b)).toBe(together),
);

it('the comparison of two values is the same whichever comes first, and a value agrees with itself or says nothing', () =>
  forAll(
    [
      fc.constantFrom('amount' as const, 'date' as const, 'company' as const, 'prose' as const),
      fc.constantFrom('€2.5M', '€3M', 'Acme', 'Acme AG', 'March 2026', '2026', 'Q1 2026', 'Robots clean rooms', ''),
      fc.constantFrom('€2.5M', '€3M', 'Acme', 'Acme AG', 'March 2026', '2026', 'Q1 2026', 'Robots clean rooms', ''),
    ],
    (kind, a, b) => {
      expect(agreementOf(kind, a, b)).toBe(agreementOf(kind, b, a));
      expect(agreementOf(kind, a, a)).not.toBe('doubtful');
    },
  ));
