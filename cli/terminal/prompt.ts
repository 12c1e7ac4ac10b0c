/**
 * Questions at a terminal: secrets, typed without echo or read from standard input, never from arguments, which others can see; and whether
 * something that cannot be undone is to be done.
 */
import { createInterface } from 'node:readline';
import { createInterface as createQuestions } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text as readAll } from 'node:stream/consumers';
import { DeckhandError } from '../../domain/errors.ts';

/** What is asked from, and where questions are written. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
}

/**
 * The answers to the questions, in order.
 *
 * @throws DeckhandError `cancelled` on Ctrl-C, `usage` when an answer is missing or empty
 */
export async function readSecrets(questions: readonly string[], terminal: Terminal): Promise<readonly string[]> {
  const answers = terminal.input.isTTY === true ? await ask(questions, terminal) : await readLines(terminal.input);
  return questions.map((question, index) => {
    const answer = answers[index]?.trim() ?? '';
    if (answer === '') {
      throw new DeckhandError('usage', `${question} is missing`, {
        hint: `Give ${questions.join(', then ')}; from a script one per line on standard input.`,
      });
    }
    return answer;
  });
}

const readLines = async (input: NodeJS.ReadableStream): Promise<readonly string[]> =>
  (await readAll(input)).split(/\r?\n/u);

/** Asks one after the other; what is typed goes to a sink instead of the screen. */
async function ask(questions: readonly string[], { input, output }: Terminal): Promise<readonly string[]> {
  const sink = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: sink, terminal: true });
  let interrupted = false;
  lines.on('SIGINT', () => {
    interrupted = true;
    lines.close();
  });
  const answers: string[] = [];
  try {
    output.write(`${questions[0]}: `);
    for await (const line of lines) {
      output.write('\n');
      answers.push(line);
      const next = questions[answers.length];
      if (next === undefined) break;
      output.write(`${next}: `);
    }
  } finally {
    lines.close();
  }
  // The cursor still stands behind the question that was not answered.
  if (answers.length < questions.length) output.write('\n');
  if (interrupted) throw new DeckhandError('cancelled', 'nothing was saved');
  return answers;
}

/**
 * True when the answer is y or yes.
 *
 * @throws DeckhandError `usage` when the input is not a terminal; `cancelled` when the signal fires or the input ends
 */
export async function confirm(question: string, { input, output }: Terminal, signal: AbortSignal): Promise<boolean> {
  if (input.isTTY !== true) {
    throw new DeckhandError('usage', 'the input is not a terminal, and --yes is not given', {
      userMessage: 'This cannot be undone and needs a confirmation, but the input is not a terminal.',
      hint: 'Add --yes.',
    });
  }
  const lines = createQuestions({ input, output });
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
