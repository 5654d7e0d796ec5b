import type { Approval, Grant } from 'toolpact';
import { type Paint, plainLine, shortLine } from './terminal.ts';

/** Writes what a person has to know of a call that waits for an approval. */
export function approvalText(approval: Approval, paint: Paint, now = Date.now()): string {
  const { handle, tool, question, input, preview, requestedAt } = approval;
  const lines = [
    `${plainLine(handle)}  ${paint('strong', plainLine(tool))}  ${spanText(now - requestedAt)} ago`,
    `  ${shortLine(question, 200)}`,
    `  ${shortLine(JSON.stringify(input), 400)}`,
    ...(preview === undefined ? [] : [`  preview: ${shortLine(JSON.stringify(preview), 400)}`]),
    ...rulesOf(approval, now).map((rule) => `  ${paint('dim', rule)}`),
  ];
  return lines.join('\n');
}

/** Says who may decide, until when, and what happens without an answer. */
function rulesOf({ roles, fourEyes, userId, expiresAt, onExpiry, grants }: Approval, now: number): readonly string[] {
  const caller = userId === undefined ? 'the user whose agent asks' : plainLine(userId);
  const left = Number.isSafeInteger(expiresAt - now) ? `${spanText(expiresAt - now)} left` : '';
  const parts = [
    roles === undefined ? '' : `only ${roles.map(plainLine).join(' or ')} may decide`,
    fourEyes === true ? `${caller} may not approve` : '',
    grants === false ? 'no standing grants' : '',
    onExpiry === 'deny' ? [left, 'then denied'].filter(Boolean).join(', ') : left,
  ].filter(Boolean);
  return parts.length === 0 ? [] : [parts.join(' · ')];
}

/** Says in words how a standing grant stands. */
export const stateText: Readonly<Record<Grant['state'], string>> = {
  active: 'counts',
  revoked: 'revoked',
  expired: 'expired',
  used_up: 'used up',
};

/** Writes what a person has to know of a standing grant. */
export function grantText(grant: Grant, paint: Paint, now = Date.now()): string {
  const { id, words, state, uses, mostUses, by, expiresAt } = grant;
  const used = `used ${uses}${mostUses === undefined ? '' : ` of ${mostUses}`} times`;
  const parts = [
    by === undefined ? '' : `given by ${plainLine(by)}`,
    used,
    state === 'active' ? `${spanText(expiresAt - now)} left` : stateText[state],
  ];
  return `${plainLine(id)}\n  ${plainLine(words)}\n  ${paint('dim', parts.filter(Boolean).join(' · '))}`;
}

/** Writes a span of time in its largest unit. */
function spanText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} d`;
}
