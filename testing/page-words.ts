/** What a person reads on an HTML page. */

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};

/** The words of a page, a line for each element; in brackets what shows when one points at it or has it read out. */
export function wordsOf(page: string): string {
  return page
    .replaceAll(/<style[\s\S]*?<\/style>/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/<[^>]*\s(?:title|alt|aria-label)="([^"]+)"[^>]*>/gu, '\n[$1]\n')
    .replaceAll(/<\/?(?:b|em|strong|a|del|ins|span|code|tspan)\b[^>]*>/gu, '')
    .replaceAll(/<[^>]*>/gu, '\n')
    .replaceAll(/&(?:lt|gt|quot|amp|#39);/gu, (entity) => ENTITIES[entity] ?? entity)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
}
