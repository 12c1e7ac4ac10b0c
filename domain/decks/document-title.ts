/**
 * The title that a PDF has among its properties, as far as it names something that its pages say as well. Nobody sees it, and it is whatever
 * a program or a person left there, so nothing of it goes any further than words that stand on a page.
 */

/** Programs that put their name before that of the file. */
const PROGRAM = /^\s*microsoft (?:office )?(?:power ?point|word)\s*[-–—:]\s*/iu;
const EXTENSION = /\.(?:pptx?|ppsx?|pdf|key|odp|docx?|html?|indd|ai|fig|pages)(?=\W|$)/giu;
/** Words of files and documents: "pitch deck final v3", "Präsentation1", "untitled". */
const OF_DOCUMENTS =
  /^(?:pitch(?:es)?|(?:pitch)?decks?|slides?|pptx?|presentations?|präsentation(?:en)?|praesentation(?:en)?|\p{L}*präsentation|folien|final(?:e|ly)?|vers(?:ion)?|v|draft|entwurf|copy|kopie|neue?|new|untitled|unbenannt|ohne|titel|title|overview|überblick|investors?|investoren|investorinnen|\p{L}*unterlagen?|seed|series|pre|company|unternehmen|firmen|for|für|and|und|the|of|or|executive|summary|business|plan|templates?|vorlage|powerpoint|keynote|canva|google|anonymous|document|dokument|print|web|en|de|schreibgeschützt|\d+|v\d+)$/iu;

const [MOST_WORDS, MOST_RUNS, LONGEST] = [4, 3, 40];

/** Words of a title or a text: letters, digits and what stands inside names. */
const WORDS = /[\p{L}\p{M}\p{N}]+(?:[&+'’.-][\p{L}\p{M}\p{N}]+)*|&/gu;
const wordsOf = (text: string): string[] => text.normalize('NFC').match(WORDS) ?? [];

/**
 * Runs of words of the title that are no words of documents and stand on the pages in this order, with bars between them; empty where there
 * are none.
 *
 * @param text of all pages
 */
export function namesInTitle(title: string | null, text: string): string {
  const written = ` ${wordsOf(text).join(' ').toLowerCase()} `;
  const parts = (title ?? '')
    .replace(PROGRAM, '')
    .replaceAll(EXTENSION, ' ')
    .split(/\s[-–—|:·→/]+\s|[|:·→/()[\]{}]/u);
  const runs = parts.flatMap((part) =>
    runsOf(wordsOf(part.replaceAll('_', ' '))).filter(
      (run) => run.length <= LONGEST && written.includes(` ${run.toLowerCase()} `),
    ),
  );
  return [...new Set(runs)].slice(0, MOST_RUNS).join(' | ');
}

/** Words that follow each other between words of documents. */
function runsOf(words: readonly string[]): string[] {
  const runs: string[][] = [[]];
  for (const word of words)
    if (OF_DOCUMENTS.test(word)) runs.push([]);
    else runs.at(-1)?.push(word);
  return runs.filter(({ length }) => length > 0 && length <= MOST_WORDS).map((run) => run.join(' '));
}
