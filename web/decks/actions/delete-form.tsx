/** Deletes decks, after saying what goes. */
import { useWords } from '../../words/language.ts';
import { ActionForm, type FormProps } from './form.tsx';
import { usePerform } from './use-perform.ts';
import { actionWords } from './words.ts';

/** The form. */
export function DeleteForm(props: FormProps) {
  const words = useWords(actionWords);
  const perform = usePerform();
  return (
    <ActionForm
      {...props}
      look="danger"
      submit={words.deleteNow(props.decks.length)}
      onSubmit={() => perform({ kind: 'delete' }, props.decks)}
    >
      <p>{words.deleteText}</p>
    </ActionForm>
  );
}
