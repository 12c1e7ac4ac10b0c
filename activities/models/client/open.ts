/** Chooses the adapter for a model server. */
import type { ModelServer } from './model-server.ts';
import { ollamaServer } from './ollama/server.ts';

/** The server at this base URL. Nothing is sent. */
export const openModelServer = (url: string): ModelServer => ollamaServer(url);
