/** The form of what a person says with a reason: a score, a value, a decision. */
import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { Field, TextArea } from '../../ui/field.tsx';
import { commonWords } from '../../words/common.ts';
import { useWords } from '../../words/language.ts';
import { humanWords } from './words.ts';

/** The form; `children` stand above the reason. It closes once something was said. */
export function SayForm({
  label,
  reason,
  onReason,
  rows,
  canSave = true,
  onSave,
  onWithdraw = null,
  close,
  children,
}: {
  /** Of the reason. */
  readonly label: string;
  readonly reason: string;
  readonly onReason: (reason: string) => void;
  readonly rows: number;
  readonly canSave?: boolean;
  readonly onSave: () => void;
  /** Null where nothing was said before. */
  readonly onWithdraw?: (() => void) | null;
  readonly close: () => void;
  readonly children?: ReactNode;
}) {
  const words = useWords(humanWords);
  const common = useWords(commonWords);
  const end = (say: () => void): void => {
    say();
    close();
  };
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (canSave) end(onSave);
      }}
    >
      {children}
      <Field label={label}>
        <TextArea
          rows={rows}
          maxLength={2000}
          value={reason}
          placeholder={words.reasonHint}
          onChange={({ target }) => onReason(target.value)}
        />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" disabled={!canSave}>
          {common.save}
        </Button>
        {onWithdraw === null ? null : <Button onClick={() => end(onWithdraw)}>{words.withdraw}</Button>}
        <Button look="quiet" onClick={close}>
          {common.cancel}
        </Button>
      </div>
    </form>
  );
}
