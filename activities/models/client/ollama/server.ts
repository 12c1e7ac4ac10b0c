/** The adapter for Ollama, and for servers that speak its protocol. */
import type { ModelServer } from '../model-server.ts';
import { chat } from './chat.ts';
import {
  bytesOnDisk,
  capabilitiesOf,
  inspectModel,
  isSameModel,
  modelFile,
  runningModels,
  serverVersion,
} from './inspect.ts';
import { SUPPORTED_OLLAMA, versionSupport } from './versions.ts';
import { findLoaded, loadModel, pullModel } from './load.ts';

/** See {@link ModelServer}. */
export const ollamaServer = (url: string): ModelServer => ({
  url,
  isSameModel,
  supportedVersions: `${SUPPORTED_OLLAMA.oldest} to ${SUPPORTED_OLLAMA.newest}`,
  supportOf: versionSupport,
  version: (context) => serverVersion(url, context),
  inspect: (model, context) => inspectModel(url, model, context),
  capabilities: (model, context) => capabilitiesOf(url, model, context),
  file: (model, context, withLists) => modelFile(url, model, context, withLists),
  bytesOnDisk: (model, context) => bytesOnDisk(url, model, context),
  running: (context) => runningModels(url, context),
  findLoaded: (model, windowTokens, context) => findLoaded(url, model, windowTokens, context),
  load: (model, options, context) => loadModel(url, model, options, context),
  pull: (model, context) => pullModel(url, model, context),
  chat: (request, signal) => chat(url, request, signal),
});
