/** The list without a deck: what Deckhand does, where to drop decks, and the samples. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { FileText, Upload } from 'lucide-react';
import { api } from '../request.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/states.tsx';
import { tellError } from '../ui/toast.tsx';
import { useWords } from '../words/language.ts';
import { isFiltered, withoutFilters } from './filters/filter.ts';
import { type Sample, samplesQuery } from './queries.ts';
import type { SearchProps } from './search.ts';
import { addFiles } from './uploads/queue.ts';
import { decksWords } from './words.ts';

/** What stands in place of the rows. */
export function NoDecks({
  search,
  onSearch,
  onAdd,
}: SearchProps & {
  readonly onAdd: () => void;
}) {
  const words = useWords(decksWords);
  if (isFiltered(search)) {
    return (
      <Empty title={words.nothingFits}>
        <p className="text-soft">{words.nothingFitsHint}</p>
        <Button onClick={() => onSearch(withoutFilters(search))}>{words.clearFilters}</Button>
      </Empty>
    );
  }
  return (
    <Empty title={words.emptyTitle}>
      <p className="text-soft">{words.emptyText}</p>
      <button
        type="button"
        onClick={onAdd}
        className="my-2 flex w-full flex-col items-center gap-2 rounded-xl border-2 border-dashed border-edge bg-panel px-6 py-10 hover:border-accent hover:bg-accent-tint"
      >
        <Upload size={28} aria-hidden className="text-accent" />
        <span className="font-medium">{words.emptyDrop}</span>
      </button>
      <Samples />
    </Empty>
  );
}

/** Reads a sample as if it had been dropped. */
async function fileOf({ name, fileName }: Sample): Promise<File> {
  const pdf = await api.blob('/samples/{name}', { params: { path: { name } }, parseAs: 'blob' });
  return new File([pdf], fileName, { type: 'application/pdf' });
}

function Samples() {
  const words = useWords(decksWords);
  const { data: samples = [] } = useQuery(samplesQuery);
  const add = useMutation({
    mutationFn: (chosen: readonly Sample[]) => Promise.all(chosen.map(fileOf)),
    onSuccess: addFiles,
    onError: tellError,
  });
  if (samples.length === 0) return null;
  return (
    <section className="flex w-full flex-col items-center gap-2">
      <h3 className="font-medium">{words.samples}</h3>
      <p className="text-sm text-soft">{words.samplesHint}</p>
      <ul className="grid w-full gap-2 sm:grid-cols-2">
        {samples.map((sample) => (
          <li key={sample.name}>
            <Button className="w-full justify-start" disabled={add.isPending} onClick={() => add.mutate([sample])}>
              <FileText size={16} aria-hidden className="shrink-0 text-soft" />
              <span className="truncate">{sample.fileName}</span>
              <span className="ml-auto text-xs text-soft">{words.slides(sample.slides)}</span>
            </Button>
          </li>
        ))}
      </ul>
      <Button look="quiet" disabled={add.isPending} onClick={() => add.mutate(samples)}>
        {words.allSamples}
      </Button>
    </section>
  );
}
