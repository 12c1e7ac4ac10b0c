/** The reviews question by question, chapter by chapter. */
import type { ChangeKind } from '../../domain/decks/compare/claim-changes.ts';
import type { ComparedChapter, ComparedQuestion } from '../../domain/decks/compare/side-by-side.ts';
import { reviewWords } from '../../domain/decks/review/words.ts';
import { Disclosure } from '../ui/disclosure.tsx';
import { useLanguage, useWords } from '../words/language.ts';
import { Answer, type Marking, Quotes, quotesOf, Text } from './answer.tsx';
import { BesideRow, BesideTable } from './beside.tsx';
import { ChangeBadge } from './change-badge.tsx';
import { type Compared, isDifferent } from './model.ts';
import { Score } from './score.tsx';
import { compareWords } from './words.ts';

/** Which rows are shown. */
export interface Shown {
  /** True: without what is the same in all. */
  readonly isOnly: boolean;
  /** Only claims that changed in this way; null: all. */
  readonly change: ChangeKind | null;
}

/** All chapters with something to show, and the special readings. */
export function Chapters({ compared, shown }: { readonly compared: Compared; readonly shown: Shown }) {
  const words = useWords(compareWords);
  const isShown = (question: ComparedQuestion): boolean =>
    shown.change === null
      ? !shown.isOnly || isDifferent(question, compared)
      : compared.changes.get(`question/${question.key}`) === shown.change;
  const chapters = compared.chapters
    .map((chapter) => ({ chapter, questions: chapter.questions.filter(isShown) }))
    .filter(({ questions }) => questions.length > 0);
  const readings = readingsOf(compared, shown);
  return (
    <>
      {chapters.map(({ chapter, questions }) => (
        <Chapter key={chapter.key} compared={compared} chapter={chapter} questions={questions} />
      ))}
      {readings.length === 0 ? null : <Readings compared={compared} kinds={readings} />}
      {chapters.length + readings.length === 0 ? (
        <p className="px-5 py-8 text-center text-soft">{words.nothingDiffers}</p>
      ) : null}
    </>
  );
}

const isSilent = ({ cells }: ComparedQuestion): boolean =>
  cells.every((cell) => cell === null || (cell.absence !== null && cell.human === null));

function Chapter({
  compared,
  chapter,
  questions,
}: {
  readonly compared: Compared;
  readonly chapter: ComparedChapter;
  readonly questions: readonly ComparedQuestion[];
}) {
  const words = useWords(compareWords);
  const { columns } = compared;
  const silent = questions.filter(isSilent);
  return (
    <section aria-label={chapter.name} className="mt-4">
      <BesideTable label={chapter.name} corner={words.question} columns={columns}>
        <BesideRow
          columns={columns}
          isHead
          name={<h2 className="font-semibold">{chapter.name}</h2>}
          cells={chapter.scores.map((score, index) => (
            <Score key={columns[index]?.letter} score={score?.score ?? null} machine={score?.machine ?? null} />
          ))}
        />
        {questions
          .filter((question) => !isSilent(question))
          .map((question) => (
            <Question key={question.key} compared={compared} question={question} />
          ))}
      </BesideTable>
      {silent.length === 0 ? null : (
        <Disclosure title={words.unanswered(silent.length)} className="border-b border-line px-3 py-1 sm:px-5">
          <ul className="list-disc pb-2 pl-9 text-sm">
            {silent.map(({ key, text }) => (
              <li key={key}>{text}</li>
            ))}
          </ul>
        </Disclosure>
      )}
    </section>
  );
}

function Question({ compared, question }: { readonly compared: Compared; readonly question: ComparedQuestion }) {
  const { columns, kind, changes } = compared;
  const { cells } = question;
  return (
    <BesideRow
      columns={columns}
      name={
        <span className="flex flex-col items-start gap-1">
          {question.text}
          <ChangeBadge kind={changes.get(`question/${question.key}`)} />
        </span>
      }
      cells={columns.map((column, index) => {
        const other = cells[neighbourOf(index)] ?? null;
        const said = other && { text: other.statement?.text ?? null, evidence: quotesOf(other) };
        const marking = markingOf(kind, index, said);
        return <Answer key={column.letter} column={column} cell={cells[index] ?? null} marking={marking} />;
      })}
    />
  );
}

/** Answers of another review, for the marks in a column; among decks nothing is marked. */
const markingOf = (kind: Compared['kind'], index: number, other: Omit<Marking, 'side'> | null): Marking | null =>
  kind === 'decks' || other === null ? null : { side: index === 0 ? 'before' : 'after', ...other };

/** The column whose differences are marked: the one before; for the first the one after. */
const neighbourOf = (index: number): number => (index === 0 ? 1 : index - 1);

type Reading = Compared['columns'][number]['report']['specialised'][number];
type ReadingKind = Reading['kind'];

const readingOf = (column: Compared['columns'][number], kind: ReadingKind): Reading | undefined =>
  column.report.specialised.find((reading) => reading.kind === kind);

function readingsOf({ columns, changes, kind: comparison }: Compared, { isOnly, change }: Shown): ReadingKind[] {
  const kinds = [...new Set(columns.flatMap(({ report }) => report.specialised.map(({ kind }) => kind)))];
  return kinds.filter((kind) => {
    const changed = changes.get(`reading/${kind}`);
    if (change !== null) return changed === change;
    const isSaid = columns.some((column) => (readingOf(column, kind)?.summary ?? null) !== null);
    return isSaid && (!isOnly || comparison === 'decks' || changed !== undefined);
  });
}

function Readings({ compared, kinds }: { readonly compared: Compared; readonly kinds: readonly ReadingKind[] }) {
  const words = useWords(compareWords);
  const { readings, absence } = reviewWords[useLanguage()];
  const { columns, changes, kind: comparison } = compared;
  return (
    <section aria-label={words.readings} className="mt-4">
      <BesideTable label={words.readings} corner={words.readings} columns={columns}>
        <BesideRow
          columns={columns}
          isHead
          name={<h2 className="font-semibold">{words.readings}</h2>}
          cells={columns.map(() => null)}
        />
        {kinds.map((kind) => (
          <BesideRow
            key={kind}
            columns={columns}
            name={
              <span className="flex flex-col items-start gap-1">
                {readings[kind]}
                <ChangeBadge kind={changes.get(`reading/${kind}`)} />
              </span>
            }
            cells={columns.map((column, index) => {
              const reading = readingOf(column, kind);
              const neighbour = columns[neighbourOf(index)];
              const other = neighbour === undefined ? undefined : readingOf(neighbour, kind);
              if (reading === undefined || reading.summary === null) {
                return (
                  <span key={column.letter} className="text-soft italic">
                    {absence[reading === undefined ? 'not_asked' : 'not_found']}
                  </span>
                );
              }
              const said = other === undefined ? null : { text: other.summary, evidence: other.evidence };
              return (
                <div key={column.letter} className="flex flex-col gap-1">
                  <Text text={reading.summary} marking={markingOf(comparison, index, said)} />
                  <Quotes
                    column={column}
                    claim={`reading/${kind}`}
                    evidence={reading.evidence}
                    marking={null}
                    isFolded
                  />
                </div>
              );
            })}
          />
        ))}
      </BesideTable>
    </section>
  );
}
