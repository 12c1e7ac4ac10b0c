/** The built-in reader keeps the same protocol contract as a real Ollama. */
import { afterAll, beforeAll } from 'vitest';
import { startReader, type RunningReader } from '../../../simulators/ollama/server.ts';
import { ollamaProtocolContract } from '../../contract/ollama-protocol.ts';

let reader: RunningReader;

beforeAll(async () => {
  reader = await startReader({
    models: [
      { name: 'contract-text:latest', capabilities: ['completion'], sizeBytes: 1_000_000, installed: true },
      { name: 'contract-vision:latest', capabilities: ['completion', 'vision'], sizeBytes: 2_000_000, installed: true },
    ],
  });
});
afterAll(async () => {
  await reader.stop();
});

ollamaProtocolContract(() => reader.host, { text: 'contract-text', vision: 'contract-vision' });
