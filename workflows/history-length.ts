/** When a workflow continues as new because of its history. */
import { workflowInfo } from '@temporalio/workflow';

/** True when the server suggests it, or when the history has this many events. */
export function historyIsLong(maxHistoryLength: number): boolean {
  const info = workflowInfo();
  return info.continueAsNewSuggested || info.historyLength >= maxHistoryLength;
}
