/** Facts of a machine whose model server is off, of which only the machine is known. */
import type { DiagnosisFacts, MachineFacts } from '../../../../domain/health/gpu/diagnosis/facts.ts';

export const factsOf = (machine: MachineFacts | null): DiagnosisFacts => ({
  target: 'local',
  atMs: 0,
  machine,
  machineMessage: null,
  server: {
    kind: 'ollama',
    url: 'u',
    version: null,
    support: null,
    supportedVersions: '',
    message: 'off',
    isReader: false,
  },
  loaded: [],
  models: [],
  generation: { kind: 'not_tried', reason: '' },
  parallel: 4,
});
