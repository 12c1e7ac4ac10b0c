/** Files for tests that add decks. */
import { fireEvent, renderHook } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import type { DeckDocument } from '../../../api/decks/schemas.ts';
import { dismissUpload, useUploads } from '../../../web/decks/uploads/queue.ts';
import { type ApiCall, callsOf } from '../support/api.ts';
import { deckNamed } from '../support/documents.ts';

/** A file with the head of a PDF. */
export const pdf = (name: string): File => new File(['%PDF-1.7\n', name], name, { type: 'application/pdf' });

/** Chooses files as in the browser's dialog. */
export async function chooseFiles(user: UserEvent, ...files: readonly File[]): Promise<void> {
  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  if (input === null) throw new Error('the page takes no files');
  await user.upload(input, [...files]);
}

/** An entry of a dropped folder, as browsers have it. */
export const folder = (name: string, ...entries: readonly object[]): object => ({
  isDirectory: true,
  isFile: false,
  name,
  // A browser gives a folder in pieces, the last of which is empty.
  createReader: () => {
    const pieces = [entries.slice(0, 1), entries.slice(1), []].filter(
      (piece, index) => piece.length > 0 || index === 2,
    );
    return { readEntries: (tell: (piece: readonly object[]) => void) => tell(pieces.shift() ?? []) };
  },
});

/** An entry of a dropped file. */
export const fileEntry = (file: File): object => ({
  isDirectory: false,
  isFile: true,
  name: file.name,
  file: (tell: (file: File) => void) => tell(file),
});

/** Files, or folders with files, that are dragged. */
export const transferOf = (files: readonly File[], entries: readonly object[] = files.map(fileEntry)) => ({
  types: ['Files'],
  files,
  items: entries.map((entry) => ({ kind: 'file', webkitGetAsEntry: () => entry })),
});

/** Drops what is dragged on the page. */
export const drop = (dataTransfer: object): boolean => fireEvent.drop(document.body, { dataTransfer });

/** Moves what is dragged out of an element. @param to the element it is over now; null outside of the window */
export const leave = (to: Element | null): boolean =>
  fireEvent(document.body, Object.assign(new Event('dragleave', { bubbles: true }), { relatedTarget: to }));

/** The file of an upload, as it was sent. */
export function fileOf({ body }: ApiCall): File {
  const file = body instanceof FormData ? body.get('file') : null;
  if (!(file instanceof File)) throw new Error('no file was sent');
  return file;
}

/** Names of the files that were sent so far. */
export const filesSent = (): string[] => callsOf('POST /decks').map((call) => fileOf(call).name);

/** What the API answers to an upload: its deck, whose id is the name of the file. */
export function stored(call: ApiCall, { isNew = true } = {}): Response {
  const { id: _id, ...deck } = deckNamed('cardiosense.pdf');
  const { name } = fileOf(call);
  return Response.json({ ...deck, id: name, fileName: name } satisfies Partial<DeckDocument>, {
    status: isNew ? 201 : 200,
  });
}

/** Takes every upload off the list: it outlives a page. */
export function clearUploads(): void {
  const { result, unmount } = renderHook(() => useUploads().items.map(({ id }) => id));
  // What waits goes first, so that nothing takes the place of what is stopped.
  const ids = result.current.toSorted((a, b) => b - a);
  unmount();
  for (const id of ids) dismissUpload(id);
}
