/**
 * Progress of long work, on stderr: one line that is rewritten on a terminal, plain lines elsewhere. Stdout stays for results.
 */
import { clearLine, cursorTo } from 'node:readline';
import { cut } from './style.ts';

/** Shows progress lines until `end()`. */
export interface Progress {
  update(message: string): void;
  /** Leaves a message on the screen; the line goes on below it. */
  note(message: string): void;
  /** Ends the last line and leaves it on the screen. */
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
      else {
        cursorTo(stream, 0);
        clearLine(stream, 0);
        stream.write(cut(message, Math.max(20, (stream.columns ?? 80) - 1)));
      }
    },
    note(message) {
      if (terminal) {
        cursorTo(stream, 0);
        clearLine(stream, 0);
      }
      stream.write(`${message}\n`);
      last = '';
    },
    end() {
      if (terminal && last !== '') stream.write('\n');
      last = '';
    },
  };
}
