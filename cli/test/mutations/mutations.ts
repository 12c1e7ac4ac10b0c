/**
 * Small faults over all rooms, each of which a deep test finds. They were written from the sources and the assertions of the tests, without the map
 * of deep tests, which they judge.
 */

/** A fault: a piece of a file in place of another, which stands in it once. */
export interface Mutation {
  /** Relative to the checkout. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /** Why a deep test fails with it. */
  readonly why: string;
}

export const MUTATIONS: readonly Mutation[] = [
  {
    file: 'activities/fleet/reaper/survey.ts',
    find: '  if (!dryRun) await rememberSightings(',
    replace: '  await rememberSightings(',
    why: 'A dry run now writes a ReapCandidate, and the test expects no row after its first dry run.',
  },
  {
    file: 'activities/convert/render/hazards.ts',
    find: "typeof info().EncryptFilterName === 'string'",
    replace: 'info().EncryptFilterName !== undefined',
    why: 'pdfjs gives EncryptFilterName null for an unencrypted file, so every deck has owner_password and the exact list of three hazards differs.',
  },
  {
    file: 'api/compat/result.ts',
    find: 'provenance: slides.map((slide) => slide.feedbackProvenance),',
    replace: 'provenance: slides.map((slide) => slide.descriptionProvenance),',
    why: 'The answer of slide-feedback must be provenanced by task slide_feedback; it has none, or that of describe_slide.',
  },
  {
    file: 'api/decks/replays/bulk.ts',
    find: "isFinished(replay.status) ? 'replayed' : 'running'",
    replace: "isFinished(replay.status) ? 'running' : 'replayed'",
    why: 'After both replays ended the outcomes must be replayed, replayed; they are running, running.',
  },
  {
    file: 'domain/temporal/saved-queries.ts',
    find: "`WorkflowType = 'instanceLife' AND Pool = ${quoted(pool)}`",
    replace: '`Pool = ${quoted(pool)}`',
    why: 'of-pool must find exactly the instance; it also finds the workflow of the pool, which has the same attribute.',
  },
  {
    file: 'domain/costs/budget/words.ts',
    find: "'yyyy-MM-dd HH:mm'",
    replace: "'yyyy-MM-dd hh:mm'",
    why: 'Buying resumes at midnight, which the 12-hour format writes as 12:00; the test matches 00:00 Europe/Berlin.',
  },
  {
    file: 'workflows/decks/run-control.ts',
    find: 'waiting.filter((open) => wanted.paused || open.priority !== wanted.priority)',
    replace: 'waiting.filter(() => wanted.paused)',
    why: 'No waiting activity is taken back on a new priority, so no scheduled call has a cancel request and takenBack.length is 0.',
  },
  {
    file: 'workflows/deletion/workflow.ts',
    find: 'histories: a.histories + b.histories,',
    replace: 'histories: b.histories,',
    why: 'The last step removes no history, so the sum is 0 where the test expects histories: 3.',
  },
  {
    file: 'clouds/google/mapping.ts',
    find: "TERMINATED: 'stopped',",
    replace: "TERMINATED: 'deleting',",
    why: 'The recorded instance is TERMINATED and must be stopped.',
  },
  {
    file: 'clouds/datacrunch/endpoint-scaler.ts',
    find: 'containers.delete(name, 0).catch(goneIsDone)',
    replace: 'containers.delete(name).catch(goneIsDone)',
    why: 'The call goes out with timeout=60000; the test counts one call with ?timeout=0.',
  },
  {
    file: 'platform/temporal/failure-converter.ts',
    find: 'encodeCommonAttributes: true',
    replace: 'encodeCommonAttributes: false',
    why: "Messages and stacks of failures stay in clear: the histories hold no 'Encoded failure'.",
  },
  {
    file: 'runtime/supervisor/managed-child.ts',
    find: 'finish(signal === null ? `exit code ${code}` : signal)',
    replace: 'finish(`exit code ${code ?? signal}`)',
    why: "The notice says 'echo exit code SIGKILL 1' instead of 'echo SIGKILL 1'.",
  },
  {
    file: 'workers/gateway/tunnel/ssh-machine.ts',
    find: 'const pinned = expected ?? (await this.#pin(connection));',
    replace:
      'if (expected === null) await this.#pin(connection);\n    const pinned = expected ?? connection.hostKeySha256;',
    why: 'What the pin answers is ignored, so the machine opens where the test expects host_key_changed.',
  },
  {
    file: 'drop-folder/job-work.ts',
    find: 'return this.#refuse(name, { file, read, failure, analysisId });',
    replace: 'return this.#refuse(name, { file, read, failure, analysisId: null });',
    why: 'The error file of a failed analysis has analysis_id null; the test expects one.',
  },
  {
    file: 'reader/describe-slide.ts',
    find: 'unit.text !== title && unit.words >= 5',
    replace: 'unit.text !== title && unit.words < 5',
    why: "The summary names a short line instead of the first sentence, so it does not contain 'readmitted'.",
  },
  {
    file: 'simulators/clouds/azure/arm/network.ts',
    find: 'can not be deleted since it is still allocated to resource ${user.id}.`,',
    replace: 'can not be deleted since it is still allocated to resource ${user.id}.`,\n      409,',
    why: 'ip_in_use must be [PublicIPAddressCannotBeDeleted, 400]; the status is 409.',
  },
  {
    file: 'web/decks/actions/export.tsx',
    find: '{ ...of, format, language }',
    replace: '{ sort: of.sort, format, language }',
    why: 'The filter q=lumbalis is lost, so the CSV contains CardioSense.',
  },
  {
    file: 'web/review/selection/use-claim-keys.ts',
    find: '    focusPlace(next.key);\n',
    replace: '',
    why: 'Nothing has the focus after j, j; the test expects the label of the second row.',
  },
  {
    file: 'cli/commands/analyze.ts',
    find: '        failures.push(asDeckhandError(outcome.reason));',
    replace: '        if (files.length === 1) failures.push(asDeckhandError(outcome.reason));',
    why: 'The refused upload does not count among several files: exit code 0 instead of 2.',
  },
  {
    file: 'contracts/decks.ts',
    find: "return slide === null ? typeof questionId === 'string' : Number.isInteger(slide) && questionId === null;",
    replace: 'return slide !== null && Number.isInteger(slide) && questionId === null;',
    why: 'The signal to retry a question is not followed: the review ends with a gap, not as completed with 34 of 34.',
  },
];
