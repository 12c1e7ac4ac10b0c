/**
 * Answers that consist of an id: plain text, although the documentation says JSON.
 */
import type { Simulation } from './account.ts';

export function idAnswer({ dialect }: Simulation, id: string, status: number): Response {
  const quoted = dialect.idAnswer === 'quoted';
  return new Response(quoted ? JSON.stringify(id) : id, {
    status,
    headers: { 'content-type': quoted ? 'application/json; charset=utf-8' : 'text/html; charset=utf-8' },
  });
}
