/** The newest scores in which a person differs from the machine, with the reason and the way to the claim. */
import { Link } from '@tanstack/react-router';
import type { CalibrationDocument } from '../../api/calibration/schemas.ts';
import { formatDay } from '../format.ts';
import { Badge } from '../ui/badge.tsx';
import { useLanguage, useWords } from '../words/language.ts';
import { calibrationWords } from './words.ts';

type Question = CalibrationDocument['questions'][number];

/** How many are listed. */
const MOST = 30;

/** The list, the newest first. */
export function Differences({ questions }: { readonly questions: readonly Question[] }) {
  const words = useWords(calibrationWords);
  const language = useLanguage();
  const all = questions.flatMap(({ slug, text, differences }) =>
    differences.map((difference) => ({ ...difference, slug, question: text ?? slug })),
  );
  const newest = all.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1)).slice(0, MOST);
  if (questions.length === 0) return null;
  return (
    <section aria-labelledby="newest-differences">
      <h2 id="newest-differences" className="mb-2 text-lg font-semibold">
        {words.newest}
      </h2>
      {newest.length === 0 ? <p className="text-soft">{words.noDifferences}</p> : null}
      <ul className="flex flex-col rounded-lg border border-line bg-panel empty:hidden">
        {newest.map((each) => (
          <li
            key={`${each.deck.id} ${each.slug}`}
            className="flex flex-col gap-1 border-b border-line px-3 py-2.5 text-sm last:border-0 sm:flex-row sm:gap-4"
          >
            <div className="min-w-0 sm:w-1/3">
              <Link
                to="/decks/$deckId"
                params={{ deckId: each.deck.id }}
                search={{
                  claim: `question/${each.slug}`,
                  ...(each.analysisId === null ? {} : { analysis: each.analysisId }),
                }}
                className="font-medium text-accent underline-offset-2 hover:underline"
              >
                {each.company?.name ?? each.deck.fileName}
              </Link>
              <p className="text-soft">{each.question}</p>
            </div>
            <div className="min-w-0 grow">
              <Badge tone="accent">{words.machineToPerson(each.machine, each.human)}</Badge>
              <p className={each.reason === null ? 'text-soft italic' : 'break-words'}>
                {each.reason ?? words.noReason}
              </p>
            </div>
            <p className="shrink-0 text-soft sm:text-right">
              {each.author}
              <span className="sm:hidden"> · </span>
              <span className="sm:block">{formatDay(each.createdAt, language)}</span>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
