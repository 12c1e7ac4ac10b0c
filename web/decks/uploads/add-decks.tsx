/** The button that adds decks, with how they are reviewed. */
import { Plus, SlidersHorizontal } from 'lucide-react';
import { Button, IconButton } from '../../ui/button.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Popover } from '../../ui/popover.tsx';
import { commonWords } from '../../words/common.ts';
import { useWords } from '../../words/language.ts';
import { PrioritySelect } from '../priority-select.tsx';
import { choose, REVIEW_LANGUAGES, useReviewChoices } from './choices.ts';
import { uploadWords } from './words.ts';

/** The button, with a panel of choices beside it. */
export function AddDecks({ onAdd }: { readonly onAdd: () => void }) {
  const words = useWords(uploadWords);
  return (
    <div className="flex items-center gap-1">
      <ReviewChoicesPanel />
      <Button look="primary" onClick={onAdd}>
        <Plus size={16} aria-hidden />
        {words.add}
      </Button>
    </div>
  );
}

function ReviewChoicesPanel() {
  const words = useWords(uploadWords);
  const { languages } = useWords(commonWords);
  const { language, priority } = useReviewChoices();
  return (
    <Popover
      align="end"
      label={words.choices}
      trigger={
        <IconButton label={`${words.choices}: ${language.toUpperCase()}`} look="plain">
          <SlidersHorizontal size={16} aria-hidden />
          <span className="text-xs">{language.toUpperCase()}</span>
        </IconButton>
      }
    >
      <div className="flex flex-col gap-3">
        <h2 className="font-medium">{words.choices}</h2>
        <Field label={words.language}>
          <Select
            value={language}
            onChange={({ target }) =>
              choose({ language: REVIEW_LANGUAGES.find((each) => each === target.value) ?? language })
            }
          >
            {REVIEW_LANGUAGES.map((each) => (
              <option key={each} value={each}>
                {languages[each]}
              </option>
            ))}
          </Select>
        </Field>
        <PrioritySelect value={priority} onChange={(next) => choose({ priority: next })} />
      </div>
    </Popover>
  );
}
