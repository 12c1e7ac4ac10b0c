/** Decks on a real Ollama, by its own protocol. */
import { perFile } from '../../testing/per-file.ts';
import { deckContract } from '../contract/deck.ts';
import { contractOllama } from './contract-server.ts';
import { BUILD_TIMEOUT_MS } from './server.ts';

deckContract(perFile(() => contractOllama('ollama'), BUILD_TIMEOUT_MS));
