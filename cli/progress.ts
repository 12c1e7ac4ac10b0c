/**
 * Progress of long work, on stderr: one line that is rewritten on a terminal, plain lines elsewhere. Stdout stays for results.
 */

/** Shows progress lines until `end()`. */
export interface Progress {
  update(message: string): void;
  /** Leaves the last line standing and ends it. */
  end(): void;
}

/** Progress on this process' stderr. A message equal to the last is not repeated. */
export function createProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  let last = '';
  const terminal = stream.isTTY;
  return {
    update(message) {
      if (message === last) return;
      last = message;
      if (!terminal) stream.write(`${message}\n`);
      else stream.write(`\r\u001B[2K${message.slice(0, Math.max(20, (stream.columns ?? 80) - 1))}`);
    },
    end() {
      if (terminal && last !== '') stream.write('\n');
      last = '';
    },
  };
}
