/** Decks on a real vLLM. */
import { perFile } from '../../testing/per-file.ts';
import { deckContract } from '../contract/deck.ts';
import { contractVllm } from './contract-server.ts';

deckContract(perFile(contractVllm));
