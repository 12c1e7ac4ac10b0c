/**
 * `deckhand credentials`: keeps the client id and secret of a DataCrunch project, and checks them.
 */
import type { Command } from 'commander';
import { DeckhandError } from '../../domain/errors.ts';
import { loadConfig } from '../../platform/config.ts';
import type { Fleet } from '../../platform/fleet-config.ts';

interface JsonOption {
  readonly json?: boolean;
}
interface TestOptions extends JsonOption {
  readonly baseUrl?: string;
}

/** Adds the command. */
export function registerCredentials(program: Command): void {
  const credentials = program
    .command('credentials')
    .description('keep and check the credentials of a DataCrunch project; having them rents nothing');
  credentials
    .command('set')
    .description('read client id and secret (two prompts, or two lines on stdin) and keep them, readable by you only')
    .option('--json', 'print one JSON document and nothing else on stdout')
    .action(set);
  credentials
    .command('test')
    .description('ask the provider for a token and the balance')
    .option('--base-url <url>', 'another API than the one in the fleet file')
    .option('--json', 'print one JSON document and nothing else on stdout')
    .action(test);
}

async function set(options: JsonOption): Promise<void> {
  const { readSecrets } = await import('../credentials/prompt.ts');
  const { saveCredentials } = await import('../credentials/save.ts');
  const { datacrunch } = loadConfig();
  const questions = ['Client id', 'Client secret'];
  const [clientId = '', clientSecret = ''] = await readSecrets(questions, {
    input: process.stdin,
    output: process.stderr,
  });
  const file = datacrunch.credentialsFile;
  const replaced = saveCredentials(file, { clientId, clientSecret });
  const overruled = datacrunch.clientId !== undefined || datacrunch.clientSecret !== undefined;
  if (options.json === true) {
    console.log(JSON.stringify({ file, replaced, overruledByEnvironment: overruled }));
    return;
  }
  console.log(`${replaced ? 'Replaced' : 'Wrote'} ${file} (mode 600).`);
  if (overruled) console.log('DATACRUNCH_CLIENT_ID and DATACRUNCH_CLIENT_SECRET are set and come before the file.');
  console.log('Check them: deckhand credentials test');
}

async function test(options: TestOptions): Promise<void> {
  const { checkCredentials } = await import('../credentials/check.ts');
  const { loadFleet } = await import('../../platform/fleet-config.ts');
  const config = loadConfig();
  const baseUrl = options.baseUrl ?? realBaseUrl(loadFleet(config), config.fleetFile);
  if (!/^https?:\/\//u.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw new DeckhandError('usage', `${baseUrl} is not a URL`, { hint: 'Such as https://api.verda.com/v1.' });
  }
  const check = await checkCredentials(config.datacrunch, baseUrl);
  if (options.json === true) {
    console.log(JSON.stringify(check));
    return;
  }
  const { source, currency, balance, instances, callsLeft } = check;
  console.log(`${check.baseUrl} accepts the credentials from ${source}.`);
  console.log(`Balance: ${balance.toFixed(2)} ${currency.toUpperCase()}`);
  console.log(`Instances in the account: ${instances}`);
  if (callsLeft !== null) console.log(`API calls left this minute: ${callsLeft}`);
}

/** The API that the fleet file names. @throws DeckhandError `usage` when that is a simulator, which takes no credentials but its own */
function realBaseUrl(fleet: Fleet, fleetFile: string): string {
  if (fleet.simulator === null) return fleet.baseUrl;
  throw new DeckhandError('usage', `${fleetFile} names a simulated provider`, {
    userMessage: 'This fleet uses a simulated provider, which needs no credentials.',
    hint: 'Name the API to test them at, such as --base-url https://api.verda.com/v1.',
  });
}
