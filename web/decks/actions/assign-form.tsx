/** Says who works on decks. */
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Field, TextInput } from '../../ui/field.tsx';
import { commonWords } from '../../words/common.ts';
import { useWords } from '../../words/language.ts';
import { peopleQuery } from '../queries.ts';
import { ActionForm, type FormProps } from './form.tsx';
import { RadioRow } from './radio-row.tsx';
import { usePerform } from './use-perform.ts';
import { actionWords } from './words.ts';

/** The form: one of the people who are known, another name, or nobody. */
export function AssignForm(props: FormProps) {
  const words = useWords(actionWords);
  const common = useWords(commonWords);
  const perform = usePerform();
  const { data: people = [] } = useQuery(peopleQuery);
  const [name, setName] = useState(props.decks[0]?.assignee ?? '');
  const listId = useId();
  const typed = name.trim();
  const verdict = { kind: 'assignee', text: typed === '' ? null : typed } as const;
  return (
    <ActionForm
      {...props}
      submit={common.save}
      onSubmit={() => perform({ kind: 'verdicts', verdicts: [verdict] }, props.decks)}
    >
      <RadioRow
        legend={words.assignee}
        options={[...people.map((each) => [each, each] as const), ['', words.nobody] as const]}
        value={typed}
        onChange={setName}
      />
      <Field label={words.someoneElse}>
        <TextInput value={name} maxLength={100} list={listId} onChange={({ target }) => setName(target.value)} />
      </Field>
      <datalist id={listId}>
        {people.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </ActionForm>
  );
}
