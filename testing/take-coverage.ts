/** Setup file of a recorded run (cli/test/record): vitest ends its workers by a signal, so what they executed is noted after the last test. */
import { afterAll } from 'vitest';

afterAll(() => globalThis.deckhandTakeCoverage?.());
