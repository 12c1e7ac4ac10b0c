/** Deadlines as people write them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deadlineGapText, parseDeadline } from '../../../domain/decks/deadline.ts';
import { forAll } from '../../../testing/property.ts';

const NOW_MS = Date.parse('2026-11-26T12:00:00Z');
const parsed = (text: string): string => parseDeadline(text, NOW_MS).toISOString();

describe('a deadline', () => {
  it.each([
    ['90s', '2026-11-26T12:01:30.000Z'],
    ['10m', '2026-11-26T12:10:00.000Z'],
    [' 2 h ', '2026-11-26T14:00:00.000Z'],
    ['1d', '2026-11-27T12:00:00.000Z'],
    ['2026-11-27T09:00Z', '2026-11-27T09:00:00.000Z'],
    ['2026-11-27 09:00:30+01:00', '2026-11-27T08:00:30.000Z'],
  ])('%s is a time', (text, at) => expect(parsed(text)).toBe(at));

  it.each([
    ['10', 'has no unit'],
    ['-5', 'has no unit'],
    ['0m', 'is in the past'],
    ['2026-11-26T11:59Z', 'is in the past'],
    ['31d', 'is more than 30 days ahead'],
    ['2026-11-27T09:00', 'is no time with a zone'],
    ['2026-11-27', 'is no time with a zone'],
    ['2026-13-40T09:00Z', 'is no time with a zone'],
    ['10 minutes', 'is neither a duration nor a time'],
    ['', 'is neither a duration nor a time'],
  ])('refuses %j: it %s', (text, because) => {
    expect(() => parsed(text)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
    expect(() => parsed(text)).toThrow(because);
  });

  it('is always to come, whatever is written', async () => {
    const text = fc.oneof(
      fc.string(),
      fc.tuple(fc.nat(), fc.constantFrom('s', 'm', 'h', 'd')).map((t) => t.join('')),
    );
    await forAll([text], (written) => {
      try {
        expect(parseDeadline(written, NOW_MS).getTime()).toBeGreaterThan(NOW_MS);
      } catch (error) {
        expect(error).toMatchObject({ code: 'invalid_request' });
      }
    });
  });

  it('is said in the gap of the run, with the stage it was in', () => {
    expect(deadlineGapText(NOW_MS, 'slides', 3)).toBe(
      'The deadline (2026-11-26 12:00:00 UTC) passed in stage slides. 3 planned calls cancelled; later stages were not run.',
    );
    expect(deadlineGapText(NOW_MS, null, 0)).toContain('before the analysis began');
  });
});
