import { toModelText } from '../../outcome/index.ts';
import type { GuardedCall, NewCall, RunPlace, Wait } from '../../ports/index.ts';
import { systemClock } from '../../time/index.ts';
import { type ApprovalRequest, suspended, toApprovalQuestion, toPendingApproval } from '../approvals/approval-question.ts';
import type { CallRegistry } from '../call-registry.ts';
import { toStorableMs } from '../store/assert-options.ts';
import { toStored } from './answers.ts';
import type { NamedKey } from './call-key.ts';
import type { CallRecord } from './call-record.ts';
import { toEnded, toRunning } from './listed-call.ts';
import { sizeOfArguments, startJson, toStart } from './stored-start.ts';

/** Facts about a new call, besides the call itself. */
export interface DraftFacts {
  readonly grants?: readonly string[];
  readonly isPromised: boolean;
  readonly key?: NewCall['key'];
  readonly fields?: NamedKey['fields'];
  readonly instead?: RunPlace;
  readonly origin?: string;
  readonly rerunOf?: string;
  readonly rerunFrom?: string;
  readonly request?: ApprovalRequest;
  /** Whether a person has asked for it again. */
  readonly isRerun?: boolean;
}

/** How long a key and its outcome are remembered, for tools that state nothing else. */
const defaultKeyMs = 86_400_000;

/** Creates the stored form of a new call. */
export function toDraft(registry: CallRegistry, call: GuardedCall, id: string, facts: DraftFacts): NewCall {
  const { tool, tenantId: tenant } = call;
  const start = toStart(call, registry, facts);
  const listed = toRunning(id, start);
  const keepsArguments = facts.isPromised && (tool.steps || registry.isOnEngine) && sizeOfArguments(call) > 0;
  return {
    tenant,
    id,
    tool: tool.name,
    process: registry.life.name,
    isPromised: facts.isPromised,
    ...(facts.key !== undefined && { key: facts.key }),
    origin: facts.origin ?? id,
    ...(facts.grants !== undefined && { grants: facts.grants }),
    ...(facts.instead !== undefined && { instead: facts.instead }),
    ...(facts.request !== undefined && { wait: toWait(registry, call, id, facts.request, listed, facts.isRerun === true) }),
    listed,
    by: {
      begunAt: start.event.at,
      runId: listed.runId,
      sessionId: listed.sessionId,
      callerKey: listed.key,
    },
    start: startJson(start),
    ...(keepsArguments && { args: call.received as never }),
    // The key of a call that is forgotten counts no more.
    keepMs: Math.max(registry.keepMs, toStorableMs(facts.key?.countsMs ?? 0)),
  };
}

/** Says how a call waits for the person who is asked about it. */
export function toWait(
  registry: CallRegistry,
  call: GuardedCall,
  id: string,
  request: ApprovalRequest,
  listed: NewCall['listed'],
  isRerun: boolean,
): Wait {
  const { expiresMs } = request;
  const pending = toPendingApproval(id, request.question, systemClock.now() + expiresMs);
  const outcome = suspended(registry, call, pending, isRerun);
  return {
    wakeMs: expiresMs,
    questions: [toApprovalQuestion(call, id, request, toModelText(outcome))],
    outcome: toStored(outcome),
    listed: toEnded(listed, outcome, systemClock.now()),
    mostWaiting: registry.mostWaiting,
  };
}

/** Returns the key of a call, and for how long it counts. */
export function keyTextOf(call: GuardedCall, { text }: NamedKey): NewCall['key'] {
  return { text, countsMs: call.tool.idempotency?.ttlMs ?? defaultKeyMs };
}

/** Callers may choose the id of a call, and use it again. */
export function newIdFor(
  { life }: Pick<CallRegistry, 'life'>,
  { invocationId: id, tenantId: tenant }: GuardedCall,
  { isKept }: CallRecord,
): string {
  return !isKept && isFitId(id) && !life.isDisowned({ tenant, id }) ? id : crypto.randomUUID();
}

/** Callers may choose the id of a call; not each text is one under which it can be stored and shown. */
function isFitId(id: string): boolean {
  return /^[\w.:/-]{1,200}$/.test(id);
}
