/** Corrects a value of the deck in place: words, an amount with its currency, a date, a sector. */
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import type { JudgedValue } from '../../../domain/decks/verdicts/overlay.ts';
import type { AnalysisReport } from '../../../domain/decks/report.ts';
import { subjectOf } from '../../../domain/decks/verdicts/subject.ts';
import { IconButton } from '../../ui/button.tsx';
import { Field, Select, TextArea, TextInput } from '../../ui/field.tsx';
import { Popover } from '../../ui/popover.tsx';
import { deckWords } from '../../words/deck.ts';
import { useLanguage, useWords } from '../../words/language.ts';
import { subjectLabel } from '../labels.ts';
import { useReviewTools } from '../tools.ts';
import { SayForm } from './say-form.tsx';
import { draftOf, verdictOfDraft, type Draft } from './value-draft.ts';
import { humanWords } from './words.ts';

/** The button that opens the form. */
export function ValueEditor({ value, report }: { readonly value: JudgedValue; readonly report: AnalysisReport }) {
  const words = useWords(humanWords);
  const language = useLanguage();
  const label = subjectLabel(subjectOf({ of: 'value', field: value.field }), report, language) ?? value.field;
  return (
    <span className="no-print -my-1.5 shrink-0 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 group-aria-[current]:opacity-100 has-data-[state=open]:opacity-100 pointer-coarse:opacity-100">
      <Popover
        align="end"
        label={words.correctOf(label)}
        trigger={
          <IconButton label={words.correctOf(label)}>
            <Pencil size={15} aria-hidden />
          </IconButton>
        }
      >
        {(close) => <ValueForm value={value} report={report} close={close} />}
      </Popover>
    </span>
  );
}

function ValueForm({
  value,
  report,
  close,
}: {
  readonly value: JudgedValue;
  readonly report: AnalysisReport;
  readonly close: () => void;
}) {
  const words = useWords(humanWords);
  const { say, analysisId } = useReviewTools();
  const [draft, setDraft] = useState(() => draftOf(value, report));
  const { field, human } = value;
  const verdict = verdictOfDraft(field, draft, analysisId);
  const set = (part: Partial<Draft>): void => setDraft({ ...draft, ...part });
  return (
    <SayForm
      label={words.reason}
      reason={draft.reason}
      onReason={(reason) => set({ reason })}
      rows={2}
      canSave={verdict !== null}
      onSave={() => {
        if (verdict !== null) say(verdict);
      }}
      onWithdraw={
        human === null
          ? null
          : () => say({ kind: 'value', subject: subjectOf({ of: 'value', field }), text: null, analysisId })
      }
      close={close}
    >
      <ValueFields field={field} draft={draft} set={set} />
    </SayForm>
  );
}

function ValueFields({
  field,
  draft,
  set,
}: {
  readonly field: string;
  readonly draft: Draft;
  readonly set: (part: Partial<Draft>) => void;
}) {
  const words = useWords(humanWords);
  const names = useWords(deckWords).sector;
  if (field === 'sector') {
    return (
      <Field label={words.sector}>
        <Select value={draft.text} onChange={({ target }) => set({ text: target.value })}>
          {Object.entries(names).map(([slug, name]) => (
            <option key={slug} value={slug}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
    );
  }
  return (
    <>
      <Field label={field === 'funding' || field === 'deck_date' ? words.asInDeck : words.value}>
        {field === 'offering' ? (
          <TextArea
            rows={3}
            maxLength={500}
            value={draft.text}
            onChange={({ target }) => set({ text: target.value })}
          />
        ) : (
          <TextInput maxLength={500} value={draft.text} onChange={({ target }) => set({ text: target.value })} />
        )}
      </Field>
      {field === 'funding' ? (
        <div className="grid grid-cols-[1fr_6rem] gap-2">
          <Field label={words.amount}>
            <TextInput
              inputMode="decimal"
              value={draft.amount}
              onChange={({ target }) => set({ amount: target.value })}
            />
          </Field>
          <Field label={words.currency}>
            <TextInput
              maxLength={3}
              placeholder="EUR"
              value={draft.currency}
              onChange={({ target }) => set({ currency: target.value })}
            />
          </Field>
        </div>
      ) : null}
      {field === 'deck_date' ? (
        <Field label={words.isoDate}>
          <TextInput
            placeholder={words.isoDateHint}
            value={draft.isoDate}
            onChange={({ target }) => set({ isoDate: target.value })}
          />
        </Field>
      ) : null}
    </>
  );
}
