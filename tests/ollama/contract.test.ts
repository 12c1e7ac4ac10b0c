/** The contract of model servers on a real Ollama, by its own protocol. */
import { perFile } from '../../testing/per-file.ts';
import { modelServerContract } from '../contract/model-server.ts';
import { contractOllama } from './contract-server.ts';
import { BUILD_TIMEOUT_MS } from './server.ts';

modelServerContract(perFile(() => contractOllama('ollama'), BUILD_TIMEOUT_MS));
