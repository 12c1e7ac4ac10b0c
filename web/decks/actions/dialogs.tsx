/** The dialogs about decks; loaded when the first one is opened. */
import type { ReactNode } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { useWords } from '../../words/language.ts';
import { AssignForm } from './assign-form.tsx';
import { DecideForm } from './decide-form.tsx';
import { DeleteForm } from './delete-form.tsx';
import { FailureList } from './failure-list.tsx';
import type { FormProps } from './form.tsx';
import { PriorityForm } from './priority-form.tsx';
import { ReviewForm } from './review-form.tsx';
import { closeDialog, type DeckDialog, type OpenDialog } from './store.ts';
import { TagsForm } from './tags-form.tsx';
import { actionWords } from './words.ts';

const FORMS: Readonly<Record<DeckDialog, (props: FormProps) => ReactNode>> = {
  review: ReviewForm,
  priority: PriorityForm,
  tags: TagsForm,
  assign: AssignForm,
  decide: DecideForm,
  delete: DeleteForm,
};

/** The open dialog. */
export function DeckDialogs({ dialog }: { readonly dialog: OpenDialog }) {
  const words = useWords(actionWords);
  const close = (): void => closeDialog(dialog);
  if (dialog.kind === 'failures') {
    return (
      <Dialog onClose={close} title={dialog.title} description={words.failedHint}>
        <FailureList failures={dialog.failures} />
      </Dialog>
    );
  }
  const { kind, decks } = dialog;
  const Form = FORMS[kind];
  const title = kind === 'delete' ? words.deleteTitle(decks.length) : words[kind].replace(/ …$/u, '');
  return (
    <Dialog onClose={close} title={title}>
      <Form decks={decks} onClose={close} />
    </Dialog>
  );
}
