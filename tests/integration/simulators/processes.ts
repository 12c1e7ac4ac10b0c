/** Simulators as processes of their own, for tests that kill them. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

const MAIN = path.resolve(import.meta.dirname, '../../../simulators/clouds/datacrunch/main.ts');

export interface SimulatorProcess {
  readonly port: number;
  /** Calls the API with a fresh token. */
  call(method: string, path: string, body?: unknown): Promise<Response>;
  control<T>(path: string, body?: unknown): Promise<T>;
  kill(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  readonly child: ChildProcess;
}

/** Starts one and waits until it listens. @throws Error with its words when it ends instead */
export async function startSimulator(...args: readonly string[]): Promise<SimulatorProcess> {
  const child = spawn(process.execPath, [MAIN, '--exit-with-parent', ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
  let words = '';
  child.stderr.on('data', (chunk: Buffer) => (words += chunk.toString('utf8')));
  const line = once(createInterface({ input: child.stdout }), 'line') as Promise<[string]>;
  const end = once(child, 'exit').then(() => null);
  const first = await Promise.race([line, end]);
  if (first === null) throw new Error(words.trim());
  const { listening: port } = JSON.parse(first[0]) as { listening: number };
  const base = `http://127.0.0.1:${port}`;
  const send = (method: string, to: string, body: unknown, token = ''): Promise<Response> =>
    fetch(`${base}${to}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const login = { grant_type: 'client_credentials', client_id: 'demo', client_secret: 'demo' };
  return {
    port,
    child,
    call: async (method, to, body) => {
      const answer = await send('POST', '/v1/oauth2/token', login);
      return send(method, `/v1${to}`, body, ((await answer.json()) as { access_token: string }).access_token);
    },
    control: async <T>(to: string, body?: unknown) =>
      (await send(body === undefined ? 'GET' : 'POST', `/_control${to}`, body)).json() as Promise<T>,
    kill: async (signal) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      child.kill(signal);
      await exit;
    },
  };
}
