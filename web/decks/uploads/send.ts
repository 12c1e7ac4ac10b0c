/** Sends one file. An XMLHttpRequest, because fetch does not say how much of a body is sent. */
import { tryJson } from '../../../domain/text/json.ts';
import { apiPath, errorOf, RequestError, textOf } from '../../request.ts';

const OK = 200;
const CREATED = 201;

/** Answer to an upload. */
export interface SentFile {
  readonly deckId: string;
  /** False when the same PDF was there already. */
  readonly isNew: boolean;
}

/** An upload on its way. */
export interface Sending {
  /** Rejects with {@link RequestError}; `offline` when nothing answered, `cancelled` after `abort`. */
  readonly done: Promise<SentFile>;
  abort(): void;
}

/**
 * Uploads a PDF.
 *
 * @param onShare how much of it is sent, from 0 to 1
 */
export function sendFile(file: File, onShare: (share: number) => void): Sending {
  const request = new XMLHttpRequest();
  const done = new Promise<SentFile>((resolve, reject) => {
    const fail = (code: string) => (): void => reject(new RequestError(code, { code, status: 0, hint: null }));
    request.upload.addEventListener('progress', ({ loaded, total }) => onShare(total === 0 ? 0 : loaded / total));
    request.addEventListener('error', fail('offline'));
    request.addEventListener('abort', fail('cancelled'));
    request.addEventListener('load', () => {
      const { status, responseText } = request;
      const body = tryJson(responseText);
      const deckId = textOf(body, 'id');
      if ((status === OK || status === CREATED) && deckId !== undefined) resolve({ deckId, isNew: status === CREATED });
      else reject(errorOf(status, body));
    });
  });
  const body = new FormData();
  body.append('file', file, file.name);
  request.open('POST', apiPath('/decks'));
  request.setRequestHeader('accept', 'application/json');
  request.send(body);
  return { done, abort: () => request.abort() };
}
