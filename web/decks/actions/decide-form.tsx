/** Says what to do with decks: meet, later, pass, with a reason. */
import { useState } from 'react';
import { DECISIONS, type Decision } from '../../../domain/decks/verdicts/kinds.ts';
import { Field, TextArea } from '../../ui/field.tsx';
import { commonWords } from '../../words/common.ts';
import { deckWords } from '../../words/deck.ts';
import { useWords } from '../../words/language.ts';
import { ActionForm, type FormProps } from './form.tsx';
import { RadioRow } from './radio-row.tsx';
import { usePerform } from './use-perform.ts';
import { actionWords } from './words.ts';

/** The form. */
export function DecideForm(props: FormProps) {
  const words = useWords(actionWords);
  const common = useWords(commonWords);
  const names = useWords(deckWords);
  const perform = usePerform();
  const [first] = props.decks;
  const isSame = first !== undefined && props.decks.every(({ decision }) => decision === first.decision);
  const [decision, setDecision] = useState<Decision | null>(isSame ? first.decision : null);
  const [reason, setReason] = useState('');
  const verdict = { kind: 'decision', decision, reason: reason.trim() === '' ? null : reason.trim() } as const;
  return (
    <ActionForm
      {...props}
      submit={common.save}
      onSubmit={() => perform({ kind: 'verdicts', verdicts: [verdict] }, props.decks)}
    >
      <RadioRow
        legend={words.decision}
        options={[...DECISIONS, null].map((each) => [each, each === null ? words.noDecision : names.decision[each]])}
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
