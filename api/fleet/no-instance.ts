/** The refusal of a name that no instance has. */
import { DeckhandError } from '../../domain/errors.ts';

/** See the file's header. @param more of the hint */
export const noInstance = (name: string, more = ''): DeckhandError =>
  new DeckhandError('not_found', `no instance ${name}`, {
    userMessage: `There is no instance ${name}.`,
    hint: `\`./deckhand fleet\` lists them.${more}`,
  });
