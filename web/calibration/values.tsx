/** How often people corrected or confirmed the values of a deck. */
import type { CalibrationDocument } from '../../api/calibration/schemas.ts';
import { reviewWords } from '../../domain/decks/review/words.ts';
import { formatCount } from '../format.ts';
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
      <div className="overflow-hidden rounded-lg border border-line bg-panel">
        <table className="w-full text-sm">
          <thead className="border-b border-line bg-raised text-left text-xs text-soft">
            <tr>
              <th scope="col" className="px-3 py-2 font-medium">
                {words.value}
              </th>
              <th scope="col" className="px-3 py-2 text-right font-medium">
                {words.corrected}
              </th>
              <th scope="col" className="px-3 py-2 text-right font-medium" title={words.addedHint}>
                {words.added}
              </th>
              <th scope="col" className="px-3 py-2 text-right font-medium">
                {words.confirmed}
              </th>
            </tr>
          </thead>
          <tbody>
            {values.map(({ field, corrected, added, confirmed }) => (
              <tr key={field} className="border-b border-line last:border-0">
                <th scope="row" className="px-3 py-2 text-left font-normal">
                  {wordFor(reviewWords[language].fields, field) ?? field}
                </th>
                {Object.entries({ corrected, added, confirmed }).map(([name, count]) => (
                  <td key={name} className="px-3 py-2 text-right tabular-nums">
                    {formatCount(count, language)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
