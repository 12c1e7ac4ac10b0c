/** Saved views: filters and orders under a name, for everybody of the tenant. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { type SubmitEvent, useState } from 'react';
import { api } from '../../request.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Field, TextInput } from '../../ui/field.tsx';
import { tell, tellError } from '../../ui/toast.tsx';
import { commonWords } from '../../words/common.ts';
import { useWords } from '../../words/language.ts';
import { type SavedView, viewsQuery } from '../queries.ts';
import { type DecksSearch, readDecksSearch, type SearchProps } from '../search.ts';
import { filterWords } from './words.ts';

/** The search as a query, the same for the same search. */
const queryOf = (search: DecksSearch): string =>
  new URLSearchParams(Object.entries(search).toSorted(([a], [b]) => a.localeCompare(b))).toString();

/** The views, with a way to save what is set now. */
export const Views = ({ search, onSearch, onChosen }: SearchProps & { readonly onChosen: () => void }) => (
  <div className="flex flex-col gap-3">
    <ViewList
      search={search}
      onSearch={(next) => {
        onSearch(next);
        onChosen();
      }}
    />
    <SaveView search={search} />
  </div>
);

function ViewList({ search, onSearch }: SearchProps) {
  const words = useWords(filterWords);
  const queries = useQueryClient();
  const { data: views = [] } = useQuery(viewsQuery);
  const remove = useMutation({
    mutationFn: ({ id }: SavedView) => api.DELETE('/views/{id}', { params: { path: { id } } }),
    onSuccess: (_answer, { name }) => tell(words.viewDeleted(name)),
    onError: tellError,
    onSettled: () => queries.invalidateQueries(viewsQuery),
  });
  if (views.length === 0) return <p className="text-sm text-soft">{words.noViews}</p>;
  return (
    <ul className="-mx-1.5">
      {views.map((view) => (
        <li key={view.id} className="flex items-center gap-1">
          <Button
            look="quiet"
            aria-current={view.query === queryOf(search)}
            className="min-w-0 grow justify-start font-normal aria-[current=true]:font-semibold"
            onClick={() => onSearch(readDecksSearch(Object.fromEntries(new URLSearchParams(view.query))))}
          >
            <span className="truncate">{view.name}</span>
          </Button>
          <IconButton
            label={words.deleteView(view.name)}
            disabled={remove.isPending}
            onClick={() => remove.mutate(view)}
          >
            <Trash2 size={16} aria-hidden />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}

function SaveView({ search }: { readonly search: DecksSearch }) {
  const words = useWords(filterWords);
  const common = useWords(commonWords);
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const save = useMutation({
    mutationFn: () => api.POST('/views', { body: { name: name.trim(), query: queryOf(search) } }),
    onSuccess: () => {
      tell(words.viewSaved(name.trim()));
      setName('');
    },
    onError: tellError,
    onSettled: () => queries.invalidateQueries(viewsQuery),
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-2 border-t border-line pt-3">
      <h2 className="text-sm font-medium">{words.saveView}</h2>
      <Field label={words.viewName}>
        <span className="flex gap-2">
          <TextInput value={name} maxLength={60} onChange={({ target }) => setName(target.value)} />
          <Button type="submit" disabled={name.trim() === '' || save.isPending}>
            {common.save}
          </Button>
        </span>
      </Field>
    </form>
  );
}
