import { type Check, type Finding, runChecks } from '../../../packages/testing/src/define-check.ts';
import { refuseOptions, ToolpactError } from '../../../packages/toolpact/src/outcome/index.ts';
import { serverBatchChecks } from './server-batch-checks.ts';
import { serverCallChecks } from './server-call-checks.ts';
import { serverRequestChecks } from './server-request-checks.ts';
import { serverSafetyChecks } from './server-safety-checks.ts';
import { type FetchHandler, type ServerSubject, toServerSubject } from './server-subject.ts';

/** How a server is judged. */
export interface CheckServerOptions {
  /** Sent with every request: a credential, for example. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The size above which the server refuses bodies. @default 1_048_576 */
  readonly maxBodyBytes?: number;
  /** How long the server may take to answer a request. @default 10_000 */
  readonly patienceMs?: number;
  /** Checks to leave out, by id: `server/host` for one behind a proxy that sees to it. */
  readonly skip?: readonly string[];
}

/** All checks of a server. */
export const serverChecks: readonly Check<ServerSubject>[] = [
  ...serverCallChecks,
  ...serverBatchChecks,
  ...serverRequestChecks,
  ...serverSafetyChecks,
];

/**
 * Judges a server that claims to speak the HTTP interface of Toolpact, by its address or its fetch handler: statuses, dialects, headers,
 * refusals, batches, and what it must not disclose. Outcomes are judged with the tools of `serverCaseTools`, which the server has to serve for that.
 */
export function checkServer(server: string | URL | FetchHandler, options: CheckServerOptions = {}): Promise<readonly Finding[]> {
  refuseOptions<CheckServerOptions>('checkServer', options, { headers: true, maxBodyBytes: true, patienceMs: true, skip: true });
  const { skip = [], ...rest } = options;
  const unknown = skip.find((id) => !serverChecks.some((check) => check.id === id));
  if (unknown !== undefined)
    throw new ToolpactError('invalid_option', `there is no check "${unknown}"; there are ${serverChecks.map(({ id }) => id).join(', ')}`);
  const checks = serverChecks.filter(({ id }) => !skip.includes(id));
  return runChecks(checks, toServerSubject(server, rest));
}
