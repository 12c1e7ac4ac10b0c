/** Two to five reviews side by side: decks, versions of a company's deck, or analyses of one deck. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { CHANGE_KINDS, type ChangeKind } from '../../domain/decks/compare/claim-changes.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/field.tsx';
import { Empty, Failed, Loading, ToDecks } from '../ui/states.tsx';
import { useLanguage, useWords } from '../words/language.ts';
import { AddDeck, DeckSearch } from './add-deck.tsx';
import { BesideArea } from './beside.tsx';
import { Chapters } from './chapters.tsx';
import { type ColumnActions, ColumnHeads } from './column-heads.tsx';
import { Headline, useSubject } from './headline.tsx';
import { Made } from './made.tsx';
import { type Compared, comparedOf } from './model.ts';
import { useReviews } from './queries.ts';
import { analysesOf, type CompareSearch, MOST_COMPARED, withAnalyses } from './search.ts';
import { Summary } from './summary.tsx';
import { compareWords } from './words.ts';

/** The page. */
export function ComparePage() {
  const words = useWords(compareWords);
  const language = useLanguage();
  const search = useSearch({ from: '/compare' });
  const navigate = useNavigate({ from: '/compare' });
  const ids = analysesOf(search);
  const { reviews, gone, isLoading, error, retry } = useReviews(ids);
  const go = (next: CompareSearch): void => void navigate({ search: next });
  const leaveOut = (out: readonly string[]): void => {
    const left = ids.filter((id) => !out.includes(id));
    go(withAnalyses(search, left));
  };
  const actions: ColumnActions = {
    ids,
    canAdd: ids.length < MOST_COMPARED,
    add: (id) => go(withAnalyses(search, [...ids, id])),
    remove: (id) => leaveOut([id]),
  };
  if (ids.length === 0) return <Nothing actions={actions} />;
  if (error !== null) return <Failed error={error} onRetry={retry} />;
  if (isLoading) return <Loading />;
  return (
    <>
      {gone.length === 0 ? null : (
        <div role="alert" className="flex flex-wrap items-center gap-3 bg-warn-tint px-5 py-2 text-sm text-warn">
          {words.gone}
          <Button onClick={() => leaveOut(gone)}>{words.removeGone}</Button>
        </div>
      )}
      <Comparison
        compared={comparedOf(reviews, language)}
        actions={actions}
        only={search.only}
        onOnly={(only) => go({ ...search, only })}
      />
    </>
  );
}

/** Before anything was chosen. */
function Nothing({ actions }: { readonly actions: ColumnActions }) {
  const words = useWords(compareWords);
  return (
    <Empty title={words.emptyTitle}>
      <title>{`${words.title} · Deckhand`}</title>
      <p className="text-soft">{words.emptyText}</p>
      <div className="w-full max-w-md text-left">
        <DeckSearch ids={actions.ids} onAdd={actions.add} />
      </div>
      <ToDecks />
    </Empty>
  );
}

function Comparison({
  compared,
  actions,
  only,
  onOnly,
}: {
  readonly compared: Compared;
  readonly actions: ColumnActions;
  /** Undefined: as it fits what is compared. */
  readonly only: boolean | undefined;
  readonly onOnly: (only: boolean) => void;
}) {
  const words = useWords(compareWords);
  const subject = useSubject(compared);
  const [change, setChange] = useState<ChangeKind | null>(null);
  const { kind, columns } = compared;
  const isPair = columns.length > 1;
  // Versions and runs are mostly the same, several decks mostly differ.
  const isOnly = isPair && (only ?? kind !== 'decks');
  return (
    <article className="flex flex-col bg-panel">
      <title>{`${subject} · ${words.title} · Deckhand`}</title>
      <header className="flex flex-col gap-3 px-3 pt-5 pb-4 sm:px-5">
        <div className="flex flex-wrap items-start justify-between gap-3">
          <div className="min-w-0">
            <p className="text-sm text-soft">{isPair ? words.kinds[kind](columns.length) : words.oneTitle}</p>
            <h1 className="text-xl font-semibold break-words">{subject}</h1>
          </div>
          <div className="no-print flex flex-wrap items-center gap-3">
            {isPair ? (
              <Checkbox
                label={words.onlyDifferences}
                checked={isOnly}
                onChange={(event) => onOnly(event.target.checked)}
              />
            ) : null}
            <AddDeck ids={actions.ids} canAdd={actions.canAdd} onAdd={actions.add} />
          </div>
        </div>
        {isPair ? <Headline compared={compared} /> : <p className="text-soft">{words.oneText}</p>}
        {compared.diff === null ? null : <ChangeFilter compared={compared} chosen={change} onChoose={setChange} />}
      </header>
      <BesideArea columns={columns.length}>
        <ColumnHeads columns={columns} actions={actions} />
        {change === null ? <Summary compared={compared} isOnly={isOnly} /> : null}
        <Chapters compared={compared} shown={{ isOnly, change }} />
        <Made compared={compared} />
      </BesideArea>
    </article>
  );
}

/** Chooses one kind of change to look at. */
function ChangeFilter({
  compared: { changes },
  chosen,
  onChoose,
}: {
  readonly compared: Compared;
  readonly chosen: ChangeKind | null;
  readonly onChoose: (kind: ChangeKind | null) => void;
}) {
  const words = useWords(compareWords);
  const counted = CHANGE_KINDS.map((kind) => ({
    kind,
    count: [...changes.values()].filter((each) => each === kind).length,
  })).filter(({ count }) => count > 0);
  if (counted.length === 0) return null;
  const all = { kind: null, count: changes.size };
  return (
    <div role="group" aria-label={words.changeFilter} className="no-print flex flex-wrap gap-1.5">
      {[all, ...counted].map(({ kind, count }) => (
        <Button
          key={kind}
          aria-pressed={chosen === kind}
          className="min-h-8 rounded-full aria-pressed:border-accent aria-pressed:bg-accent-tint aria-pressed:text-accent"
          onClick={() => onChoose(kind)}
        >
          {kind === null ? words.allChanges : words.changes[kind]} {count}
        </Button>
      ))}
    </div>
  );
}
