/** Options of the startup script of a machine. */
import type { StartupScriptOptions } from '../../../domain/fleet/startup-script/startup-script.ts';

export const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILe7mmhodAhp3yK0tEEHckHHJfopLkiftHUvL+sdflJp deckhand-test';

export const startupOptions = (changes: Partial<StartupScriptOptions> = {}): StartupScriptOptions => ({
  publicKey: KEY,
  models: ['gemma3:12b', 'phi4'],
  parallel: 4,
  loadTimeoutMs: 1_200_000,
  deadManMs: 3_600_000,
  ...changes,
});
