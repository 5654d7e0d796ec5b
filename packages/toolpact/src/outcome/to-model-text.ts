import { pathText } from '../json/index.ts';
import { adviceFor } from './advice-for.ts';
import { expectOutcome } from './expect-argument.ts';
import type { Failure, Issue } from './failure.ts';
import { isInternalHost } from './is-internal-host.ts';
import type { OkOutcome, Outcome, PartialOutcome } from './outcome.ts';

/**
 * Writes what a model should read about an outcome. The text alone says that a call failed, what failed and what to do next, because
 * text is the only thing that every framework and provider passes on.
 */
export function toModelText(outcome: Outcome): string {
  expectOutcome('toModelText', outcome);
  switch (outcome.status) {
    case 'ok':
      return withMessage(outcome);
    case 'partial':
      return [
        `[partial] ${outcome.failures.length} of ${outcome.total} failed.`,
        withMessage(outcome),
        ...outcome.failures.map(({ index, id, error }) => `- item ${id ?? index}: ${error.kind}: ${happened(error)} (${adviceFor(error)})`),
      ].join('\n');
    case 'pending': {
      const { reason, ask, handle } = outcome.pending;
      return `[pending: ${reason}] ${outcome.message ?? ask?.message ?? pendingText[reason]} (handle: ${handle})`;
    }
    case 'error': {
      const { error, meta } = outcome;
      const { kind, code, issues = [] } = error;
      // The message about arguments that were refused before the run lists the issues itself.
      const listed = meta.attempts === 0 ? [] : issues.slice(0, 20).map(issueText);
      return [
        `[error: ${kind}${code === undefined ? '' : `/${code}`}] ${happened(error)}`,
        ...listed,
        `${nextMark}${adviceFor(error)}`,
      ].join('\n');
    }
  }
}

/** Begins the last line of a failed call's text: what to do next. */
export const nextMark = 'Next: ';

/** Says what happened, and to whom where the other side is known. A host inside a private network is left out: it helps no model. */
function happened({ message, upstream }: Failure): string {
  const { host, hostname = '' } = URL.parse(upstream?.endpoint ?? '') ?? {};
  const where = [
    ...(host === undefined || host === '' || isInternalHost(hostname) ? [] : [host]),
    ...(upstream?.status === undefined ? [] : [statusText(upstream.status)]),
  ];
  return where.length === 0 ? message : `${message} (${where.join(', ')})`;
}

/** Names a status by its protocol: those of gRPC are the small numbers. */
function statusText(status: number): string {
  return status < 100 ? `gRPC status ${status}` : `HTTP ${status}`;
}

function issueText({ path, message, hint }: Issue): string {
  return `- ${pathText(path, 'arguments')}: ${message}${hint === undefined ? '' : `. ${hint}`}`;
}

function withMessage(outcome: OkOutcome | PartialOutcome): string {
  const text = dataText(outcome);
  return outcome.message === undefined ? text : `${outcome.message}\n${text}`;
}

function dataText({ data, content, meta }: OkOutcome | PartialOutcome): string {
  const blocks = content?.flatMap((block) => ('text' in block && block.text !== undefined ? [block.text] : [])) ?? [];
  const text = blocks.length > 0 ? blocks.join('\n') : typeof data === 'string' ? data : JSON.stringify(data ?? null);
  return meta.truncated === true && meta.warnings !== undefined ? `${text}\n[cut: ${meta.warnings.join('; ')}]` : text;
}

const pendingText = {
  approval: 'Waiting for approval. Tell the user.',
  input: 'Waiting for input. Tell the user.',
  running: 'Still running. Do not call it again.',
  host: 'Waiting for the host. Do not call it again.',
} as const;
