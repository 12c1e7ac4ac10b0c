/** A choice of a priority. */
import { PRIORITIES } from '../../domain/decks/priority.ts';
import { Field, Select } from '../ui/field.tsx';
import { useWords } from '../words/language.ts';
import { uploadWords } from './uploads/words.ts';

/** The choice. */
export function PrioritySelect({
  value,
  onChange,
}: {
  /** 1 (critical) … 5 (batch). */
  readonly value: number;
  readonly onChange: (priority: number) => void;
}) {
  const words = useWords(uploadWords);
  return (
    <Field label={words.priority}>
      <Select value={value} onChange={({ target }) => onChange(Number(target.value))}>
        {PRIORITIES.map((each) => (
          <option key={each} value={each}>
            {words.priorities[each]}
          </option>
        ))}
      </Select>
    </Field>
  );
}
