/** Files of a drop: those that were dropped themselves, and the PDFs in dropped folders. */

const PDF_NAME = /^[^.].*\.pdf$/iu;

/** The files. The transfer is read before the first wait: afterwards the browser empties it. */
export async function droppedFiles({ items, files }: DataTransfer): Promise<readonly File[]> {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  if (!entries.some(isFolder)) return [...files];
  return (await Promise.all(entries.map(filesOf))).flat();
}

async function filesOf(entry: FileSystemEntry): Promise<readonly File[]> {
  if (isFolder(entry)) {
    const inside = (await entriesOf(entry)).filter((each) => each.isDirectory || PDF_NAME.test(each.name));
    return (await Promise.all(inside.map(filesOf))).flat();
  }
  return isFile(entry) ? [await new Promise<File>((resolve, reject) => entry.file(resolve, reject))] : [];
}

const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;

/** What a folder holds; the browser tells it in pieces, the last of which is empty. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const piece = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (piece.length === 0) return all;
    all.push(...piece);
  }
}
