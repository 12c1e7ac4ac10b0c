/** Uploads as rows of the table and as cards: each file with how far it is, and what can be done. */
import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { formatDay, formatShare, formatSize } from '../../format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, buttonClasses, IconButton } from '../../ui/button.tsx';
import { ProgressBar } from '../../ui/progress.tsx';
import { commonWords } from '../../words/common.ts';
import { useLanguage, useWords, wordFor } from '../../words/language.ts';
import { dismissUpload, isOpen, retryUpload, reviewKnownAgain, type Upload, useUploads } from './queue.ts';
import { uploadWords } from './words.ts';

/** Faults of the file itself: sending it again does not help. */
const FAULTS_OF_FILE: ReadonlySet<string> = new Set(['not_a_pdf', 'pdf_empty', 'pdf_too_large', 'file_gone']);

/**
 * The uploads as the first rows of the table.
 *
 * @param columns number of columns between the name and the menu
 */
export function UploadRows({ columns }: { readonly columns: number }) {
  const words = useWords(uploadWords);
  const { items, held } = useUploads();
  if (items.length === 0) return null;
  return (
    <tbody aria-label={words.section}>
      {items.map((upload) => (
        <UploadRow key={upload.id} upload={upload} held={held} columns={columns} />
      ))}
    </tbody>
  );
}

interface UploadProps {
  readonly upload: Upload;
  readonly held: boolean;
}

const UploadRow = memo(function UploadRow({ upload, held, columns }: UploadProps & { readonly columns: number }) {
  return (
    <tr className="h-[56px] bg-panel">
      <td className="border-b border-line" />
      <th scope="row" className="border-b border-line pr-3 text-left font-normal">
        <UploadName upload={upload} />
      </th>
      <td colSpan={columns} className="border-b border-line px-2.5">
        <div className="flex items-center justify-between gap-4">
          <UploadState upload={upload} held={held} />
          <UploadActions upload={upload} />
        </div>
      </td>
      <td className="border-b border-line px-1">
        <Dismiss upload={upload} />
      </td>
    </tr>
  );
});

/** The uploads as cards. */
export function UploadCards() {
  const words = useWords(uploadWords);
  const { items, held } = useUploads();
  if (items.length === 0) return null;
  return (
    <ul aria-label={words.section} className="flex flex-col gap-2.5">
      {items.map((upload) => (
        <UploadCard key={upload.id} upload={upload} held={held} />
      ))}
    </ul>
  );
}

const UploadCard = memo(function UploadCard({ upload, held }: UploadProps) {
  return (
    <li className="flex flex-col items-start gap-2 rounded-lg border border-line bg-panel p-3 text-sm">
      <div className="flex w-full items-center justify-between gap-2">
        <UploadName upload={upload} />
        <Dismiss upload={upload} />
      </div>
      <UploadState upload={upload} held={held} />
      <UploadActions upload={upload} />
    </li>
  );
});

function UploadName({ upload: { file, state } }: { readonly upload: Upload }) {
  const words = useWords(uploadWords);
  const language = useLanguage();
  const knownAs = state.kind === 'known' && state.entry.fileName !== file.name ? state.entry.fileName : null;
  const second = knownAs === null ? formatSize(file.size, language) : words.knownAs(knownAs);
  return (
    <span className="flex min-w-0 flex-col">
      <span className="truncate font-medium" title={file.name}>
        {file.name}
      </span>
      <span className="truncate text-xs text-soft" title={second}>
        {second}
      </span>
    </span>
  );
}

function UploadState({ upload, held }: UploadProps): ReactNode {
  const words = useWords(uploadWords);
  const language = useLanguage();
  const { state, file } = upload;
  switch (state.kind) {
    case 'waiting':
      return held ? <Badge tone="warn">{words.held}</Badge> : <span className="text-soft">{words.waiting}</span>;
    case 'sending':
      return (
        <span className="flex w-full max-w-56 flex-col gap-1 text-xs text-soft">
          {state.share < 1 ? words.sending(formatShare(state.share, language)) : words.storing}
          <ProgressBar share={state.share} label={words.progressOf(file.name)} />
        </span>
      );
    case 'starting':
      return <span className="text-soft">{words.starting}</span>;
    case 'started':
      return <Badge tone="accent">{words.started}</Badge>;
    case 'known':
      return <Known finishedAt={state.entry.analysis?.finishedAt ?? null} />;
    case 'failed':
      return <Refusal upload={upload} />;
  }
}

function Known({ finishedAt }: { readonly finishedAt: string | null }) {
  const words = useWords(uploadWords);
  const language = useLanguage();
  return <Badge>{finishedAt === null ? words.knownRunning : words.known(formatDay(finishedAt, language))}</Badge>;
}

function Refusal({ upload: { state } }: { readonly upload: Upload }) {
  const words = useWords(uploadWords);
  if (state.kind !== 'failed') return null;
  const { code, message, hint } = state.problem;
  const known = wordFor(words.refusals, code);
  return (
    <span role="alert" className="min-w-0">
      <span className="font-medium text-bad">{known?.text ?? `${words.other}: ${message}`}</span>{' '}
      <span className="text-soft">{known?.hint ?? hint}</span>
    </span>
  );
}

/** What can be done about an upload. */
function UploadActions({ upload: { id, deckId, state, file } }: { readonly upload: Upload }) {
  const words = useWords(uploadWords);
  const { tryAgain } = useWords(commonWords);
  const canRetry = state.kind === 'failed' && !FAULTS_OF_FILE.has(state.problem.code);
  const hasDeck = deckId !== null && (state.kind === 'known' || state.kind === 'started');
  if (!canRetry && !hasDeck) return null;
  return (
    <span className="flex shrink-0 flex-wrap gap-1">
      {canRetry ? <Button onClick={() => retryUpload(id)}>{tryAgain}</Button> : null}
      {hasDeck ? (
        <Link
          to="/decks/$deckId"
          params={{ deckId }}
          aria-label={words.openName(file.name)}
          className={buttonClasses('quiet')}
        >
          {words.open}
        </Link>
      ) : null}
      {state.kind === 'known' && state.entry.analysis?.finishedAt !== null ? (
        <Button look="quiet" onClick={() => reviewKnownAgain(id)}>
          {words.reviewAgain}
        </Button>
      ) : null}
    </span>
  );
}

/** Stops an upload, or takes one that is over off the list. */
function Dismiss({ upload }: { readonly upload: Upload }) {
  const words = useWords(uploadWords);
  const { name } = upload.file;
  return (
    <IconButton
      label={isOpen(upload) ? words.stop(name) : words.dismiss(name)}
      onClick={() => dismissUpload(upload.id)}
    >
      <X size={16} aria-hidden />
    </IconButton>
  );
}
