/** The command `deckhand evaluate`, as the tests of it call it. */
import { expect } from 'vitest';
import type { Evaluation } from '../../domain/evaluation/evaluation.ts';
import { runCommand, type CommandRun } from '../../testing/command.ts';

interface Commands {
  readonly deckhand: (...args: readonly string[]) => Promise<CommandRun>;
  /** The document that a command prints. */
  readonly documentOf: <T>(...args: readonly string[]) => Promise<T>;
  readonly evaluate: (folder: string, ...options: readonly string[]) => Promise<Evaluation>;
}

/** Commands with the environment of an installation that is not up yet. */
export function commandsOf(environment: () => Parameters<typeof runCommand>[1]): Commands {
  const deckhand: Commands['deckhand'] = (...args) => runCommand(args, environment());
  const documentOf = async <T>(...args: readonly string[]): Promise<T> => {
    const { code, stdout, stderr } = await deckhand(...args, '--json');
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout) as T;
  };
  const evaluate: Commands['evaluate'] = async (folder, ...options) => {
    const { evaluations } = await documentOf<{ evaluations: Evaluation[] }>('evaluate', folder, ...options);
    const [evaluation] = evaluations;
    if (evaluation === undefined) throw new Error('there is no evaluation');
    return evaluation;
  };
  return { deckhand, documentOf, evaluate };
}

/** Reviews by deck. */
export const idsOf = ({ decks }: Evaluation): (string | null)[] => decks.map(({ analysisId }) => analysisId);
