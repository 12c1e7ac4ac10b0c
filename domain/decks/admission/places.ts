/** Places of decks that wait for their turn, in words. */

/** The thing that a run without a share waits for, as it reads behind "waiting for". */
export const PLACE_IN_LINE = 'its place in line';

/** A deck that waits for its place. */
export interface Place {
  /** 1 = the next one of its tenant and priority. */
  readonly place: number;
}

/** `its place in line: the next one`, `its place in line: 12th`. */
export const placeText = ({ place }: Place): string =>
  `${PLACE_IN_LINE}: ${place === 1 ? 'the next one' : ordinal(place)}`;

/** `1st`, `12th`, `23rd`. */
export function ordinal(count: number): string {
  const isTeen = count % 100 >= 11 && count % 100 <= 13;
  const ending = isTeen
    ? 'th'
    : (({ 1: 'st', 2: 'nd', 3: 'rd' } as Partial<Record<number, string>>)[count % 10] ?? 'th');
  return `${count}${ending}`;
}
