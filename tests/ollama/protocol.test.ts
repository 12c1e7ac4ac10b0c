/**
 * The protocol contract on a real Ollama server, which is what makes it a contract.
 */
import { describe } from 'vitest';
import { perFile } from '../../testing/per-file.ts';
import { ollamaProtocolContract } from '../contract/ollama-protocol.ts';
import { BUILD_TIMEOUT_MS, startRealOllama, TINY_MODELS } from './server.ts';

describe('a real Ollama', () => {
  const server = perFile(startRealOllama, BUILD_TIMEOUT_MS);
  ollamaProtocolContract(() => server.host, TINY_MODELS);
});
