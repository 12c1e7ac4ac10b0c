/**
 * A group of settings of a file that people write. Unknown names are refused: a mistyped cap would otherwise be no cap.
 */
import { z } from 'zod';
import { closestName } from './text/closest-name.ts';

/** Schema of a group; a name that it does not have is an error that says which was probably meant. */
export const settings = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => unknownSetting(key, Object.keys(shape))).join('; ')
        : undefined,
  });

function unknownSetting(key: string, known: readonly string[]): string {
  const nearest = closestName(key, known);
  const meant = nearest === null ? `known here are ${known.join(', ')}` : `did you mean "${nearest}"?`;
  return `there is no setting "${key}"; ${meant}`;
}
