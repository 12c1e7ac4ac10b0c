/** Who works on the deck. */
import { useQuery } from '@tanstack/react-query';
import { UserRound } from 'lucide-react';
import { memo, useState } from 'react';
import type { HumanVerdict } from '../../../domain/decks/verdicts/human-verdict.ts';
import { peopleQuery } from '../../decks/queries.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Field, TextInput } from '../../ui/field.tsx';
import { Popover } from '../../ui/popover.tsx';
import { commonWords } from '../../words/common.ts';
import { useWords } from '../../words/language.ts';
import { useReviewTools } from '../tools.ts';
import { humanWords } from './words.ts';

/** The button with the name, and the choice behind it. */
export const Assignee = memo(function Assignee({ assignee }: { readonly assignee: HumanVerdict | null }) {
  const words = useWords(humanWords);
  const name = assignee?.text ?? null;
  return (
    <Popover
      align="end"
      label={words.assignee}
      trigger={
        <Button>
          <UserRound size={15} aria-hidden />
          {name === null ? null : <span className="sr-only">{`${words.assignee}: `}</span>}
          <span className="max-w-32 truncate">{name ?? words.assign}</span>
        </Button>
      }
    >
      {(close) => <Choice name={name} close={close} />}
    </Popover>
  );
});

function Choice({ name, close }: { readonly name: string | null; readonly close: () => void }) {
  const words = useWords(humanWords);
  const common = useWords(commonWords);
  const { say } = useReviewTools();
  const { data: people = [] } = useQuery(peopleQuery);
  const [other, setOther] = useState('');
  const assign = (next: string | null): void => {
    if (next !== name) say({ kind: 'assignee', text: next });
    close();
  };
  const names = name === null || people.includes(name) ? people : [name, ...people];
  return (
    <div className="flex flex-col gap-2">
      <ul>
        {names.map((each) => (
          <li key={each}>
            <Button
              look="quiet"
              aria-pressed={each === name}
              onClick={() => assign(each)}
              className={classes('w-full justify-start', each === name && 'bg-accent-tint')}
            >
              {each}
            </Button>
          </li>
        ))}
        <li>
          <Button look="quiet" className="w-full justify-start text-soft" onClick={() => assign(null)}>
            {words.nobody}
          </Button>
        </li>
      </ul>
      <form
        className="flex items-end gap-2 border-t border-line pt-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (other.trim() !== '') assign(other.trim());
        }}
      >
        <Field label={words.someoneElse}>
          <TextInput maxLength={100} value={other} onChange={({ target }) => setOther(target.value)} />
        </Field>
        <Button type="submit" disabled={other.trim() === ''}>
          {common.save}
        </Button>
      </form>
    </div>
  );
}
