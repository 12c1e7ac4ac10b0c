/** How often people corrected or confirmed the values of a deck. */
import type { CalibrationDocument } from '../../api/calibration/schemas.ts';
import { reviewWords } from '../../domain/decks/review/words.ts';
import { formatCount } from '../format.ts';
import { ColumnHead, RowHead, Table } from '../ui/table.tsx';
import { useLanguage, useWords, wordFor } from '../words/language.ts';
import { calibrationWords } from './words.ts';

/** The table, most corrections first; nothing where nobody wrote a value. */
export function CorrectedValues({ values }: { readonly values: CalibrationDocument['values'] }) {
  const words = useWords(calibrationWords);
  const language = useLanguage();
  if (values.length === 0) return null;
  return (
    <section aria-labelledby="corrected-values">
      <h2 id="corrected-values" className="mb-2 text-lg font-semibold">
        {words.values}
      </h2>
      <Table
        head={
          <>
            <ColumnHead>{words.value}</ColumnHead>
            <ColumnHead className="text-right">{words.corrected}</ColumnHead>
            <ColumnHead className="text-right" title={words.addedHint}>
              {words.added}
            </ColumnHead>
            <ColumnHead className="text-right">{words.confirmed}</ColumnHead>
          </>
        }
      >
        {values.map(({ field, corrected, added, confirmed }) => (
          <tr key={field} className="border-b border-line last:border-0">
            <RowHead>{wordFor(reviewWords[language].fields, field) ?? field}</RowHead>
            {Object.entries({ corrected, added, confirmed }).map(([name, count]) => (
              <td key={name} className="px-3 py-2 text-right tabular-nums">
                {formatCount(count, language)}
              </td>
            ))}
          </tr>
        ))}
      </Table>
    </section>
  );
}
