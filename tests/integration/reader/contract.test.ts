/** The built-in reader keeps the same protocol contract as a real Ollama. */
import { startReader } from '../../../simulators/ollama/server.ts';
import { ollamaProtocolContract } from '../../contract/ollama-protocol.ts';
import { perFile } from '../../../testing/per-file.ts';

const reader = perFile(() =>
  startReader({
    models: [
      { name: 'contract-text:latest', capabilities: ['completion'], sizeBytes: 1_000_000, installed: true },
      { name: 'contract-vision:latest', capabilities: ['completion', 'vision'], sizeBytes: 2_000_000, installed: true },
    ],
  }),
);

ollamaProtocolContract(() => reader.host, { text: 'contract-text', vision: 'contract-vision' });
