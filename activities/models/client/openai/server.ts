/** The adapter for servers that speak OpenAI's protocol: vLLM, SGLang, llama-server, LM Studio, gateways, hosted models. */
import { DeckhandError } from '../../../../domain/errors.ts';
import type { ServerAddress } from '../connection.ts';
import type { ModelServer } from '../model-server.ts';
import { chat } from './chat.ts';
import {
  bytesOnDisk,
  capabilitiesOf,
  findLoaded,
  inspectModel,
  loadModel,
  modelFile,
  modelNames,
  runningModels,
  serverVersion,
} from './inspect.ts';
import { serverMetrics } from './metrics.ts';

/** See {@link ModelServer}. */
export const openAiServer = (address: ServerAddress): ModelServer => ({
  kind: 'openai',
  url: address.url,
  outsideHost: () => address.egress.outsideHost,
  isSameModel: (one, other) => one === other,
  supportedVersions: 'any with /v1/chat/completions',
  // Its version says nothing of what it can do: that is tried.
  supportOf: () => 'supported',
  version: (context) => serverVersion(address, context),
  names: (context) => modelNames(address, context),
  inspect: (model, context) => inspectModel(address, model, context),
  capabilities: (model, context) => capabilitiesOf(address, model, context),
  file: (model, context) => modelFile(address, model, context),
  bytesOnDisk: (model, context) => bytesOnDisk(address, model, context),
  running: (context) => runningModels(address, context),
  findLoaded: (model, _, context) => findLoaded(address, model, context),
  load: (model, options, context) => loadModel(address, model, options, context),
  pull: (model) => Promise.reject(startedWithout(address, model)),
  chat: (request, signal) => chat(address, request, signal),
  metrics: (context) => serverMetrics(address, context),
});

/** Such a server has the models that it was started with. */
const startedWithout = ({ url }: ServerAddress, model: string): DeckhandError =>
  new DeckhandError('model_not_ready', `${url} was started without ${model}, and takes no other models`, {
    userMessage: `The model ${model} is not on the model server.`,
    hint: 'Start the server with it.',
  });
