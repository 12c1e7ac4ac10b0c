/** The contract of model servers on a real vLLM. */
import { perFile } from '../../testing/per-file.ts';
import { modelServerContract } from '../contract/model-server.ts';
import { contractVllm } from './contract-server.ts';

modelServerContract(perFile(contractVllm));
