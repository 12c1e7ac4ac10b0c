/** The controls of one filter: values to tick with their numbers, or a range. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatCount } from '../../format.ts';
import { Checkbox, Field, TextInput } from '../../ui/field.tsx';
import { Loading } from '../../ui/states.tsx';
import { useLanguage, useWords } from '../../words/language.ts';
import { facetsQuery, type Facets } from '../queries.ts';
import type { SearchProps } from '../search.ts';
import { type FilterKind, type ListFilterName, toggled, valuesOf, withParameter } from './filter.ts';
import { useValueName } from './value-name.ts';
import { filterWords } from './words.ts';

/** Which facet counts the decks of each value; null where none does. */
const FACETS: Readonly<Record<ListFilterName, keyof Facets | null>> = {
  status: 'statuses',
  attention: 'attention',
  answering: null,
  sector: 'sectors',
  kind: 'kinds',
  round: 'rounds',
  decision: 'decisions',
  assignee: 'assignees',
  owner: 'owners',
  tag: 'tags',
};

/** The controls of a kind. */
export function FilterEditor({ kind, ...props }: SearchProps & { readonly kind: FilterKind }) {
  const words = useWords(filterWords);
  switch (kind) {
    case 'score':
      return (
        <div className="grid grid-cols-2 gap-3">
          <NumberField {...props} name="minScore" label={words.from} max={7} step={0.5} factor={1} />
          <NumberField {...props} name="maxScore" label={words.to} max={7} step={0.5} factor={1} />
        </div>
      );
    case 'coverage':
      return (
        <NumberField {...props} name="minCoverage" label={`${words.atLeast} (%)`} max={100} step={5} factor={100} />
      );
    case 'created':
      return (
        <div className="grid grid-cols-2 gap-3">
          <DayField {...props} name="since" label={words.from} />
          <DayField {...props} name="until" label={words.to} />
        </div>
      );
    default:
      return <Values {...props} name={kind} />;
  }
}

function Values({ name, search, onSearch }: SearchProps & { readonly name: ListFilterName }) {
  const words = useWords(filterWords);
  const language = useLanguage();
  const nameOf = useValueName();
  const { data } = useQuery(facetsQuery(search));
  if (data === undefined) return <Loading />;
  const chosen = valuesOf(search, name);
  const facet = FACETS[name];
  const counts = new Map(facet === null ? [] : data[facet].map(({ value, count }) => [value, count]));
  const extra = name === 'attention' ? ['any'] : name === 'answering' ? Object.keys(words.answering) : [];
  const values = [...new Set([...extra, ...counts.keys(), ...chosen])];
  if (values.length === 0) return <p className="text-sm text-soft">{words.noValues}</p>;
  return (
    <ul>
      {values.map((value) => {
        const count = counts.get(value);
        return (
          <li key={value}>
            <Checkbox
              checked={chosen.includes(value)}
              onChange={() => onSearch(toggled(search, name, value))}
              label={
                <span className="flex min-w-0 grow justify-between gap-3">
                  <span className="truncate">{nameOf(name, value)}</span>
                  {count === undefined ? null : (
                    <span className="text-soft tabular-nums">{formatCount(count, language)}</span>
                  )}
                </span>
              }
            />
          </li>
        );
      })}
    </ul>
  );
}

/** A number from 0 to `max`; the address holds it divided by `factor`. */
function NumberField({
  search,
  onSearch,
  name,
  label,
  max,
  step,
  factor,
}: SearchProps & {
  readonly name: 'minScore' | 'maxScore' | 'minCoverage';
  readonly label: string;
  readonly max: number;
  readonly step: number;
  readonly factor: number;
}) {
  const value = search[name];
  const [typed, setTyped] = useState(value === undefined ? '' : String(Number(value) * factor));
  const set = (next: string): void => {
    setTyped(next);
    const number = Number(next);
    if (next === '') onSearch(withParameter(search, name, ''));
    else if (Number.isFinite(number) && number >= 0 && number <= max)
      onSearch(withParameter(search, name, String(number / factor)));
  };
  return (
    <Field label={label}>
      <TextInput
        type="number"
        inputMode="decimal"
        min={0}
        max={max}
        step={step}
        value={typed}
        onChange={({ target }) => set(target.value)}
      />
    </Field>
  );
}

function DayField({
  search,
  onSearch,
  name,
  label,
}: SearchProps & { readonly name: 'since' | 'until'; readonly label: string }) {
  return (
    <Field label={label}>
      <TextInput
        type="date"
        value={search[name] ?? ''}
        onChange={({ target }) => onSearch(withParameter(search, name, target.value))}
      />
    </Field>
  );
}
