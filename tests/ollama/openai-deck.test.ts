/** Decks on a real Ollama, by OpenAI's protocol. */
import { perFile } from '../../testing/per-file.ts';
import { deckContract } from '../contract/deck.ts';
import { contractOllama } from './contract-server.ts';
import { BUILD_TIMEOUT_MS } from './server.ts';

deckContract(perFile(() => contractOllama('openai'), BUILD_TIMEOUT_MS));
