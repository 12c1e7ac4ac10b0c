/** Where people and the machine differ: scores by question, the newest differences, and corrected values. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { CalibrationDocument } from '../../api/calibration/schemas.ts';
import { formatScore, formatShare } from '../format.ts';
import { KEYS } from '../live/cache.ts';
import { api } from '../request.ts';
import { peopleQuery } from '../decks/queries.ts';
import { Button } from '../ui/button.tsx';
import { Field, Select } from '../ui/field.tsx';
import { Empty, NotRead, ToDecks } from '../ui/states.tsx';
import { useLanguage, useWords } from '../words/language.ts';
import { AnsweringCurve } from './answering.tsx';
import { Differences } from './differences.tsx';
import { Questions } from './questions.tsx';
import type { CalibrationSearch } from './search.ts';
import { CorrectedValues } from './values.tsx';
import { calibrationWords } from './words.ts';

/** Periods to choose from. */
const DAYS = [30, 90, 365] as const;

/** The page. */
export function CalibrationPage() {
  const words = useWords(calibrationWords);
  const search = useSearch({ from: '/calibration' });
  const navigate = useNavigate({ from: '/calibration' });
  const go = (next: CalibrationSearch): void => void navigate({ search: next });
  const { data, error, refetch } = useQuery({
    queryKey: [...KEYS.overview, 'calibration', search],
    queryFn: ({ signal }) => api.GET('/calibration', { params: { query: search }, signal }),
    placeholderData: keepPreviousData,
  });
  const isFiltered = search.author !== undefined || search.since !== undefined;
  const isEmpty = data !== undefined && data.answering.length + data.questions.length + data.values.length === 0;
  return (
    <div className="mx-auto flex w-full max-w-6xl flex-col gap-5 px-3 py-5 sm:px-5">
      <title>{`${words.title} · Deckhand`}</title>
      <header className="flex flex-wrap items-end justify-between gap-3">
        <div>
          <h1 className="text-xl font-semibold">{words.title}</h1>
          <p className="text-soft">{words.lead}</p>
        </div>
        {isEmpty && !isFiltered ? null : <Filters search={search} onSearch={go} />}
      </header>
      {data === undefined ? (
        <NotRead error={error} refetch={refetch} />
      ) : isEmpty ? (
        <Nothing isFiltered={isFiltered} onClear={() => go({})} />
      ) : (
        <>
          <Summary calibration={data} />
          <AnsweringCurve answering={data.answering} />
          <Questions questions={data.questions} />
          <Differences questions={data.questions} />
          <CorrectedValues values={data.values} />
        </>
      )}
    </div>
  );
}

function Filters({
  search,
  onSearch,
}: {
  readonly search: CalibrationSearch;
  readonly onSearch: (search: CalibrationSearch) => void;
}) {
  const words = useWords(calibrationWords);
  const { data: people = [] } = useQuery(peopleQuery);
  const { author = '', since = '' } = search;
  const names = author === '' || people.includes(author) ? people : [...people, author];
  const periods = DAYS.map((days) => `${days}d`);
  const set = (name: keyof CalibrationSearch, value: string): void => {
    const { [name]: _before, ...rest } = search;
    onSearch(value === '' ? rest : { ...rest, [name]: value });
  };
  return (
    <div className="no-print flex flex-wrap gap-3">
      <Field label={words.author}>
        <Select value={author} onChange={({ target }) => set('author', target.value)}>
          <option value="">{words.anyone}</option>
          {names.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </Select>
      </Field>
      <Field label={words.since}>
        <Select value={since} onChange={({ target }) => set('since', target.value)}>
          <option value="">{words.everSince}</option>
          {DAYS.map((days) => (
            <option key={days} value={`${days}d`}>
              {words.sinceDays(days)}
            </option>
          ))}
          {since === '' || periods.includes(since) ? null : <option>{since}</option>}
        </Select>
      </Field>
    </div>
  );
}

function Nothing({ isFiltered, onClear }: { readonly isFiltered: boolean; readonly onClear: () => void }) {
  const words = useWords(calibrationWords);
  if (isFiltered) {
    return (
      <Empty title={words.nothingFits}>
        <Button onClick={onClear}>{words.clear}</Button>
      </Empty>
    );
  }
  return (
    <Empty title={words.emptyTitle}>
      <p className="text-soft">{words.emptyText}</p>
      <ToDecks />
    </Empty>
  );
}

/** All scores together. */
function Summary({ calibration: { questions } }: { readonly calibration: CalibrationDocument }) {
  const words = useWords(calibrationWords);
  const language = useLanguage();
  const asked = questions.filter(({ compared }) => compared > 0);
  const compared = asked.reduce((sum, each) => sum + each.compared, 0);
  if (compared === 0) return null;
  const equal = asked.reduce((sum, each) => sum + each.equal, 0);
  const mean = asked.reduce((sum, each) => sum + (each.meanDifference ?? 0) * each.compared, 0) / compared;
  const points = formatScore(Math.abs(mean), language);
  const direction = Number(mean.toFixed(1));
  return (
    <p className="max-w-prose">
      {words.summary(compared, asked.length)} {words.agreeing(formatShare(equal / compared, language))}{' '}
      {direction === 0 ? words.level : direction > 0 ? words.higher(points) : words.lower(points)}
    </p>
  );
}
