/** The model that a startup script makes a machine serve, read as the machine itself would run it. */
import { gunzipSync } from 'node:zlib';

/** The model of a machine that runs vLLM. */
export interface ServedModel {
  readonly name: string;
  /** Path of its files. */
  readonly root: string;
  readonly windowTokens: number;
}

/** The model that the script has vLLM serve; undefined = it sets up Ollama, or there is no script. */
export function servedModel(script: string | undefined): ServedModel | undefined {
  const name = /--served-model-name (\S+)/u.exec(script ?? '')?.[1];
  const root = /^WEIGHTS=(\S+)$/mu.exec(script ?? '')?.[1];
  const windowTokens = Number(/--max-model-len (\d+)/u.exec(script ?? '')?.[1]);
  return name === undefined || root === undefined ? undefined : { name, root, windowTokens };
}

const GZIP_BEGIN = 0x1f;

/** A script as clouds take it: in base64, and compressed where it is long. */
export function decodedScript(base64: string): string {
  const bytes = Buffer.from(base64, 'base64');
  return (bytes[0] === GZIP_BEGIN ? gunzipSync(bytes) : bytes).toString('utf8');
}
