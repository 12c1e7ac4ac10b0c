/** A choice of one among a few, side by side. */
import { useId } from 'react';

/** The choice; `options` are values with their names. */
export function RadioRow<V extends string | null>({
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
