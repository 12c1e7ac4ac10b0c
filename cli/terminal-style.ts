/**
 * How what is printed may look: colours, and how wide it may be.
 */

/** See the file's header. */
export interface TerminalStyle {
  readonly colours: boolean;
  /** Columns. */
  readonly width: number;
}

/** Of a stream, as far as it is needed. A pipe has neither columns nor colours. */
type Output = Pick<typeof process.stdout, 'isTTY' | 'columns' | 'hasColors'>;

/**
 * The style of standard output.
 *
 * @param pipeWidth where it is no terminal: by default lines are whole
 */
export function styleOfStdout(
  pipeWidth: number = Number.POSITIVE_INFINITY,
  stdout: Output = process.stdout,
): TerminalStyle {
  // `hasColors` knows NO_COLOR, FORCE_COLOR and terminals without any.
  return stdout.isTTY ? { colours: stdout.hasColors(), width: stdout.columns } : { colours: false, width: pipeWidth };
}
