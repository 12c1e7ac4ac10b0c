/** By engine and by how well the best quote of a claim answers: of the claims that people judged, how many are right. As a chart, whose figures the table has again. */
import type { CalibrationDocument } from '../../api/calibration/schemas.ts';
import { reviewWords } from '../../domain/decks/review/words.ts';
import { formatCount, formatShare } from '../format.ts';
import { ANSWERING_ICONS } from '../marks/quote-marks.tsx';
import { ColumnHead, RowHead, Table } from '../ui/table.tsx';
import { useLanguage, useWords } from '../words/language.ts';
import { calibrationWords } from './words.ts';

type Level = CalibrationDocument['answering'][number];

/** The section; nothing where nobody judged a claim. */
export function AnsweringCurve({ answering }: { readonly answering: readonly Level[] }) {
  const words = useWords(calibrationWords);
  if (answering.length === 0) return null;
  return (
    <section aria-labelledby="answering-curve">
      <h2 id="answering-curve" className="text-lg font-semibold">
        {words.answering}
      </h2>
      <p className="mb-2 max-w-prose text-soft">{words.answeringLead}</p>
      <Table
        head={
          <>
            <ColumnHead>{words.bestQuote}</ColumnHead>
            <ColumnHead className="text-right">{words.judged}</ColumnHead>
            <ColumnHead title={words.intervalHint}>
              <span className="block">{words.shareRight}</span>
              <span aria-hidden className="hidden w-40 justify-between text-[0.7rem] font-normal sm:flex">
                <span>0</span>
                <span>50</span>
                <span>100 %</span>
              </span>
            </ColumnHead>
          </>
        }
      >
        {answering.map((level) => (
          <LevelRow key={`${level.engine} ${level.model ?? ''} ${level.level ?? ''}`} level={level} />
        ))}
      </Table>
    </section>
  );
}

function LevelRow({ level: { engine, model, level, judged, right, share, low, high } }: { readonly level: Level }) {
  const words = useWords(calibrationWords);
  const language = useLanguage();
  const name = level ?? 'not_judged';
  const Icon = ANSWERING_ICONS[name];
  return (
    <tr className="border-b border-line align-top last:border-0">
      <RowHead>
        <span className="flex items-start gap-1.5">
          <Icon size={15} aria-hidden className="mt-0.5 shrink-0 text-soft" />
          <span>
            {reviewWords[language].answering[name]}
            <span className="block text-xs break-words text-soft">
              {engine === 'rules' ? words.builtInReader : (model ?? engine)}
            </span>
          </span>
        </span>
      </RowHead>
      <td className="px-3 py-2 text-right tabular-nums" title={words.rightOf(right, judged)}>
        {formatCount(judged, language)}
      </td>
      <td className="px-3 py-2">
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Interval share={share} low={low} high={high} />
          <span className="whitespace-nowrap tabular-nums">
            <span className="font-medium">{formatShare(share, language)}</span>{' '}
            <span className="text-soft">{words.interval(formatShare(low, language), formatShare(high, language))}</span>
          </span>
        </span>
      </td>
    </tr>
  );
}

/** A share on a line from 0 to 100 %: a dot on the bar of its interval. */
const Interval = ({ share, low, high }: Pick<Level, 'share' | 'low' | 'high'>) => (
  <svg viewBox="0 0 160 16" aria-hidden className="h-4 w-24 sm:w-40" preserveAspectRatio="none">
    <line x1={0} x2={160} y1={8} y2={8} className="stroke-line" vectorEffect="non-scaling-stroke" />
    <line x1={80} x2={80} y1={3} y2={13} className="stroke-edge" vectorEffect="non-scaling-stroke" />
    <rect
      x={160 * low}
      y={5}
      width={160 * Math.max(0, high - low)}
      height={6}
      rx={2}
      className="fill-accent-tint stroke-accent"
    />
    <rect x={160 * share - 2} y={1} width={4} height={14} rx={1} className="fill-accent" />
  </svg>
);
