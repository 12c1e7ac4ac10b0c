/** `deckhand bench` refuses wrong options before it measures anything. */
import { Command } from 'commander';
import { expect, it } from 'vitest';
import { registerBench } from '../../../cli/commands/developer.ts';

async function bench(...args: readonly string[]): Promise<void> {
  const program = new Command();
  registerBench(program);
  const [command] = program.commands;
  command?.exitOverride().configureOutput({ writeErr: () => undefined });
  await program.parseAsync(['bench', ...args], { from: 'user' });
}

it.each([
  [['nothing'], /there is no benchmark nothing/u],
  [['readiness', '--trace', 'gaps.txt'], /--trace belongs to the benchmark sleep/u],
  [['sleep', '--key-file', 'key'], /--key-file belongs to the benchmark models/u],
  [['models', '--server', 'http://127.0.0.1:9/v1'], /--server and --model belong together/u],
  [['models', '--model', 'house'], /--server and --model belong together/u],
  [['models', '--server', '127.0.0.1:9', '--model', 'house'], /Write the URL of a server/u],
  [['models', '--kind', 'vllm'], /Allowed choices are ollama, openai/u],
  [['models', '--slides', '0'], /Write a number from 1 to 500/u],
  [['models', '--slides', '3', '--deck', 'deck.pdf'], /cannot be used with/u],
  [['models', '--evaluate', '/no/such/folder'], /cannot read \/no\/such\/folder/u],
])('the arguments %j are refused', async (args, words) => {
  await expect(bench(...args)).rejects.toThrow(words);
});
