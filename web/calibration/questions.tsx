/** By question: how many scores people gave, how far they are from the machine's, and how often they are the same. */
import type { CalibrationDocument } from '../../api/calibration/schemas.ts';
import { MAX_SCORE } from '../../domain/decks/scoring.ts';
import { formatCount, formatShare, formatSigned } from '../format.ts';
import { ColumnHead, RowHead, Table } from '../ui/table.tsx';
import { useLanguage, useWords } from '../words/language.ts';
import { calibrationWords } from './words.ts';

type Question = CalibrationDocument['questions'][number];

/** The table, those that differ most first. */
export function Questions({ questions }: { readonly questions: readonly Question[] }) {
  const words = useWords(calibrationWords);
  if (questions.length === 0) return null;
  return (
    <section aria-labelledby="by-question">
      <h2 id="by-question" className="mb-2 text-lg font-semibold">
        {words.byQuestion}
      </h2>
      <Table
        head={
          <>
            <ColumnHead>{words.question}</ColumnHead>
            <ColumnHead className="hidden text-right sm:table-cell">{words.scores}</ColumnHead>
            <ColumnHead title={words.differenceHint}>
              <span className="block">{words.difference}</span>
              <span className="hidden text-[0.7rem] font-normal sm:block">
                ← {words.machineHigher} · {words.peopleHigher} →
              </span>
            </ColumnHead>
            <ColumnHead className="text-right">{words.agreement}</ColumnHead>
          </>
        }
      >
        {questions.map((question) => (
          <Row key={question.slug} question={question} />
        ))}
      </Table>
    </section>
  );
}

function Row({ question }: { readonly question: Question }) {
  const words = useWords(calibrationWords);
  const language = useLanguage();
  const { slug, text, chapter, scored, compared, equal, meanDifference } = question;
  return (
    <tr className="border-b border-line align-top last:border-0">
      <RowHead>
        <span className="block">{text ?? slug}</span>
        {chapter === null ? null : <span className="text-xs text-soft">{chapter.name}</span>}
      </RowHead>
      <td className="hidden px-3 py-2 text-right tabular-nums sm:table-cell" title={words.scoresHint(compared, scored)}>
        {formatCount(scored, language)}
      </td>
      <td className="px-3 py-2">
        <DifferenceBar difference={meanDifference} />
      </td>
      <td className="px-3 py-2 text-right whitespace-nowrap tabular-nums">
        {formatShare(compared === 0 ? null : equal / compared, language)}
      </td>
    </tr>
  );
}

const WIDTH = 120;
const HEIGHT = 16;
/** Larger differences are drawn as long as this one: scores rarely differ by more. */
const FULL = Math.ceil(MAX_SCORE / 2);

/** How far people are from the machine, with its number: a bar to the left where the machine scores higher, to the right where people do. */
function DifferenceBar({ difference }: { readonly difference: number | null }) {
  const language = useLanguage();
  const length = (Math.min(FULL, Math.abs(difference ?? 0)) / FULL) * (WIDTH / 2);
  return (
    <span className="flex items-center gap-2">
      <span className="w-10 shrink-0 text-right font-medium tabular-nums">{formatSigned(difference, language)}</span>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden className="h-4 w-16 sm:w-30" preserveAspectRatio="none">
        <line
          x1={WIDTH / 2}
          x2={WIDTH / 2}
          y1={0}
          y2={HEIGHT}
          className="stroke-edge"
          vectorEffect="non-scaling-stroke"
        />
        <rect
          x={(difference ?? 0) < 0 ? WIDTH / 2 - length : WIDTH / 2}
          y={3}
          width={length}
          height={HEIGHT - 6}
          className="fill-accent"
        />
      </svg>
    </span>
  );
}
