/**
 * The protocol contract on a real Ollama server, which is what makes it a contract.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { ollamaProtocolContract } from '../contract/ollama-protocol.ts';
import { type RealOllama, startRealOllama, TINY_MODELS } from './server.ts';

/** Building takes minutes the first time. */
const BUILD_TIMEOUT_MS = 20 * 60_000;

describe('a real Ollama', () => {
  let server: RealOllama | undefined;
  let home = '';

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'deckhand-ollama-'));
    server = await startRealOllama({ home });
  }, BUILD_TIMEOUT_MS);

  afterAll(async () => {
    await server?.stop();
    await rm(home, { recursive: true, force: true });
  });

  ollamaProtocolContract(() => server?.host ?? '', TINY_MODELS);
});
