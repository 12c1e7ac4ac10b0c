/** How the reviews were made, and why two analyses of one deck may differ: on demand, below what they say. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ComparedItem, Comparison, ComparisonReason } from '../../domain/decks/compare/comparison.ts';
import { type CompareLabels, compareLabelsOf } from '../../domain/decks/compare/labels.ts';
import { changeName, itemName, reasonWords } from '../../domain/decks/compare/names.ts';
import {
  abridged,
  differingChoices,
  fieldWords,
  isProse,
  shownParts,
  shownReasons,
} from '../../domain/decks/compare/reading.ts';
import { changedWords } from '../../domain/decks/compare/words.ts';
import { formatMoment } from '../format.ts';
import { apiPath } from '../request.ts';
import { Disclosure } from '../ui/disclosure.tsx';
import { NotRead } from '../ui/states.tsx';
import { commonWords } from '../words/common.ts';
import { deckWords } from '../words/deck.ts';
import { useLanguage, useWords } from '../words/language.ts';
import { Runs } from './answer.tsx';
import { BesideRow, BesideTable } from './beside.tsx';
import type { Column, Compared } from './model.ts';
import { comparisonQuery } from './queries.ts';
import { compareWords } from './words.ts';

/** Parts that the chapters above show already. */
const SHOWN_ABOVE: ReadonlySet<string> = new Set(['overall', 'chapters', 'questions']);

/** The folded end of the page. */
export function Made({ compared }: { readonly compared: Compared }) {
  const words = useWords(compareWords);
  const { kind, columns } = compared;
  const [a, b] = columns;
  const isPair = kind === 'runs' && a !== undefined && b !== undefined && columns.length === 2;
  return (
    <div className="mt-6 border-t border-line">
      {isPair ? <Pair a={a} b={b} /> : null}
      <Fold title={words.made}>
        <Provenance columns={columns} />
      </Fold>
      {a === undefined || b === undefined || columns.length > 2 ? null : <Documents a={a} b={b} />}
    </div>
  );
}

function Fold({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Disclosure title={title} className="border-b border-line px-3 py-1 sm:px-5">
      <div className="-mx-3 sm:-mx-5">{children}</div>
    </Disclosure>
  );
}

function Provenance({ columns }: { readonly columns: readonly Column[] }) {
  const words = useWords(compareWords);
  const { status } = useWords(deckWords);
  const { languages } = useWords(commonWords);
  const language = useLanguage();
  const { madeFacts } = words;
  const rows: readonly [string, (column: Column) => ReactNode][] = [
    [madeFacts.started, ({ report }) => formatMoment(report.createdAt, language)],
    [madeFacts.status, ({ report }) => status[report.status]],
    [madeFacts.engine, ({ report }) => report.engine?.label ?? '–'],
    [
      madeFacts.template,
      ({ report: { template } }) =>
        template.slug === null ? '–' : `${template.name ?? template.slug} v${template.version ?? '?'}`,
    ],
    [madeFacts.language, ({ report }) => languages[report.language]],
    [madeFacts.replay, ({ report: { replay } }) => replay?.of ?? '–'],
    [madeFacts.analysis, ({ report }) => <code className="text-xs break-all">{report.analysisId}</code>],
  ];
  return (
    <BesideTable label={words.made} corner={words.made} columns={columns}>
      {rows.map(([name, read]) => (
        <BesideRow key={name} columns={columns} name={name} cells={columns.map((column) => read(column))} />
      ))}
    </BesideTable>
  );
}

/** Why two analyses of one deck may differ, and every value in which they do. */
function Pair({ a, b }: { readonly a: Column; readonly b: Column }) {
  const words = useWords(compareWords);
  const labels = compareLabelsOf(useLanguage());
  const { data, error, refetch } = useQuery(comparisonQuery(a.report.analysisId, b.report.analysisId));
  if (data === undefined) return <NotRead error={error} refetch={refetch} />;
  return (
    <>
      <Fold title={labels.why}>
        <Reasons comparison={data} labels={labels} />
      </Fold>
      <Fold title={words.otherDifferences}>
        <Differences comparison={data} labels={labels} />
      </Fold>
    </>
  );
}

/** Longer checksums say nothing more to people. */
const CHECKSUM = /[0-9a-f]{16,}/u;
const SHOWN_OF_CHECKSUM = 8;

const shownValue = (value: ComparisonReason['a'], labels: CompareLabels): string =>
  value === null
    ? labels.nothing
    : String(value).replace(CHECKSUM, (checksum) => `${checksum.slice(0, SHOWN_OF_CHECKSUM)}…`);

