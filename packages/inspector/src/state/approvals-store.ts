import { computed, signal } from '@preact/signals';
import type { Approval, Grant, GrantRequest, ListedCall } from '../api/api-shapes.ts';
import { type ApiError, askServer, isAway, readForCaller } from '../api/ask-server.ts';
import { onCalls } from './connection.ts';
import { followCaller } from './follow-caller.ts';
import { oneAtATime } from './one-at-a-time.ts';

/** The most approvals and grants that are read, and the most calls in which questions are looked for. */
const maxRead = 200;
const maxPending = 1000;
/** How long news of waiting calls are gathered before they are read. */
const readEveryMs = 300;

/** The calls that wait for a person, oldest first; undefined until they were read. */
export const approvals = signal<readonly Approval[] | undefined>(undefined);
/** Whether more wait than were read. */
export const hasMoreApprovals = signal(false);
/** Why they could not be read. A credential may lack the right to decide. */
export const approvalsFailure = signal<ApiError | undefined>(undefined);
/** The standing grants that count, the oldest first. */
export const grants = signal<readonly Grant[]>([]);
/** Decisions made on this page, newest first. */
export const decided = signal<readonly { readonly approval: Approval; readonly decision: 'approve' | 'deny' }[]>([]);
/** The calls that wait for an answer in the middle of their tool, oldest first. */
export const questions = signal<readonly ListedCall[]>([]);
/** How many wait for a person, as far as they were read. */
export const waitingCount = computed(() => (approvals.value ?? []).length + questions.value.length);
/** That number as it is shown. */
export const waitingText = computed(() => `${waitingCount.value}${hasMoreApprovals.value ? '+' : ''}`);

/** Checks whether a call that waited for a person waits no more: it was decided, or it expired. */
export function isDecided({ status, handle, waitsFor }: Pick<ListedCall, 'status' | 'handle' | 'waitsFor'>): boolean {
  const waiting = approvals.value;
  if (status !== 'pending' || waitsFor !== 'approval' || waiting === undefined || hasMoreApprovals.value) return false;
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
  let timer: ReturnType<typeof setTimeout> | undefined;
  onCalls((calls) => {
    if (timer !== undefined || !calls.some(({ id, status }) => status === 'pending' || waitingIds.value.has(id))) return;
    timer = setTimeout(() => {
      timer = undefined;
      void readWaiting();
    }, readEveryMs);
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

/** Returns the approvals on the page that differ from one in the values of their arguments only, and it. */
export function alikeOf(one: Approval): readonly Approval[] {
  return (groups.value.get(looksOf(one)) ?? []).slice(0, 100);
}

const groups = computed(() => Map.groupBy(approvals.value ?? [], looksOf));

function looksOf({ tool, userId, sessionId, runId, input, roles, fourEyes, preview }: Approval): string {
  return JSON.stringify([tool, userId, sessionId, runId, Object.keys(Object(input)).sort(), roles, fourEyes, preview !== undefined]);
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
export const readWaiting = oneAtATime(async () => {
  await Promise.all([readApprovals(), readQuestions(), readGrants()]);
});

async function readGrants(): Promise<void> {
  const read = await readForCaller<{ readonly grants: readonly Grant[] }>(`v1/grants?limit=${maxRead}`);
  if (read?.value !== undefined) grants.value = read.value.grants;
  else if (read !== undefined && !isAway(read.error)) grants.value = [];
}

/** The ids of all calls that wait for a person. */
const waitingIds = computed(
  () =>
    new Set([
      ...(approvals.value ?? []).flatMap(({ invocationId, handle }) => [invocationId, handle]),
      ...questions.value.map(({ id }) => id),
    ]),
);

async function readQuestions(): Promise<void> {
  const read = await readForCaller<{ readonly calls: readonly ListedCall[] }>(`v1/calls?status=pending&limit=${maxPending}`);
  if (read === undefined) return;
  if (read.value !== undefined) questions.value = read.value.calls.filter(({ waitsFor }) => waitsFor === 'input').toReversed();
  else if (!isAway(read.error)) questions.value = [];
}

async function readApprovals(): Promise<void> {
  const read = await readForCaller<{ readonly approvals: readonly Approval[]; readonly next?: string }>(`v1/approvals?limit=${maxRead}`);
  if (read === undefined) return;
  if (read.value !== undefined) {
    approvals.value = read.value.approvals.filter(({ state }) => state === 'waiting');
    hasMoreApprovals.value = read.value.next !== undefined;
  }
  // Keep the last approvals on the page while the server or its store is away.
  else if (!isAway(read.error)) approvals.value = undefined;
  approvalsFailure.value = read.error;
}
