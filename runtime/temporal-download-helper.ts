/** The process that lets the Temporal SDK download its development server into the directory given as argument, and ends. */
import { exitWithParent } from './supervisor/exit-with-parent.ts';

const directory = process.argv[2];
if (directory === undefined) throw new Error('usage: temporal-download-helper DIRECTORY');
exitWithParent();
try {
  // Only here and only now: the package is for tests and absent from a production installation.
  const { TestWorkflowEnvironment } = await import('@temporalio/testing');
  const environment = await TestWorkflowEnvironment.createLocal({
    server: { executable: { type: 'cached-download', downloadDir: directory } },
  });
  await environment.teardown();
  process.exit(0);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