/** One reason of several tasks as one. */
function grouped(reasons: readonly ComparisonReason[]): readonly ComparisonReason[] {
  const groups = new Map<string, ComparisonReason>();
  for (const reason of reasons) {
    const key = JSON.stringify([reason.field, reason.a, reason.b]);
    groups.set(key, { ...reason, results: reason.results + (groups.get(key)?.results ?? 0) });
  }
  return [...groups.values()];
}

interface PairProps {
  readonly comparison: Comparison;
  readonly labels: CompareLabels;
}

function Reasons({ comparison, labels }: PairProps) {
  const { reasons, otherSeeds } = shownReasons(comparison);
  const choices = differingChoices(comparison);
  const pair = ({ field, a, b }: Pick<ComparisonReason, 'field' | 'a' | 'b'>): string =>
    `${fieldWords(field)}: ${shownValue(a, labels)} → ${shownValue(b, labels)}`;
  const lines = [
    ...choices.map(pair),
    ...grouped(reasons).map(
      (reason) => `${labels.results(reason.results)}: ${reasonWords(reason, labels) ?? pair(reason)}`,
    ),
    ...(otherSeeds === 0 ? [] : [labels.otherSeeds(otherSeeds)]),
  ];
  return (
    <ul className="list-disc px-5 pb-4 pl-9 text-sm">
      {(lines.length === 0 ? [labels.whyNothing] : lines).map((line) => (
        <li key={line} className="break-words">
          {line}
        </li>
      ))}
    </ul>
  );
}

function Differences({ comparison, labels }: PairProps) {
  const { gaps } = comparison;
  const parts = shownParts(comparison).filter(({ part }) => !SHOWN_ABOVE.has(part));
  return (
    <div className="flex flex-col gap-4 px-5 pb-4 text-sm">
      <Gaps title={labels.opened} gaps={gaps.opened} />
      <Gaps title={labels.closed} gaps={gaps.closed} />
      {gaps.changed.length === 0 ? null : (
        <Items title={labels.otherReason} part="gaps" items={gaps.changed} labels={labels} />
      )}
      {parts.map(({ part, items }) => (
        <Items key={part} title={labels.parts[part]} part={part} items={items} labels={labels} />
      ))}
    </div>
  );
}

function Gaps({ title, gaps }: { readonly title: string; readonly gaps: Comparison['gaps']['opened'] }) {
  return gaps.length === 0 ? null : (
    <section>
      <h3 className="font-semibold">{title}</h3>
      <ul className="list-disc pl-5">
        {gaps.map(({ item, message }) => (
          <li key={item}>{message}</li>
        ))}
      </ul>
    </section>
  );
}

function Items({
  title,
  part,
  items,
  labels,
}: {
  readonly title: string;
  readonly part: Parameters<typeof itemName>[0];
  readonly items: readonly ComparedItem[];
  readonly labels: CompareLabels;
}) {
  const language = useLanguage();
  return (
    <section>
      <h3 className="font-semibold">{title}</h3>
      <ul className="flex flex-col gap-2">
        {items.map((item) => (
          <li key={item.key}>
            <span className="text-soft">
              {itemName(part, item, language)}
              {item.presence === 'both' ? null : ` (${labels.onlyIn(item.presence.toUpperCase())})`}
            </span>
            <ul className="pl-4">
              {item.changes.map((change) => (
                <li key={`${change.field} ${JSON.stringify(change.quote)}`} className="break-words">
                  {changeName(change, labels)}: <ChangedValue change={change} labels={labels} />
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </section>
  );
}

function ChangedValue({
  change,
  labels,
}: {
  readonly change: ComparedItem['changes'][number];
  readonly labels: CompareLabels;
}) {
  const { quote, a, b } = change;
  if (quote === null && isProse(change)) return <Runs runs={abridged(changedWords(change.a, change.b))} />;
  const pair = `${shownValue(a, labels)} → ${shownValue(b, labels)}`;
  return quote === null ? (
    pair
  ) : (
    <>
      <q>{quote.text}</q> {pair}
    </>
  );
}

/** The comparison of two reviews as a file. */
function Documents({ a, b }: { readonly a: Column; readonly b: Column }) {
  const words = useWords(compareWords);
  const path = `/analyses/${a.report.analysisId}/compare/${b.report.analysisId}`;
  return (
    <p className="no-print flex gap-4 px-3 py-3 text-sm sm:px-5">
      <span className="font-medium">{words.documents}</span>
      {(['md', 'json'] as const).map((format) => (
        <a key={format} href={apiPath(path, { format, anyDeck: true })} className="text-accent underline">
          {format === 'md' ? 'Markdown' : 'JSON'}
        </a>
      ))}
    </p>
  );
}
