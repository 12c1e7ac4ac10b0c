/** The contract of model servers on a real llama-server. */
import { perFile } from '../../testing/per-file.ts';
import { modelServerContract } from '../contract/model-server.ts';
import { contractLlamaServer } from './contract-server.ts';

modelServerContract(perFile(contractLlamaServer));
