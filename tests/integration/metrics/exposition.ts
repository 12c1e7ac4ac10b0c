/** The text of a scrape as tests read it. */

/** Values by series: the name with its labels, as it stands in the text. */
export type Series = ReadonlyMap<string, number>;

/** Reads a scrape. @throws Error for a series that stands in it twice */
export function seriesOf(text: string): Series {
  const series = new Map<string, number>();
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const end = line.lastIndexOf(' ');
    const key = line.slice(0, end);
    if (series.has(key)) throw new Error(`${key} stands in the scrape twice`);
    series.set(key, Number(line.slice(end + 1)));
  }
  return series;
}

/** Names of the metrics that have a sample. */
export function namesOf(text: string): Set<string> {
  const typed = typesOf(text);
  const names = [...seriesOf(text).keys()].map((key) => key.replace(/\{.*$/u, ''));
  return new Set(
    names.map((name) => [...typed.keys()].find((t) => t === name) ?? name.replace(/_(bucket|sum|count)$/u, '')),
  );
}

/** Type of each metric that is named. */
export const typesOf = (text: string): Map<string, string> =>
  new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gmu)].map((match) => [match[1] ?? '', match[2] ?? '']));

/** Series of counters and histograms whose name passes; those may only grow. */
export function growing(text: string, isOurs: (name: string) => boolean): Series {
  const types = typesOf(text);
  return new Map(
    [...seriesOf(text)].filter(([key]) => {
      const name = key.replace(/\{.*$/u, '');
      const type = types.get(name) ?? types.get(name.replace(/_(bucket|sum|count)$/u, ''));
      return (type === 'counter' || type === 'histogram') && isOurs(name);
    }),
  );
}

/** Series that went down or are not there any more. */
export const fallen = (before: Series, after: Series): string[] =>
  [...before].filter(([key, value]) => (after.get(key) ?? -1) < value).map(([key]) => key);
