/** Protocols of model servers: that of Ollama, and that of OpenAI, which vLLM, SGLang, llama-server, LM Studio and gateways speak. */
export const SERVER_KINDS = ['ollama', 'openai'] as const;
export type ServerKind = (typeof SERVER_KINDS)[number];

/** A model server by its address, whose protocol stands before it where it is not Ollama's: `openai+http://gpu-1:8000/v1`. */
export function serverAt(address: string): { readonly kind: ServerKind; readonly url: string } {
  const url = /^openai\+(.*)$/u.exec(address)?.[1];
  return url === undefined ? { kind: 'ollama', url: address } : { kind: 'openai', url };
}
