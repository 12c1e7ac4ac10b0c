/** Finds a kept run by what a person writes. */
import { DeckhandError } from '../../domain/errors.ts';
import { closestName } from '../../domain/text/closest-name.ts';
import type { EvaluationRun } from '../../platform/evaluation-files.ts';

/**
 * The run of this id, of the only id that begins like that, or the newest for `last`.
 *
 * @param runs newest first
 * @param apiUrl where its reviews are asked for; null = the runtime of this data directory
 * @throws DeckhandError `not_found` with the nearest id; `usage` for a run whose reviews are elsewhere
 */
export function findRun(runs: readonly EvaluationRun[], text: string, apiUrl: string | null): EvaluationRun {
  const [newest] = runs;
  const exact = runs.find(({ id }) => id === text);
  const alike = runs.filter(({ id }) => id.startsWith(text));
  const found = text === 'last' ? newest : (exact ?? (alike.length === 1 ? alike[0] : undefined));
  if (found !== undefined && found.apiUrl !== apiUrl) {
    throw new DeckhandError('usage', `the reviews of ${found.id} are elsewhere`, {
      userMessage: `The reviews of ${found.id} are ${found.apiUrl === null ? 'in this data directory' : `at ${found.apiUrl}`}.`,
      hint: found.apiUrl === null ? 'Unset DECKHAND_API_URL.' : `Set DECKHAND_API_URL to ${found.apiUrl}`,
    });
  }
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
