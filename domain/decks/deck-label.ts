/** Name of a deck in the one-line summaries of its run. */

/** A summary may have 400 bytes on the server, of which encryption takes about 130; the rest is for what is done with the deck. */
const MAX_NAME_BYTES = 140;

/** The file's name, shortened in its middle where it is long, and the number of pages where it is known: `pulsara.pdf · 12 pages`. */
export function deckLabel(fileName: string, pageCount: number | null): string {
  const name = shortened(fileName);
  return pageCount === null ? name : `${name} · ${pageCount} ${pageCount === 1 ? 'page' : 'pages'}`;
}

/** Keeps beginning and end, which say most: title, version and file type. */
function shortened(name: string): string {
  const size = (text: string): number => new TextEncoder().encode(text).length;
  if (size(name) <= MAX_NAME_BYTES) return name;
  const characters = Array.from(new Intl.Segmenter().segment(name), ({ segment }) => segment);
  let [left, right] = [
    characters.slice(0, Math.ceil(characters.length / 2)),
    characters.slice(Math.ceil(characters.length / 2)),
  ];
  while (size(`${left.join('')}…${right.join('')}`) > MAX_NAME_BYTES) {
    if (left.length > right.length) left = left.slice(0, -1);
    else right = right.slice(1);
  }
  return `${left.join('')}…${right.join('')}`;
}
