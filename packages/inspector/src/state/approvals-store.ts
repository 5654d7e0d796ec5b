import { computed, signal } from '@preact/signals';
import type { Approval, ListedCall } from '../api/api-shapes.ts';
import { type ApiError, askServer, readForCaller } from '../api/ask-server.ts';
import { onCalls } from './connection.ts';
import { followCaller } from './follow-caller.ts';

/** The most approvals that are read. */
const maxRead = 200;

/** The calls that wait for a person, oldest first; undefined until they were read. */
export const approvals = signal<readonly Approval[] | undefined>(undefined);
/** Why they could not be read. A credential may lack the right to decide. */
export const approvalsFailure = signal<ApiError | undefined>(undefined);
/** What was decided on this page, the newest first. */
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
  };
  followCaller(forget, () => void readWaiting());
  onCalls((calls) => {
    if (calls.some(({ id, status }) => status === 'pending' || questions.value.some((asked) => asked.id === id) || isApprovalOf(id)))
      void readWaiting();
  });
  // Also in the background: the title of the tab says how many wait.
  setInterval(() => void readWaiting(), 15_000);
}

/** Allows or denies a call that waits, and reads the list again. */
export async function decide(handle: string, decision: 'approve' | 'deny', reason: string): Promise<void> {
  const body = { decision, ...(reason !== '' && { reason }) };
  const approval = approvals.value?.find((one) => one.handle === handle);
  try {
    await askServer(`v1/approvals/${encodeURIComponent(handle)}`, { method: 'POST', body });
    if (approval !== undefined) decided.value = [{ approval, decision }, ...decided.value].slice(0, 5);
  } finally {
    await readWaiting();
  }
}

/** Reads again what waits for a person. */
export async function readWaiting(): Promise<void> {
  await Promise.all([readApprovals(), readQuestions()]);
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
  // What was read stays on the page while the server is away.
  else if (read.error.status !== 0) approvals.value = undefined;
  approvalsFailure.value = read.error;
}
