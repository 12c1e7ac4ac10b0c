/** Finds a kept run by what a person writes. */
import { DeckhandError } from '../../domain/errors.ts';
import { closestName } from '../../domain/text/closest-name.ts';
import type { EvaluationRun } from '../../platform/evaluation-files.ts';

/**
 * The run of this id, of the only id that begins like that, or the newest for `last`.
 *
 * @param runs newest first
 * @throws DeckhandError `not_found` with the nearest id
 */
export function findRun(runs: readonly EvaluationRun[], text: string): EvaluationRun {
  const [newest] = runs;
  if (text === 'last' && newest !== undefined) return newest;
  const exact = runs.find(({ id }) => id === text);
  const alike = runs.filter(({ id }) => id.startsWith(text));
  const found = exact ?? (alike.length === 1 ? alike[0] : undefined);
  if (found !== undefined) return found;
  const ids = runs.map(({ id }) => id);
  const near = closestName(text, ids);
  const which =
    alike.length > 1 ? `${alike.length} evaluations begin with "${text}".` : `There is no evaluation "${text}".`;
  throw new DeckhandError('not_found', `no evaluation ${text}`, {
    userMessage: which,
    hint:
      near === null
        ? 'List them with: deckhand evaluate list'
        : `Perhaps ${near}. List them with: deckhand evaluate list`,
  });
}
