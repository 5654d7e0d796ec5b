import type { ToolCheck, ToolGroup } from './tool-check.ts';
import { toolFailureChecks } from './tool-failure-checks.ts';
import { toolInputChecks } from './tool-input-checks.ts';
import { toolListingChecks } from './tool-listing-checks.ts';
import { toolOutputChecks } from './tool-output-checks.ts';
import { toolPortableChecks } from './tool-portable-checks.ts';
import { toolRepeatChecks } from './tool-repeat-checks.ts';
import { toolSecretChecks } from './tool-secret-checks.ts';
import { toolTimeChecks } from './tool-time-checks.ts';

/** The checks of every tool, one per promise, in the order in which they run. */
export const toolChecks: readonly ToolCheck[] = [
  ...toolListingChecks,
  ...toolPortableChecks,
  ...toolInputChecks,
  ...toolOutputChecks,
  ...toolFailureChecks,
  ...toolSecretChecks,
  ...toolRepeatChecks,
  ...toolTimeChecks,
];

/** The groups of checks, in the order of the table. */
export const toolGroups: readonly ToolGroup[] = [...new Set(toolChecks.map(({ group }) => group))];
