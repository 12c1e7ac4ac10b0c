/** Above everything else: that the document is no pitch deck, with the words that show it. */
import { TriangleAlert } from 'lucide-react';
import { memo } from 'react';
import { otherDocument } from '../../../domain/decks/review/document-kind.ts';
import type { AnalysisReport } from '../../../domain/decks/report.ts';
import { useLanguage } from '../../words/language.ts';
import { Place } from '../findings/place.tsx';
import { Quotes } from '../findings/quotes.tsx';
import { DOCUMENT_KEY, type ReviewModel } from '../selection/stops.ts';

/** The line; nothing of a pitch deck. */
export const OtherDocument = memo(function OtherDocument({
  report,
  model,
}: {
  readonly report: AnalysisReport;
  readonly model: Pick<ReviewModel, 'byKey'>;
}) {
  const other = otherDocument(report, useLanguage());
  if (other === null) return null;
  const stop = model.byKey.get(DOCUMENT_KEY);
  return (
    <div className="flex shrink-0 items-start gap-1 border-b border-line bg-warn-tint px-3 py-1 sm:px-5">
      <TriangleAlert size={18} className="mt-2 shrink-0 text-warn" aria-hidden />
      {stop === undefined ? (
        <p className="py-1.5 font-medium">{`${other.text}.`}</p>
      ) : (
        <Place place={DOCUMENT_KEY} label={other.text} isCompact>
          <div className="flex flex-wrap items-baseline gap-x-2">
            <p className="font-medium">{`${other.text}:`}</p>
            <Quotes place={DOCUMENT_KEY} quotes={stop.quotes} />
          </div>
        </Place>
      )}
    </div>
  );
});
