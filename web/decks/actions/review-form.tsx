/** Reviews decks again: how much is computed, in which language, how urgently. */
import { useState } from 'react';
import type { Language } from '../../../domain/models/model-tasks.ts';
import { PRIORITIES } from '../../../domain/decks/priority.ts';
import { Field, Select } from '../../ui/field.tsx';
import { commonWords } from '../../words/common.ts';
import { useWords } from '../../words/language.ts';
import { REVIEW_LANGUAGES } from '../uploads/choices.ts';
import { uploadWords } from '../uploads/words.ts';
import { ActionForm, type FormProps } from './form.tsx';
import { fitsDeck, REVIEW_SCOPES, type ReviewScope } from './perform.ts';
import { actionWords } from './words.ts';

/** The form. */
export function ReviewForm(props: FormProps) {
  const words = useWords(actionWords);
  const more = useWords(uploadWords);
  const { languages } = useWords(commonWords);
  const [scope, setScope] = useState<ReviewScope>('stored');
  const [language, setLanguage] = useState<Language | null>(null);
  const [priority, setPriority] = useState<number | null>(null);
  const { decks } = props;
  const skipped = decks.filter((deck) => !fitsDeck('review', deck)).length;
  return (
    <ActionForm
      {...props}
      submit={words.start}
      disabled={skipped === decks.length}
      action={{ kind: 'review', scope, language, priority }}
    >
      <fieldset className="flex flex-col gap-2 text-sm">
        <legend className="mb-1 font-medium">{words.scope}</legend>
        {REVIEW_SCOPES.map((each) => (
          <label key={each} className="flex cursor-pointer items-start gap-2">
            <input
              type="radio"
              name="scope"
              checked={scope === each}
              onChange={() => setScope(each)}
              className="mt-0.5 size-4 shrink-0 accent-accent"
            />
            <span>
              {words.scopes[each].name}
              <span className="block text-soft">{words.scopes[each].hint}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label={more.language}>
          <Select
            value={language ?? ''}
            onChange={({ target }) => setLanguage(REVIEW_LANGUAGES.find((each) => each === target.value) ?? null)}
          >
            <option value="">{words.asBefore}</option>
            {REVIEW_LANGUAGES.map((each) => (
              <option key={each} value={each}>
                {languages[each]}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={more.priority}>
          <Select
            value={priority ?? ''}
            onChange={({ target }) => setPriority(target.value === '' ? null : Number(target.value))}
          >
            <option value="">{words.asBefore}</option>
            {PRIORITIES.map((each) => (
              <option key={each} value={each}>
                {more.priorities[each]}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      {skipped === 0 ? null : (
        <p className="text-sm text-warn">{skipped === decks.length ? words.nothingToDo : words.skipped(skipped)}</p>
      )}
    </ActionForm>
  );
}
