import type { Failure, Issue } from './failure.ts';
import { nextStep } from './next-step.ts';
import type { OkOutcome, Outcome, PartialOutcome } from './outcome.ts';

/**
 * Writes what a model should read about an outcome. The text alone tells that a call failed, what failed and what to do next, because
 * text is the only thing every framework and provider passes on.
 */
export function toModelText(outcome: Outcome): string {
  switch (outcome.status) {
    case 'ok':
      return dataText(outcome);
    case 'partial':
      return `[partial] ${outcome.failures.length} of ${outcome.total} failed.\n${dataText(outcome)}\n${outcome.failures
        .map(({ index, id, error }) => `- item ${id ?? index}: ${error.kind}: ${error.message}`)
        .join('\n')}`;
    case 'pending':
      return `[pending] ${outcome.message ?? outcome.pending.ask?.message ?? pendingText[outcome.pending.reason]} (handle: ${outcome.pending.handle})`;
    case 'error':
      return failureText(outcome.error);
  }
}

function failureText(failure: Failure): string {
  const { kind, code, message, issues = [] } = failure;
  const next = nextStep(failure);
  const lines = [
    `[error: ${kind}${code === undefined ? '' : `/${code}`}] ${message}${message.includes(next) ? '' : `${/[.!?…]$/.test(message) ? '' : '.'} ${next}`}`,
  ];
  for (const issue of issues.slice(0, 20)) {
    if (!message.includes(issue.message)) lines.push(issueText(issue));
  }
  return lines.join('\n');
}

function issueText({ path, message, hint }: Issue): string {
  return `- ${path.join('.') || 'arguments'}: ${message}${hint === undefined ? '' : `. ${hint}`}`;
}

function dataText({ data, content, meta }: OkOutcome | PartialOutcome): string {
  const blocks = content?.flatMap((block) => ('text' in block && block.text !== undefined ? [block.text] : [])) ?? [];
  const text = blocks.length > 0 ? blocks.join('\n') : typeof data === 'string' ? data : JSON.stringify(data ?? null);
  return meta.truncated === true && meta.warnings !== undefined ? `${text}\n[cut: ${meta.warnings.join('; ')}]` : text;
}

const pendingText = {
  approval: 'Waiting for approval.',
  input: 'Waiting for input.',
  running: 'Still running.',
  host: 'Waiting for the host.',
} as const;
