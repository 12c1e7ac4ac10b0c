/** Notes of people on a statement or a slide, in place: read, written, changed, withdrawn. */
import { Pencil, StickyNote, Undo2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { HumanVerdict } from '../../../domain/decks/verdicts/human-verdict.ts';
import type { JudgedReport } from '../../../domain/decks/verdicts/overlay.ts';
import type { VerdictSubject } from '../../../domain/decks/verdicts/kinds.ts';
import { formatMoment } from '../../format.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { TextArea } from '../../ui/field.tsx';
import { commonWords } from '../../words/common.ts';
import { useLanguage, useWords } from '../../words/language.ts';
import { useStore } from '../../store.ts';
import { useReviewTools } from '../tools.ts';
import { isPending } from './optimistic.ts';
import { humanWords } from './words.ts';

/** The notes on a subject, and the form for a new one while it is open here. */
export function Notes({
  subject,
  place,
  judged,
  isHome = true,
}: {
  readonly subject: VerdictSubject;
  /** Where the form opens: key of the place, or the slide. */
  readonly place: string;
  readonly judged: Pick<JudgedReport, 'notes'>;
  /** False where another place of the page shows the notes; here they stand only while one is written. */
  readonly isHome?: boolean;
}) {
  const { openNote } = useReviewTools();
  const isOpen = useStore(openNote, (open) => open === place);
  const notes = judged.notes.filter((note) => note.subject === subject);
  return (
    <>
      {isHome || isOpen ? notes.map((note) => <NoteText key={note.item} note={note} subject={subject} />) : null}
      {isOpen ? <NoteForm subject={subject} note={null} onEnd={() => openNote.set(null)} /> : null}
    </>
  );
}

/** The button that opens the form. */
export function NoteButton({ place, label }: { readonly place: string; readonly label: string }) {
  const words = useWords(humanWords);
  const { openNote } = useReviewTools();
  return (
    <IconButton
      label={words.noteOn(label)}
      title={words.addNote}
      onClick={() => openNote.set(openNote.get() === place ? null : place)}
    >
      <StickyNote size={15} aria-hidden />
    </IconButton>
  );
}

function NoteText({ note, subject }: { readonly note: HumanVerdict; readonly subject: VerdictSubject }) {
  const words = useWords(humanWords);
  const language = useLanguage();
  const { say, analysisId } = useReviewTools();
  const [isEdited, setEdited] = useState(false);
  if (isEdited) return <NoteForm subject={subject} note={note} onEnd={() => setEdited(false)} />;
  return (
    <div className="mt-1.5 flex items-start gap-2 rounded border-l-3 border-accent bg-accent-tint/60 px-2.5 py-1.5 text-sm">
      <div className="min-w-0 grow">
        <p className="break-words whitespace-pre-wrap">{note.text}</p>
        <p className="text-xs text-soft">
          {`${note.author}, ${isPending(note) ? words.saving : formatMoment(note.createdAt, language)}`}
        </p>
      </div>
      {isPending(note) ? null : (
        <span className="no-print -my-1 flex shrink-0">
          <IconButton label={words.editNote} onClick={() => setEdited(true)}>
            <Pencil size={14} aria-hidden />
          </IconButton>
          <IconButton
            label={words.withdrawNote}
            onClick={() => say({ kind: 'note', subject, text: null, item: note.item, analysisId })}
          >
            <Undo2 size={14} aria-hidden />
          </IconButton>
        </span>
      )}
    </div>
  );
}

/** Writes a new note, or changes one. Ctrl+Enter saves, Escape leaves it. */
function NoteForm({
  subject,
  note,
  onEnd,
}: {
  readonly subject: VerdictSubject;
  readonly note: HumanVerdict | null;
  readonly onEnd: () => void;
}) {
  const words = useWords(humanWords);
  const common = useWords(commonWords);
  const { say, analysisId } = useReviewTools();
  const [text, setText] = useState(note?.text ?? '');
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => area.current?.focus(), []);
  const save = (): void => {
    if (text.trim() === '') return;
    say({ kind: 'note', subject, text: text.trim(), item: note?.item ?? null, analysisId });
    onEnd();
  };
  return (
    <div className="no-print mt-1.5 flex flex-col gap-2">
      <TextArea
        ref={area}
        rows={3}
        maxLength={5000}
        aria-label={words.note}
        placeholder={words.note}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save();
          if (event.key === 'Escape') onEnd();
        }}
      />
      <div className="flex gap-2">
        <Button look="primary" disabled={text.trim() === ''} onClick={save}>
          {common.save}
        </Button>
        <Button look="quiet" onClick={onEnd}>
          {common.cancel}
        </Button>
      </div>
    </div>
  );
}
