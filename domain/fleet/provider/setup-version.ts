/**
 * The version of a machine's set-up: what tells apart machines that were set up differently, so that a figure or a fault can be put down to it.
 */

/** What a machine is set up with at its first boot. */
export interface MachineSetup {
  /** The whole startup script: it holds the release of the model server, the names of the models and every step. */
  readonly script: string;
  /** The operating system image, as it was ordered. */
  readonly image: string;
}

/** Digits of a version. */
const VERSION_LENGTH = 12;

/**
 * The version: equal for equal set-ups, and another one when any part of one changed.
 *
 * @param sha256Hex SHA-256 of a text, in hexadecimal digits
 */
export const setupVersion = ({ script, image }: MachineSetup, sha256Hex: (text: string) => string): string =>
  sha256Hex(JSON.stringify([image, script])).slice(0, VERSION_LENGTH);
