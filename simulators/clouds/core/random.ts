/**
 * Seeded random numbers whose state is plain JSON, so that a restored simulator continues the sequence.
 *
 * The generator is sfc32 ("small fast counter", Chris Doty-Humphrey, PractRand).
 */

/** Four 32-bit words. */
export type RandomState = [number, number, number, number];

/** State for a seed. The first draws are discarded, because nearby seeds start alike. */
export function seedRandom(seed: number): RandomState {
  const state: RandomState = [seed | 0, Math.floor(seed / 2 ** 32) | 0, 0x9e3779b9 | 0, 1];
  for (let i = 0; i < 12; i += 1) drawUint32(state);
  return state;
}

function drawUint32(state: RandomState): number {
  const [a, b, c, counter] = state;
  const sum = (((a + b) | 0) + counter) | 0;
  state[3] = (counter + 1) | 0;
  state[0] = b ^ (b >>> 9);
  state[1] = (c + (c << 3)) | 0;
  state[2] = (((c << 21) | (c >>> 11)) + sum) | 0;
  return sum >>> 0;
}

/** A number in [0, 1). Changes the state. */
export const draw = (state: RandomState): number => drawUint32(state) / 2 ** 32;

/** Uniform over a range. An empty range draws nothing. */
export function drawBetween(state: RandomState, [from, to]: readonly [number, number]): number {
  return from === to ? from : from + draw(state) * (to - from);
}

/** Exponential waiting time, hours, for `perHour` expected events in an hour. */
export const drawExponentialHours = (state: RandomState, perHour: number): number =>
  -Math.log(1 - draw(state)) / perHour;

/** An id in the form of a random UUID (version 4). */
export function drawUuid(state: RandomState): string {
  const hex = Array.from({ length: 4 }, () => drawUint32(state).toString(16).padStart(8, '0')).join('');
  const variant = ((Number.parseInt(hex[16] ?? '0', 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}
