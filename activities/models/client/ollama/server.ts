/** The adapter for Ollama, and for servers that speak its protocol. */
import type { ModelServer } from '../model-server.ts';
import { chat } from './chat.ts';
import type { ServerAddress } from '../connection.ts';
import {
  bytesOnDisk,
  capabilitiesOf,
  inspectModel,
  isSameModel,
  modelFile,
  modelNames,
  runningModels,
  serverVersion,
} from './inspect.ts';
import { SUPPORTED_OLLAMA, versionSupport } from './versions.ts';
import { findLoaded, loadModel, pullModel } from './load.ts';

/** See {@link ModelServer}. */
export const ollamaServer = (host: ServerAddress): ModelServer => ({
  kind: 'ollama',
  url: host.url,
  outsideHost: () => host.egress.outsideHost,
  isSameModel,
  supportedVersions: `${SUPPORTED_OLLAMA.oldest} to ${SUPPORTED_OLLAMA.newest}`,
  supportOf: versionSupport,
  version: (context) => serverVersion(host, context),
  names: (context) => modelNames(host, context),
  inspect: (model, context) => inspectModel(host, model, context),
  capabilities: (model, context) => capabilitiesOf(host, model, context),
  file: (model, context, withLists) => modelFile(host, model, context, withLists),
  bytesOnDisk: (model, context) => bytesOnDisk(host, model, context),
  running: (context) => runningModels(host, context),
  findLoaded: (model, windowTokens, context) => findLoaded(host, model, windowTokens, context),
  load: (model, options, context) => loadModel(host, model, options, context),
  pull: (model, context) => pullModel(host, model, context),
  chat: (request, signal) => chat(host, request, signal),
});
