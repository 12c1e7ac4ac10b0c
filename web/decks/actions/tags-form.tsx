/** Puts tags on decks and takes them off. A tag that only some of the decks have stays as it is until it is pressed. */
import { useQuery } from '@tanstack/react-query';
import { Check, Minus, Plus } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import type { NewVerdict } from '../../../domain/decks/verdicts/human-verdict.ts';
import { humanWords } from '../../review/human/words.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Field, TextInput } from '../../ui/field.tsx';
import { commonWords } from '../../words/common.ts';
import { useWords } from '../../words/language.ts';
import { facetsQuery } from '../queries.ts';
import { ActionForm, type FormProps } from './form.tsx';
import { actionWords } from './words.ts';

/** The form. */
export function TagsForm(props: FormProps) {
  const { decks } = props;
  const words = useWords(actionWords);
  const said = useWords(humanWords);
  const common = useWords(commonWords);
  const { data: facets } = useQuery(facetsQuery({}));
  // What was pressed: on or off for all.
  const [changes, setChanges] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [typed, setTyped] = useState('');
  const known = [
    ...(facets?.tags ?? []).map(({ value }) => value),
    ...decks.flatMap(({ tags }) => tags),
    ...changes.keys(),
  ];
  const tags = [...new Set(known)].toSorted((a, b) => a.localeCompare(b));
  const change = (tag: string, on: boolean): void => setChanges(new Map([...changes, [tag, on]]));
  const stateOf = (tag: string): 'all' | 'some' | 'none' => {
    const changed = changes.get(tag);
    if (changed !== undefined) return changed ? 'all' : 'none';
    const having = decks.filter((deck) => deck.tags.includes(tag)).length;
    return having === 0 ? 'none' : having === decks.length ? 'all' : 'some';
  };
  // A comma separates tags in the address of the list.
  const newTags = typed.split(',').flatMap((tag) => (tag.trim() === '' ? [] : [tag.trim()]));
  const withTyped = new Map([...changes, ...newTags.map((tag) => [tag, true] as const)]);
  const addTyped = (): void => {
    setChanges(withTyped);
    setTyped('');
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || newTags.length === 0) return;
    event.preventDefault();
    addTyped();
  };
  const verdicts = [...withTyped].map(([text, on]): NewVerdict => ({ kind: 'tag', text, on }));
  return (
    <ActionForm {...props} submit={common.save} disabled={withTyped.size === 0} action={{ kind: 'verdicts', verdicts }}>
      {tags.length === 0 ? (
        <p className="text-sm text-soft">{words.noTags}</p>
      ) : (
        <div className="flex flex-wrap gap-2">
          {tags.map((tag) => {
            const state = stateOf(tag);
            const Mark = state === 'all' ? Check : state === 'some' ? Minus : Plus;
            return (
              <button
                key={tag}
                type="button"
                role="checkbox"
                aria-checked={state === 'some' ? 'mixed' : state === 'all'}
                onClick={() => change(tag, state !== 'all')}
                className={classes(
                  'flex min-h-9 max-w-full items-center gap-1.5 rounded-md border px-2.5 text-sm',
                  state === 'none' ? 'border-line' : 'border-accent bg-accent-tint',
                )}
              >
                <Mark size={14} aria-hidden className="shrink-0" />
                <span className="truncate">{tag}</span>
              </button>
            );
          })}
        </div>
      )}
      <Field label={said.newTag}>
        <span className="flex gap-2">
          <TextInput value={typed} maxLength={50} onKeyDown={onKey} onChange={({ target }) => setTyped(target.value)} />
          <Button disabled={newTags.length === 0} onClick={addTyped}>
            {said.add}
          </Button>
        </span>
      </Field>
    </ActionForm>
  );
}
