/** The dialogs about decks; loaded when the first one is opened. */
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { DEFAULT_PRIORITY } from '../../../domain/decks/priority.ts';
import { DECISIONS, type Decision } from '../../../domain/decks/verdicts/kinds.ts';
import { RequestError } from '../../request.ts';
import { humanWords } from '../../review/human/words.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, TextArea, TextInput } from '../../ui/field.tsx';
import { commonWords } from '../../words/common.ts';
import { deckWords } from '../../words/deck.ts';
import { useWords } from '../../words/language.ts';
import { deckName } from '../list/names.ts';
import { PrioritySelect } from '../priority-select.tsx';
import { peopleQuery } from '../queries.ts';
import { ActionForm, type FormProps } from './form.tsx';
import type { Failure } from './perform.ts';
import { ReviewForm } from './review-form.tsx';
import { closeDialog, type DeckDialog, type OpenDialog } from './store.ts';
import { TagsForm } from './tags-form.tsx';
import { actionWords } from './words.ts';

const FORMS: Readonly<Record<DeckDialog, (props: FormProps) => ReactNode>> = {
  review: ReviewForm,
  priority: PriorityForm,
  tags: TagsForm,
  assign: AssignForm,
  decide: DecideForm,
  delete: DeleteForm,
};

/** The open dialog. */
export function DeckDialogs({ dialog }: { readonly dialog: OpenDialog }) {
  const words = useWords(actionWords);
  const close = (): void => closeDialog(dialog);
  if (dialog.kind === 'failures') {
    return (
      <Dialog onClose={close} title={dialog.title} description={words.failedHint}>
        <FailureList failures={dialog.failures} />
      </Dialog>
    );
  }
  const { kind, decks } = dialog;
  const Form = FORMS[kind];
  const title = kind === 'delete' ? words.deleteTitle(decks.length) : words[kind].replace(/ …$/u, '');
  return (
    <Dialog onClose={close} title={title}>
      <Form decks={decks} onClose={close} />
    </Dialog>
  );
}

/** Decks for which something could not be done, each with the reason. */
const FailureList = ({ failures }: { readonly failures: readonly Failure[] }) => (
  <ul className="flex flex-col gap-2 text-sm">
    {failures.map(({ deck, error }) => (
      <li key={deck.id} className="border-l-2 border-bad pl-3">
        <span className="font-medium break-words">{deckName(deck)}</span>
        <span className="block break-words">{error.message}</span>
        {error instanceof RequestError && error.hint !== null ? (
          <span className="block break-words text-soft">{error.hint}</span>
        ) : null}
      </li>
    ))}
  </ul>
);

/** Says who works on decks: one of the people who are known, another name, or nobody. */
function AssignForm(props: FormProps) {
  const words = useWords(humanWords);
  const { save } = useWords(commonWords);
  const { data: people = [] } = useQuery(peopleQuery);
  const [name, setName] = useState(props.decks[0]?.assignee ?? '');
  const listId = useId();
  const typed = name.trim();
  const verdict = { kind: 'assignee', text: typed === '' ? null : typed } as const;
  return (
    <ActionForm {...props} submit={save} action={{ kind: 'verdicts', verdicts: [verdict] }}>
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

/** Says what to do with decks: meet, later, pass, with a reason. */
function DecideForm(props: FormProps) {
  const words = useWords(humanWords);
  const { noDecision } = useWords(actionWords);
  const { save } = useWords(commonWords);
  const names = useWords(deckWords);
  const [first] = props.decks;
  const isSame = first !== undefined && props.decks.every(({ decision }) => decision === first.decision);
  const [decision, setDecision] = useState<Decision | null>(isSame ? first.decision : null);
  const [reason, setReason] = useState('');
  const verdict = { kind: 'decision', decision, reason: reason.trim() === '' ? null : reason.trim() } as const;
  return (
    <ActionForm {...props} submit={save} action={{ kind: 'verdicts', verdicts: [verdict] }}>
      <RadioRow
        legend={words.decision}
        options={[...DECISIONS, null].map((each) => [each, each === null ? noDecision : names.decision[each]])}
        value={decision}
        onChange={setDecision}
      />
      <Field label={words.reason}>
        <TextArea value={reason} maxLength={2000} rows={3} onChange={({ target }) => setReason(target.value)} />
        <span className="text-soft">{words.reasonHint}</span>
      </Field>
    </ActionForm>
  );
}

/** Changes the priority of running and waiting reviews. */
function PriorityForm(props: FormProps) {
  const words = useWords(actionWords);
  const [priority, setPriority] = useState<number>(props.decks[0]?.analysis?.priority ?? DEFAULT_PRIORITY);
  return (
    <ActionForm {...props} submit={words.setPriority} action={{ kind: 'priority', priority }}>
      <PrioritySelect value={priority} onChange={setPriority} />
    </ActionForm>
  );
}

/** Deletes decks, after saying what goes. */
function DeleteForm(props: FormProps) {
  const words = useWords(actionWords);
  return (
    <ActionForm {...props} look="danger" submit={words.deleteNow(props.decks.length)} action={{ kind: 'delete' }}>
      <p>{words.deleteText}</p>
    </ActionForm>
  );
}

/** A choice of one among a few, side by side; `options` are values with their names. */
function RadioRow<V extends string | null>({
  legend,
  options,
  value,
  onChange,
}: {
  readonly legend: string;
  readonly options: readonly (readonly [V, string])[];
  readonly value: V;
  readonly onChange: (value: V) => void;
}) {
  const name = useId();
  return (
    <fieldset className="text-sm">
      <legend className="mb-1 font-medium">{legend}</legend>
      <div className="flex flex-wrap gap-2">
        {options.map(([each, label]) => (
          <label
            key={each ?? ''}
            className="flex min-h-9 cursor-pointer items-center gap-2 rounded-md border border-line px-3 has-checked:border-accent has-checked:bg-accent-tint"
          >
            <input
              type="radio"
              name={name}
              checked={each === value}
              onChange={() => onChange(each)}
              className="size-4 accent-accent"
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
