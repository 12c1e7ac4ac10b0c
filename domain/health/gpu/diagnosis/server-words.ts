/** How the model server of a machine is called in findings, and what is typed to look after it. */
import { unitOf } from '../commands.ts';
import type { DiagnosisFacts } from './facts.ts';

export interface ServerWords {
  readonly title: string;
  /** The next step; a unit is named only where there is one. The restart has no full stop: conditions follow it. */
  readonly start: string;
  readonly restart: string;
  readonly readLog: string;
}

/** See the file's header. A server of OpenAI's protocol may be any program, unless the machine has the unit of our set-up. */
export function serverWords({ server, machine }: Pick<DiagnosisFacts, 'server' | 'machine'>): ServerWords {
  const unit = unitOf(server.kind);
  if (server.kind !== 'ollama' && (machine === null || machine.settings === null))
    return {
      title: 'model server',
      start: 'Start it, or correct the address.',
      restart: 'Restart the model server',
      readLog: 'Look into its log.',
    };
  return {
    title: unit === 'ollama' ? 'Ollama' : 'vLLM',
    start: `Start it (\`systemctl start ${unit}\`)${unit === 'ollama' ? ', or set OLLAMA_HOST to where it listens' : ''}.`,
    restart: `Restart the model server (\`systemctl restart ${unit}\`)`,
    readLog: `Look into its log: \`journalctl -u ${unit}\`.`,
  };
}
