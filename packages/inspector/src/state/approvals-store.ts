import { computed, signal } from '@preact/signals';
import type { Approval, Grant, GrantRequest, ListedCall } from '../api/api-shapes.ts';
import { type ApiError, askServer, readForCaller } from '../api/ask-server.ts';
import { onCalls } from './connection.ts';
import { followCaller } from './follow-caller.ts';

/** The most approvals that are read. */
const maxRead = 200;

/** The calls that wait for a person, oldest first; undefined until they were read. */
export const approvals = signal<readonly Approval[] | undefined>(undefined);
/** Why they could not be read. A credential may lack the right to decide. */
export const approvalsFailure = signal<ApiError | undefined>(undefined);
/** The standing grants that count, the oldest first. */
export const grants = signal<readonly Grant[]>([]);
/** Decisions made on this page, newest first. */
export const decided = signal<readonly { readonly approval: Approval; readonly decision: 'approve' | 'deny' }[]>([]);
/** The calls that wait for an answer in the middle of their tool, oldest first. */
export const questions = signal<readonly ListedCall[]>([]);
/** How many wait for a person. */
export const waitingCount = computed(() => (approvals.value ?? []).length + questions.value.length);

/** Checks whether a call that waited for a person waits no more: it was decided, or it expired. */
export function isDecided({ status, handle, waitsFor }: Pick<ListedCall, 'status' | 'handle' | 'waitsFor'>): boolean {
  const waiting = approvals.value;
  if (status !== 'pending' || waitsFor !== 'approval' || waiting === undefined || waiting.length >= maxRead) return false;
  return !waiting.some((approval) => approval.handle === handle);
}

/** Keeps the list of approvals: reads it when a call begins to wait, and now and then for those that others decided. */
export function watchApprovals(): void {
  const forget = (): void => {
    approvals.value = undefined;
    approvalsFailure.value = undefined;
    decided.value = [];
    questions.value = [];
    grants.value = [];
  };
  followCaller(forget, () => void readWaiting());
  onCalls((calls) => {
    if (calls.some(({ id, status }) => status === 'pending' || questions.value.some((asked) => asked.id === id) || isApprovalOf(id)))
      void readWaiting();
  });
  // Also in the background: the title of the tab says how many wait.
  setInterval(() => void readWaiting(), 15_000);
}

/** Changes and grants that accompany a decision. */
export interface DecisionExtras {
  readonly input?: unknown;
  readonly grant?: GrantRequest;
}

/** Allows or denies a call that waits, and reads the list again. */
export async function decide(handle: string, decision: 'approve' | 'deny', reason: string, extras: DecisionExtras = {}): Promise<void> {
  const body = { decision, ...(reason !== '' && { reason }), ...extras };
  const approval = approvals.value?.find((one) => one.handle === handle);
  try {
    await askServer(`v1/approvals/${encodeURIComponent(handle)}`, { method: 'POST', body });
    if (approval !== undefined) decided.value = [{ approval, decision }, ...decided.value].slice(0, 5);
  } finally {
    await readWaiting();
  }
}

/** Allows or denies several calls, those that are shown; says how many were refused and why. */
export async function decideAll(all: readonly Approval[], decision: 'approve' | 'deny', reason: string): Promise<string> {
  const body = { handles: all.map(({ handle }) => handle), decision, ...(reason !== '' && { reason }) };
  try {
    const answer = await askServer<{
      readonly decided: readonly { readonly handle: string; readonly ok: boolean; readonly message?: string }[];
    }>('v1/approvals', { method: 'POST', body });
    const isDone = (one: Approval): boolean => answer.decided.some(({ handle, ok }) => ok && handle === one.handle);
    decided.value = [...all.filter(isDone).map((approval) => ({ approval, decision })), ...decided.value].slice(0, 5);
    const refused = answer.decided.filter(({ ok }) => !ok);
    return refused.length === 0 ? '' : `${refused.length} of ${all.length} were not decided: ${refused[0]?.message}`;
  } finally {
    await readWaiting();
  }
}

/** Gives the approvals on the page that differ from one in the values of their arguments only, and it. */
export function alikeOf(one: Approval): readonly Approval[] {
  const looks = ({ tool, userId, sessionId, runId, input, roles, fourEyes, preview }: Approval): string =>
    JSON.stringify([tool, userId, sessionId, runId, Object.keys(Object(input)).sort(), roles, fourEyes, preview !== undefined]);
  return (approvals.value ?? []).filter((other) => looks(other) === looks(one)).slice(0, 100);
}

/** Ends a standing grant. */
export async function revokeGrant(id: string): Promise<void> {
  try {
    await askServer(`v1/grants/${encodeURIComponent(id)}`, { method: 'DELETE' });
  } finally {
    await readGrants();
  }
}

/** Reads again what waits for a person, and what runs without one. */
export async function readWaiting(): Promise<void> {
  await Promise.all([readApprovals(), readQuestions(), readGrants()]);
}

async function readGrants(): Promise<void> {
  const read = await readForCaller<{ readonly grants: readonly Grant[] }>(`v1/grants?limit=${maxRead}`);
  if (read?.value !== undefined) grants.value = read.value.grants;
  else if (read !== undefined && read.error.status !== 0) grants.value = [];
}

function isApprovalOf(id: string): boolean {
  return approvals.value?.some(({ invocationId, handle }) => invocationId === id || handle === id) === true;
}

async function readQuestions(): Promise<void> {
  const read = await readForCaller<{ readonly calls: readonly ListedCall[] }>(`v1/calls?status=pending&limit=${maxRead}`);
  if (read === undefined) return;
  if (read.value !== undefined) questions.value = read.value.calls.filter(({ waitsFor }) => waitsFor === 'input').toReversed();
  else if (read.error.status !== 0) questions.value = [];
}

async function readApprovals(): Promise<void> {
  const read = await readForCaller<{ readonly approvals: readonly Approval[] }>(`v1/approvals?limit=${maxRead}`);
  if (read === undefined) return;
  if (read.value !== undefined) approvals.value = read.value.approvals.filter(({ state }) => state === 'waiting');
  // Keep the last approvals on the page while the server is away.
  else if (read.error.status !== 0) approvals.value = undefined;
  approvalsFailure.value = read.error;
}
