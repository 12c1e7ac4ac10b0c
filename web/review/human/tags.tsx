/** Tags of the deck: seen, added, taken off. */
import { useQuery } from '@tanstack/react-query';
import { Tag, X } from 'lucide-react';
import { memo, useId, useState } from 'react';
import { facetsQuery } from '../../decks/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Field, TextInput } from '../../ui/field.tsx';
import { Popover } from '../../ui/popover.tsx';
import { useWords } from '../../words/language.ts';
import { useReviewTools } from '../tools.ts';
import { humanWords } from './words.ts';

/** The tags, with the button that adds one. */
export const Tags = memo(function Tags({ tags }: { readonly tags: readonly string[] }) {
  const words = useWords(humanWords);
  const { say } = useReviewTools();
  return (
    <div className="flex flex-wrap items-center gap-1">
      {tags.map((tag) => (
        <span key={tag} className="flex max-w-40 items-center rounded bg-raised pl-2 text-sm">
          <span className="truncate">{tag}</span>
          <button
            type="button"
            aria-label={words.removeTag(tag)}
            title={words.removeTag(tag)}
            onClick={() => say({ kind: 'tag', text: tag, on: false })}
            className="no-print grid size-7 shrink-0 place-items-center text-soft hover:text-ink"
          >
            <X size={13} aria-hidden />
          </button>
        </span>
      ))}
      <Popover
        align="end"
        label={words.addTag}
        trigger={
          <Button className="no-print" aria-label={tags.length === 0 ? undefined : words.addTag}>
            <Tag size={15} aria-hidden />
            {tags.length === 0 ? words.tags : null}
          </Button>
        }
      >
        {(close) => <NewTag tags={tags} close={close} />}
      </Popover>
    </div>
  );
});

function NewTag({ tags, close }: { readonly tags: readonly string[]; readonly close: () => void }) {
  const words = useWords(humanWords);
  const { say } = useReviewTools();
  const { data: facets } = useQuery(facetsQuery({}));
  const [text, setText] = useState('');
  const listId = useId();
  const known = (facets?.tags ?? []).map(({ value }) => value).filter((value) => !tags.includes(value));
  return (
    <form
      className="flex items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        // A comma separates tags, as in the address of the list.
        for (const tag of text.split(',').map((each) => each.trim())) {
          if (tag !== '' && !tags.includes(tag)) say({ kind: 'tag', text: tag, on: true });
        }
        close();
      }}
    >
      <Field label={words.newTag}>
        <TextInput maxLength={50} list={listId} value={text} onChange={({ target }) => setText(target.value)} />
      </Field>
      <datalist id={listId}>
        {known.map((value) => (
          <option key={value} value={value} />
        ))}
      </datalist>
      <Button type="submit" look="primary" disabled={text.trim() === ''}>
        {words.add}
      </Button>
    </form>
  );
}
