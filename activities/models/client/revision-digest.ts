/** The identity of a model that its server names by a revision of a repository. */
import { sha256Hex } from '../../../platform/hash.ts';

/** @param revision repository and commit, such as `Qwen/Qwen3-VL-8B-Instruct@8f3a…` */
export const revisionDigest = (model: string, revision: string): string =>
  sha256Hex(JSON.stringify(['vllm', model, revision]));
