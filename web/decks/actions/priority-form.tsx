/** Changes the priority of running and waiting reviews. */
import { useState } from 'react';
import { DEFAULT_PRIORITY } from '../../../domain/decks/priority.ts';
import { useWords } from '../../words/language.ts';
import { PrioritySelect } from '../priority-select.tsx';
import { ActionForm, type FormProps } from './form.tsx';
import { usePerform } from './use-perform.ts';
import { actionWords } from './words.ts';

/** The form. */
export function PriorityForm(props: FormProps) {
  const words = useWords(actionWords);
  const perform = usePerform();
  const [priority, setPriority] = useState<number>(props.decks[0]?.analysis?.priority ?? DEFAULT_PRIORITY);
  return (
    <ActionForm
      {...props}
      submit={words.setPriority}
      onSubmit={() => perform({ kind: 'priority', priority }, props.decks)}
    >
      <PrioritySelect value={priority} onChange={setPriority} />
    </ActionForm>
  );
}
