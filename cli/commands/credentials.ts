/**
 * `deckhand credentials`: keeps the client id and secret of a DataCrunch project, and checks those of every provider.
 */
import { Argument, type Command } from 'commander';
import { type Config, loadConfig } from '../../platform/config.ts';
import type { Fleet } from '../../clouds/fleet.ts';
import { providerUrl } from '../../clouds/providers.ts';
import { clean } from '../terminal/style.ts';
import { JSON_HELP, type JsonOption, printResult, printingCommand } from '../terminal/output.ts';

interface TestOptions extends JsonOption {
  readonly baseUrl?: string;
}

export function registerCredentials(program: Command): void {
  const credentials = program
    .command('credentials')
    .description(
      'store the credentials of a DataCrunch project, and check those of a provider; credentials alone rent nothing',
    );
  printingCommand(
    credentials,
    'set',
    'read client id and secret (two prompts, or two lines on stdin) and store them, readable by you only',
  ).action(set);
  credentials
    .command('test')
    .description(
      'ask the provider whether it takes the credentials: DataCrunch for the balance, AWS for the account, Google for the project, Azure for the subscription',
    )
    .addArgument(
      new Argument('[provider]', "which provider; left out = the fleet's own").choices([
        'datacrunch',
        'aws',
        'google',
        'azure',
      ]),
    )
    .option('--base-url <url>', 'another API than the one in the fleet file')
    .option('--json', JSON_HELP)
    .action(test);
}

async function set(options: JsonOption): Promise<void> {
  const { readSecrets } = await import('../terminal/prompt.ts');
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
  printResult(options, { file, replaced, overruledByEnvironment: overruled }, () =>
    [
      `${replaced ? 'Replaced' : 'Wrote'} ${file} (mode 600).`,
      ...(overruled ? ['DATACRUNCH_CLIENT_ID and DATACRUNCH_CLIENT_SECRET are set and override the file.'] : []),
      'Check them: deckhand credentials test',
    ].join('\n'),
  );
}

async function test(provider: string | undefined, options: TestOptions): Promise<void> {
  const { checkCredentials, fleetToCheck } = await import('../credentials/check.ts');
  const { loadFleet } = await import('../../clouds/fleet-file.ts');
  const config = loadConfig();
  const asked = provider ?? loadFleet(config).provider;
  const fleet = fleetToCheck(loadFleet(config), asked, options.baseUrl, config.fleetFile);
  if (asked === 'aws') return testAws(config, fleet, options);
  if (asked === 'google') return testGoogle(config, fleet, options);
  if (asked === 'azure') return testAzure(config, fleet, options);
  const check = await checkCredentials(config.datacrunch, options.baseUrl ?? providerUrl(fleet, 'datacrunch') ?? '');
  const { source, currency, balance, instances, callsLeft } = check;
  printResult(options, check, () =>
    [
      `${check.baseUrl} accepts the credentials from ${source}.`,
      `Balance: ${balance.toFixed(2)} ${currency.toUpperCase()}`,
      `Instances in the account: ${instances}`,
      ...(callsLeft === null ? [] : [`API calls left this minute: ${callsLeft}`]),
    ].join('\n'),
  );
}

async function testAws(config: Config, fleet: Fleet, options: JsonOption): Promise<void> {
  const { checkAws } = await import('../credentials/check-aws.ts');
  const check = await checkAws(config.aws, fleet);
  printResult(options, check, () =>
    [
      `AWS accepts the credentials from ${check.source}.`,
      `Account ${check.account}, ${check.arn}`,
      `Instances in ${check.regions.join(', ')}: ${check.instances}`,
    ].join('\n'),
  );
}

async function testGoogle(config: Config, fleet: Fleet, options: JsonOption): Promise<void> {
  const { checkGoogle } = await import('../credentials/check-google.ts');
  const check = await checkGoogle(config.google, fleet);
  printResult(options, check, () =>
    [
      `Google accepts the credentials from ${check.source}.`,
      `Project ${check.project}${check.account === null ? '' : `, ${check.account}`}`,
      `Zones in ${check.regions.join(', ')}: ${check.zones}`,
      `Instances in the project: ${check.instances}`,
    ].join('\n'),
  );
}

async function testAzure(config: Config, fleet: Fleet, options: JsonOption): Promise<void> {
  const { checkAzure } = await import('../credentials/check-azure.ts');
  const check = await checkAzure(config.azure, fleet);
  printResult(options, check, () =>
    [
      `Azure accepts the credentials from ${check.source}.`,
      `Subscription ${clean(check.subscription)} (${check.subscriptionId}), ${clean(check.state)}`,
      `Machines in the subscription: ${check.instances}`,
    ].join('\n'),
  );
}
