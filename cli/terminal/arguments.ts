/** Readers of what is typed behind an option. */
import { InvalidArgumentError } from 'commander';

/** A reader of a number that fits. @param refusal printed for anything else */
export const numberThat =
  (fits: (value: number) => boolean, refusal: string) =>
  (text: string): number => {
    const value = Number(text);
    if (fits(value)) return value;
    throw new InvalidArgumentError(refusal);
  };

/** Whether a number is whole and within these limits. */
export const isWholeWithin =
  (least: number, most: number) =>
  (value: number): boolean =>
    Number.isInteger(value) && value >= least && value <= most;

/** A finite number above 0. */
export const isPositive = (value: number): boolean => value > 0 && Number.isFinite(value);

/**
 * A reader of `TASK=NAME`, which is added to those that were read before.
 *
 * @param example of what can be typed
 * @param named what a name stands for
 */
export const modelByTask =
  <Model>(example: string, named: (name: string) => Model) =>
  (text: string, known: Readonly<Record<string, Model>>): Record<string, Model> => {
    const [task = '', name = ''] = text.split(/=(.*)/su, 2);
    if (task !== '' && name !== '') return { ...known, [task]: named(name) };
    throw new InvalidArgumentError(`Write TASK=NAME, such as ${example}.`);
  };
