/**
 * Asks before something is done that cannot be taken back. From a script nobody answers, so there it has to be said beforehand.
 */
import { createInterface } from 'node:readline/promises';
import { DeckhandError } from '../domain/errors.ts';

/** What is asked from, and where the question is written. */
export interface AskedTerminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
}

/**
 * True when the answer is y or yes.
 *
 * @throws DeckhandError `usage` when nobody is there to answer; `cancelled` when the signal fires or the input ends
 */
export async function confirm(
  question: string,
  { input, output }: AskedTerminal,
  signal: AbortSignal,
): Promise<boolean> {
  if (input.isTTY !== true) {
    throw new DeckhandError('usage', 'the input is not a terminal, and --yes is not given', {
      userMessage: 'This cannot be taken back, and nobody is here to say yes.',
      hint: 'Add --yes.',
    });
  }
  const lines = createInterface({ input, output });
  const left = Promise.withResolvers<null>();
  const leave = (): void => left.resolve(null);
  lines.once('SIGINT', leave).once('close', leave);
  signal.addEventListener('abort', leave, { once: true });
  try {
    const answer = await Promise.race([lines.question(`${question} [y/N] `), left.promise]);
    if (answer === null) throw new DeckhandError('cancelled', 'the question was not answered');
    return /^y(es)?$/iu.test(answer.trim());
  } finally {
    signal.removeEventListener('abort', leave);
    lines.close();
  }
}
