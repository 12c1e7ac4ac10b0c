/** Renames a company, merges another into it, and moves a deck to another one. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useId, useState } from 'react';
import type { CompanyDetails, CompanyDocument, DeckCompany } from '../../api/companies/schemas.ts';
import type { DeckEntry } from '../../domain/decks/list/entry.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogForm } from '../ui/dialog.tsx';
import { Field, TextInput } from '../ui/field.tsx';
import { type Found, SearchChoice } from '../ui/search-choice.tsx';
import { tell, tellError } from '../ui/toast.tsx';
import { useWords } from '../words/language.ts';
import { companyChoicesQuery, useCompanyChanges } from './queries.ts';
import { companiesWords } from './words.ts';

/** Which dialog is open. */
export type CompanyDialog =
  | { readonly kind: 'rename' }
  | { readonly kind: 'merge' }
  | { readonly kind: 'move'; readonly deck: DeckEntry };

interface FormProps {
  readonly company: CompanyDetails;
  readonly onClose: () => void;
}

/** The open dialog; nothing while none is open. */
export function CompanyDialogs({ company, dialog, onClose }: FormProps & { readonly dialog: CompanyDialog | null }) {
  const words = useWords(companiesWords);
  switch (dialog?.kind) {
    case undefined:
      return null;
    case 'rename':
      return (
        <Dialog onClose={onClose} title={words.rename} description={words.renameText}>
          <RenameForm company={company} onClose={onClose} />
        </Dialog>
      );
    case 'merge':
      return (
        <Dialog onClose={onClose} title={words.mergeTitle(company.name)} description={words.mergeText}>
          <MergeForm company={company} onClose={onClose} />
        </Dialog>
      );
    case 'move':
      return (
        <Dialog onClose={onClose} title={words.moveTitle(dialog.deck.fileName)} description={words.moveText}>
          <MoveForm company={company} deck={dialog.deck} onClose={onClose} />
        </Dialog>
      );
  }
}

function RenameForm({ company, onClose }: FormProps) {
  const words = useWords(companiesWords);
  const { rename } = useCompanyChanges();
  const [name, setName] = useState(company.name);
  const { mutate, isPending } = useMutation({
    mutationFn: (next: string) => rename(company.id, next),
    onError: tellError,
    onSuccess: (renamed) => {
      onClose();
      tell(words.renamed(renamed.name), {
        label: words.undo,
        run: () => void rename(company.id, company.name).then(() => tell(words.undone), tellError),
      });
    },
  });
  const next = name.trim();
  return (
    <DialogForm
      submit={words.rename}
      canSubmit={next !== '' && next !== company.name && !isPending}
      onSubmit={() => mutate(next)}
      onClose={onClose}
    >
      <Field label={words.name}>
        <TextInput autoFocus maxLength={200} value={name} onChange={({ target }) => setName(target.value)} />
      </Field>
    </DialogForm>
  );
}

function MergeForm({ company, onClose }: FormProps) {
  const words = useWords(companiesWords);
  const { merge } = useCompanyChanges();
  const [from, setFrom] = useState<CompanyDocument | null>(null);
  const { mutate, isPending } = useMutation({
    mutationFn: (id: string) => merge(company.id, id),
    onError: tellError,
    onSuccess: (into) => {
      onClose();
      tell(words.merged(from?.name ?? '', into.name));
    },
  });
  if (from === null) return <CompanyChoice without={company.id} onChoose={setFrom} />;
  return (
    <DialogForm submit={words.merge} canSubmit={!isPending} onSubmit={() => mutate(from.id)} onClose={onClose}>
      <ul className="flex list-disc flex-col gap-1 pl-5">
        <li>{words.mergeWhat(from.name, from.deckCount, company.name)}</li>
        <li>{words.mergeLater(from.name, company.name)}</li>
        <li>{words.mergeNoUndo}</li>
      </ul>
      <Button autoFocus look="quiet" className="-mx-3 self-start text-accent" onClick={() => setFrom(null)}>
        {words.another}
      </Button>
    </DialogForm>
  );
}

function MoveForm({ company, deck, onClose }: FormProps & { readonly deck: DeckEntry }) {
  const words = useWords(companiesWords);
  const navigate = useNavigate();
  const { putDeck } = useCompanyChanges();
  const [isNew, setNew] = useState(false);
  const [name, setName] = useState('');
  const isAlone = company.decks.length === 1;
  const { mutate, isPending } = useMutation({
    mutationFn: (to: DeckCompany) => putDeck(deck.id, to),
    onError: tellError,
    onSuccess: (target) => {
      onClose();
      const undo = {
        label: words.undo,
        run: () => void putDeck(deck.id, { companyId: company.id }).then(() => tell(words.undone), tellError),
      };
      // A company without decks is gone: then there is nothing to go back to.
      tell(words.moved(deck.fileName, target.name), isAlone ? undefined : undo);
      if (isAlone) void navigate({ to: '/companies/$companyId', params: { companyId: target.id } });
    },
  });
  const kinds = useId();
  const radio = (value: boolean, label: string): ReactNode => (
    <label className="flex min-h-8 cursor-pointer items-center gap-2">
      <input
        type="radio"
        name={kinds}
        className="size-4 accent-accent"
        checked={isNew === value}
        onChange={() => setNew(value)}
      />
      {label}
    </label>
  );
  return (
    <div className="flex flex-col gap-3">
      <div role="radiogroup" aria-label={words.move} className="flex flex-col text-sm">
        {radio(false, words.toKnown)}
        {radio(true, words.toNew)}
      </div>
      {isNew ? (
        <DialogForm
          submit={words.moveDo}
          canSubmit={name.trim() !== '' && !isPending}
          onSubmit={() => mutate({ name: name.trim() })}
          onClose={onClose}
        >
          <Field label={words.newName}>
            <TextInput maxLength={200} value={name} onChange={({ target }) => setName(target.value)} />
          </Field>
          {isAlone ? <p className="text-sm text-soft">{words.alone(company.name)}</p> : null}
        </DialogForm>
      ) : (
        <>
          {isAlone ? <p className="text-sm text-soft">{words.aloneGoes(company.name)}</p> : null}
          <CompanyChoice without={company.id} onChoose={({ id }) => mutate({ companyId: id })} />
        </>
      )}
    </div>
  );
}

/** A search for a company. `without`: the one that is not offered. */
function CompanyChoice({
  without,
  onChoose,
}: {
  readonly without: string;
  readonly onChoose: (company: CompanyDocument) => void;
}) {
  const words = useWords(companiesWords);
  const useChoices = (text: string): Found<CompanyDocument> => {
    const { data, isPlaceholderData } = useQuery(companyChoicesQuery(text.trim()));
    const choices = data
      ?.filter(({ id }) => id !== without)
      .map((company) => ({
        id: company.id,
        value: company,
        label: (
          <>
            <span className="truncate font-medium">{company.name}</span>
            <span className="truncate text-xs text-soft">
              {[words.deckCount(company.deckCount), ...company.domains].join(' · ')}
            </span>
          </>
        ),
      }));
    return { choices, isCurrent: data !== undefined && !isPlaceholderData };
  };
  return (
    <SearchChoice
      label={words.searchCompany}
      nothing={words.noCompanyFound}
      useChoices={useChoices}
      onChoose={onChoose}
    />
  );
}
