/** Reads a stream of server-sent events (WHATWG HTML, 9.2): what a client outside a browser needs of it. */

/** One event. */
export interface ServerSentEvent {
  /** `message` when the stream names none. */
  readonly type: string;
  readonly data: string;
  readonly id: string | null;
}

/** Lines of a UTF-8 byte stream, whatever the chunks. A line that is not ended is left out, as the standard asks. */
async function* readLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true });
    // A lone CR at the end may be the first half of CR LF.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

/** Events of a response body. Comments are skipped; an event without data is none. */
export async function* readEvents(body: AsyncIterable<Uint8Array> | null): AsyncGenerator<ServerSentEvent, void> {
  if (body === null) return;
  let type = 'message';
  let data: string[] = [];
  let id: string | null = null;
  for await (const line of readLines(body)) {
    if (line === '') {
      if (data.length > 0) yield { type, data: data.join('\n'), id };
      type = 'message';
      data = [];
      continue;
    }
    const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === 'event') type = value;
    else if (field === 'data') data.push(value);
    else if (field === 'id') id = value;
  }
}
