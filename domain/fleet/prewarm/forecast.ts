/**
 * When decks will arrive, learned from when they arrived: by hour of the week, and within the hour by quarter.
 *
 * Each hour of the week has a rate that is drawn towards the mean of all hours as if that had been seen for two weeks, and each quarter one
 * that is drawn towards its hour in the same way. So few weeks say little, and an hour that was never seen is taken for a usual one. How
 * sure a rate is counts as well (gamma–Poisson): the fewer weeks, the less likely anything certain is.
 */
import { QUARTER_MS, QUARTERS_OF_WEEK, quarterStart, type QuarterOfWeek } from './week.ts';

/** Decks that arrived within one minute, and needed machines. */
export interface Arrival {
  /** Start of the minute, ms since 1970. */
  readonly atMs: number;
  readonly decks: number;
  /** Pages of theirs whose calls were missing. */
  readonly slides: number;
}

/** Decks that come within one cell find the machine that the first of them has woken: they count once where a chance is asked for. */
const CELL_MS = 5 * 60_000;
/** Hours of an hour of the week, and of a quarter, that the means are worth: two weeks each. */
const HOUR_PRIOR_HOURS = 2;
const QUARTER_PRIOR_HOURS = 0.5;
const QUARTER_HOURS = 0.25;
const HOUR_MS = 3_600_000;

/** What one quarter of an hour brought. */
export interface QuarterCount {
  readonly decks: number;
  /** Cells of five minutes with a deck. */
  readonly visits: number;
}

/** See the file's header. It learns by {@link ArrivalForecast.add}, quarter by quarter, so that a replay never knows what comes later. */
export class ArrivalForecast {
  readonly #quarterOf: QuarterOfWeek;
  readonly #decks = new Float64Array(QUARTERS_OF_WEEK);
  readonly #visits = new Float64Array(QUARTERS_OF_WEEK);
  /** How long each quarter of the week was observed, hours. */
  readonly #hours = new Float64Array(QUARTERS_OF_WEEK);
  #allDecks = 0;
  #allVisits = 0;
  #allHours = 0;

  constructor(quarterOf: QuarterOfWeek) {
    this.#quarterOf = quarterOf;
  }

  /** Learns one quarter that is over. */
  add(quarterStartMs: number, { decks, visits }: QuarterCount): void {
    const quarter = this.#quarterOf(quarterStartMs);
    this.#decks[quarter] = (this.#decks[quarter] ?? 0) + decks;
    this.#visits[quarter] = (this.#visits[quarter] ?? 0) + visits;
    this.#hours[quarter] = (this.#hours[quarter] ?? 0) + QUARTER_HOURS;
    this.#allDecks += decks;
    this.#allVisits += visits;
    this.#allHours += QUARTER_HOURS;
  }

  /** Decks expected from one instant until before another. */
  expectedDecks(fromMs: number, untilMs: number): number {
    let decks = 0;
    for (const { quarter, hours } of this.#pieces(fromMs, untilMs))
      decks += hours * this.#hourRate(this.#decks, this.#allDecks, quarter);
    return decks;
  }

  /** Probability, 0 … 1, that at least one deck arrives from one instant until before another; 0 while nothing was learned. */
  chance(fromMs: number, untilMs: number): number {
    return Math.min(1, Math.max(0, -Math.expm1(this.noneLog(fromMs, untilMs))));
  }

  /** Logarithm of the probability that no deck arrives; those of times that follow each other add up. */
  noneLog(fromMs: number, untilMs: number): number {
    let noneLog = 0;
    for (const { quarter, hours } of this.#pieces(fromMs, untilMs)) {
      const rate = this.#hourRate(this.#visits, this.#allVisits, quarter);
      const seen = (this.#visits[quarter] ?? 0) + QUARTER_PRIOR_HOURS * rate;
      const observed = (this.#hours[quarter] ?? 0) + QUARTER_PRIOR_HOURS;
      noneLog += seen * Math.log(observed / (observed + hours));
    }
    return noneLog;
  }

  /** Events per hour of the hour of the week that a quarter belongs to. */
  #hourRate(counts: Float64Array, all: number, quarter: number): number {
    if (this.#allHours === 0) return 0;
    const first = quarter - (quarter % 4);
    let count = 0;
    let hours = 0;
    for (let one = first; one < first + 4; one += 1) {
      count += counts[one] ?? 0;
      hours += this.#hours[one] ?? 0;
    }
    return (count + HOUR_PRIOR_HOURS * (all / this.#allHours)) / (hours + HOUR_PRIOR_HOURS);
  }

  /** The quarters of the week that a time touches, with how much of it. */
  *#pieces(fromMs: number, untilMs: number): Generator<{ readonly quarter: number; readonly hours: number }> {
    for (let atMs = fromMs; atMs < untilMs;) {
      const endMs = Math.min(untilMs, quarterStart(atMs) + QUARTER_MS);
      yield { quarter: this.#quarterOf(atMs), hours: (endMs - atMs) / HOUR_MS };
      atMs = endMs;
    }
  }
}

/** Counts of each quarter of a time, in order; a time that begins or ends within a quarter counts that quarter whole. */
export function countQuarters(arrivals: readonly Arrival[], fromMs: number, untilMs: number): QuarterCount[] {
  const first = quarterStart(fromMs);
  const length = Math.max(0, Math.ceil((untilMs - first) / QUARTER_MS));
  const decks = new Float64Array(length);
  const cells = Array.from({ length }, () => new Set<number>());
  for (const { atMs, decks: count } of arrivals) {
    const quarter = Math.floor((atMs - first) / QUARTER_MS);
    if (quarter < 0 || quarter >= length || count <= 0) continue;
    decks[quarter] = (decks[quarter] ?? 0) + count;
    cells[quarter]?.add(Math.floor(atMs / CELL_MS));
  }
  return cells.map((visited, quarter) => ({ decks: decks[quarter] ?? 0, visits: visited.size }));
}

/** A forecast that has learned everything from one instant until before another. */
export function learnArrivals(
  arrivals: readonly Arrival[],
  fromMs: number,
  untilMs: number,
  quarterOf: QuarterOfWeek,
): ArrivalForecast {
  const forecast = new ArrivalForecast(quarterOf);
  const first = quarterStart(fromMs);
  for (const [index, count] of countQuarters(arrivals, fromMs, untilMs).entries())
    forecast.add(first + index * QUARTER_MS, count);
  return forecast;
}
