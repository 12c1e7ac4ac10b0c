/**
 * Errors as the two ends of the supported range of Ollama word them, with the class each belongs to.
 *
 * `status` is null for a line inside a stream that began with 200. Newer servers put JSON inside the error string.
 */
import type { ErrorCode } from '../../../domain/errors.ts';

export interface ErrorFixture {
  readonly server: '0.24.0' | '0.34.4';
  readonly what: string;
  readonly status: number | null;
  readonly message: string;
  readonly code: ErrorCode;
}

const RUNNER_STOPPED =
  'model runner has unexpectedly stopped, this may be due to resource limitations or an internal error, check ollama server logs for details';
const BUSY = 'server busy, please try again.  maximum pending requests exceeded';

export const ERROR_FIXTURES: readonly ErrorFixture[] = [
  {
    server: '0.24.0',
    what: 'no such model',
    status: 404,
    message: "model 'gemma9' not found",
    code: 'model_not_ready',
  },
  {
    server: '0.34.4',
    what: 'no such model',
    status: 404,
    message: "model 'gemma9' not found",
    code: 'model_not_ready',
  },
  {
    server: '0.24.0',
    what: 'bad base64',
    status: 400,
    message: 'illegal base64 data at input byte 4',
    code: 'model_input_rejected',
  },
  {
    server: '0.34.4',
    what: 'bad base64',
    status: 400,
    message: 'illegal base64 data at input byte 4',
    code: 'model_input_rejected',
  },
  {
    server: '0.24.0',
    what: 'undecodable image',
    status: 500,
    message: 'failed to process inputs: image: unknown format',
    code: 'model_input_rejected',
  },
  {
    server: '0.34.4',
    what: 'undecodable image',
    status: 400,
    message: '{"error":{"code":400,"message":"Failed to load image or audio file","type":"invalid_request_error"}}',
    code: 'model_input_rejected',
  },
  {
    server: '0.24.0',
    what: 'undecodable image on a llava model',
    status: 500,
    message: RUNNER_STOPPED,
    code: 'model_crashed',
  },
  {
    server: '0.34.4',
    what: 'image for a model without vision',
    status: 400,
    message:
      '{"error":{"code":400,"message":"image input is not supported - hint: if this is unexpected, you may need to provide the mmproj","type":"invalid_request_error"}}',
    code: 'model_input_rejected',
  },
  {
    server: '0.24.0',
    what: 'prompt too long',
    status: 400,
    message: 'the input length exceeds the context length',
    code: 'prompt_too_long',
  },
  {
    server: '0.34.4',
    what: 'prompt too long',
    status: 400,
    message:
      '{"error":{"code":400,"message":"request (4042 tokens) exceeds the available context size (256 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":4042,"n_ctx":256}}',
    code: 'prompt_too_long',
  },
  {
    server: '0.24.0',
    what: 'bad schema',
    status: 500,
    message: 'invalid JSON schema in format',
    code: 'model_input_rejected',
  },
  {
    server: '0.34.4',
    what: 'bad schema',
    status: 400,
    message:
      '{"error":{"code":400,"message":"Failed to initialize samplers: failed to parse grammar","type":"invalid_request_error"}}',
    code: 'model_input_rejected',
  },
  {
    server: '0.24.0',
    what: 'bad option',
    status: 500,
    message: 'option "num_ctx" must be of type integer',
    code: 'model_input_rejected',
  },
  {
    server: '0.24.0',
    what: 'runner killed in the call',
    status: null,
    message: `an error was encountered while running the model: unexpected EOF`,
    code: 'model_crashed',
  },
  {
    server: '0.24.0',
    what: 'runner killed in the call, not streaming',
    status: 500,
    message: 'an error was encountered while running the model: unexpected EOF',
    code: 'model_crashed',
  },
  {
    server: '0.34.4',
    what: 'runner killed in the call',
    status: null,
    message: 'Post "http://127.0.0.1:41851/v1/chat/completions": unexpected EOF',
    code: 'model_crashed',
  },
  {
    server: '0.24.0',
    what: 'neighbour of a poisoned request',
    status: 500,
    message: 'SIGSEGV: segmentation violation signal arrived during cgo execution',
    code: 'model_crashed',
  },
  {
    server: '0.34.4',
    what: 'runner killed, not streaming',
    status: 500,
    message: 'llama-server process has terminated: exit status 2',
    code: 'model_crashed',
  },
  { server: '0.24.0', what: 'busy', status: 503, message: BUSY, code: 'model_busy' },
  { server: '0.34.4', what: 'busy', status: 503, message: BUSY, code: 'model_busy' },
  { server: '0.24.0', what: 'cancelled', status: 499, message: 'request canceled', code: 'model_unreachable' },
  {
    server: '0.24.0',
    what: 'not enough memory',
    status: 500,
    message: 'model requires more system memory (11.0 GiB) than is available (7.2 GiB)',
    code: 'model_not_ready',
  },
  {
    server: '0.24.0',
    what: 'load stalled',
    status: 500,
    message: 'timed out waiting for llama runner to start - progress 0.00 - ',
    code: 'model_not_ready',
  },
  {
    server: '0.24.0',
    what: 'cannot think',
    status: 400,
    message: '"phi4" does not support thinking',
    code: 'model_input_rejected',
  },
];
