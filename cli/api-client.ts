/** The API as commands speak to it: with the key of this data directory, or the one that DECKHAND_API_KEY names. */
import { createDeckhandClient, type DeckhandClient } from '../api/client.ts';
import type { Config } from '../platform/config.ts';
import { clientApiKey } from '../platform/own-api-key.ts';

/** A client of the API at this URL. */
export function clientOf(config: Config, apiUrl: string): DeckhandClient {
  return createDeckhandClient(apiUrl, { apiKey: clientApiKey(config, apiUrl) });
}
