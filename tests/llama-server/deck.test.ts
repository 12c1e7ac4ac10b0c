/** Decks on a real llama-server. */
import { perFile } from '../../testing/per-file.ts';
import { deckContract } from '../contract/deck.ts';
import { contractLlamaServer } from './contract-server.ts';

deckContract(perFile(contractLlamaServer));
