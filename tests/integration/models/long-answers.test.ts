/** Answers of a model server that never end: a rented machine may say anything, and the gateway has others to serve. */
import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { openModelServer } from '../../../activities/models/client/open.ts';
import { serveForTest } from '../../../testing/server.ts';

/** A server that repeats the same words until the client goes away. Counts what was taken. */
async function endless(status: number, begin: string): Promise<{ readonly url: string; readonly sent: () => number }> {
  const piece = Buffer.alloc(64 * 1024, 'x');
  let bytes = 0;
  const goOn = (response: ServerResponse): void => {
    while (!response.destroyed) {
      bytes += piece.length;
      if (!response.write(piece)) {
        response.once('drain', () => goOn(response));
        return;
      }
    }
  };
  const url = await serveForTest((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.write(begin);
    goOn(response);
  });
  return { url, sent: () => bytes };
}

const never = new AbortController().signal;

it('a list that does not end is given up', async () => {
  const { url, sent } = await endless(200, '{"models":[{"name":"');
  await expect(openModelServer({ kind: 'ollama', url: url }).running({ signal: never })).rejects.toThrow('longer than');
  expect(sent()).toBeLessThan(64 * 1024 * 1024);
});

it('of an error that does not end, the beginning is read', async () => {
  const { url, sent } = await endless(500, 'out of everything ');
  await expect(openModelServer({ kind: 'ollama', url: url }).running({ signal: never })).rejects.toThrow(
    'out of everything',
  );
  expect(sent()).toBeLessThan(16 * 1024 * 1024);
});
