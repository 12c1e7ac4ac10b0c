/** Protocols of model servers: that of Ollama, and that of OpenAI, which vLLM, SGLang, llama-server, LM Studio and gateways speak. */
export const SERVER_KINDS = ['ollama', 'openai'] as const;
export type ServerKind = (typeof SERVER_KINDS)[number];
