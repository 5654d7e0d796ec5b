import {
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  type RequestStateCodec,
} from '@modelcontextprotocol/server';
import type { Approval, JsonObject, Outcome, Pending, PendingOutcome } from 'toolpact';
import { isObject, isRecord } from 'toolpact/internal';
import type { McpCaller } from './caller.ts';
import type { McpSettings } from './settings.ts';

/** Asks the client whose call needs an approval, in the way of its era. */
export interface McpApproval {
  /** Decides with the answer that a request brings along, if it brings one. */
  readonly takeAnswer: (caller: McpCaller, host: unknown) => Promise<void>;
  /** Asks a client that can be asked while its call waits. True if something was decided. */
  readonly askNow: (outcome: Outcome, caller: McpCaller, host: unknown, capabilities: (() => unknown) | undefined) => Promise<boolean>;
  /** Asks a client for an input while its call waits; undefined where it cannot be asked, or does not answer. */
  readonly elicit: (question: AskedInput, host: unknown, capabilities: (() => unknown) | undefined) => Promise<unknown>;
  /** Returns the question about a call that waits for an approval, with its arguments as a form; undefined where it cannot be read. */
  readonly questionOf: (pending: Pick<Pending, 'handle'>, caller: McpCaller) => Promise<AskedApproval | undefined>;
  /** Returns the question as an answer, for a client that comes back with the user's; undefined when it cannot be asked so. */
  readonly toQuestion: (outcome: Outcome, caller: McpCaller, host: unknown) => Promise<object | undefined>;
  /** Decides about a call that waits with the answer of a caller's client, if it is one and this caller may decide. True if something was decided. */
  readonly settle: (caller: McpCaller, handle: string, answer: unknown) => Promise<boolean>;
  /** Checks whether a request's state was made here. */
  readonly isOwnState: (state: string) => boolean;
}

/** A question to a client: a message, and a form. */
interface AskedInput {
  readonly message: string;
  readonly schema: JsonObject;
}

interface Host {
  readonly mcpReq?: {
    readonly signal?: AbortSignal;
    readonly envelope?: Readonly<Record<string, unknown>>;
    readonly inputResponses?: Readonly<Record<string, unknown>>;
    readonly requestState?: () => unknown;
    readonly send?: (request: object, options: object) => Promise<unknown>;
  };
}

/** The name of the question about an approval, among those that a client is asked. */
export const approvalEntry = 'approval';
const prefix = 'toolpact.';
/** People take their time; the longest that a call is held for an answer, and that a question stays open. */
const patienceMs = 3_600_000;

/** A question about an approval: what is shown, and the form in which the user answers, who may change arguments. */
export interface AskedApproval {
  readonly message: string;
  readonly schema: ReturnType<typeof schemaOf>;
}

/** How long a text may be that is edited in a client. */
const longestEdited = 1_000;

/** A field of a form: the question itself, or an argument with its value. */
interface FormField {
  readonly type: 'string' | 'number' | 'boolean';
  readonly title: string;
  readonly description: string;
  readonly default?: string | number | boolean;
}

/** Creates the form of an approval. Clients can show texts, numbers and truth values; of other arguments the user reads. */
function schemaOf({ input, redactions = 0, cuts = 0 }: Pick<Approval, 'input' | 'redactions' | 'cuts'>) {
  const properties: Record<string, FormField> = {
    approve: { type: 'boolean', title: 'Approve', description: 'Whether the tool may run.' },
  };
  if (redactions + cuts === 0 && isRecord(input)) {
    for (const [name, value] of Object.entries(input)) {
      const type = typeof value;
      const isShown = type === 'number' || type === 'boolean' || (typeof value === 'string' && value.length <= longestEdited);
      if (!isShown || name === 'approve' || name === '__proto__') continue;
      const description = 'An argument of the call. Change it, or leave it as it is.';
      properties[name] = { type: type as FormField['type'], title: name, description, default: value as string };
    }
  }
  return { type: 'object' as const, properties, required: ['approve'] };
}

/** Returns the arguments as the user left them in the form; undefined where nothing was changed. */
function editOf(approval: Pick<Approval, 'input' | 'redactions' | 'cuts'>, answer: unknown): JsonObject | undefined {
  const view = inputResponse({ [approvalEntry]: answer as never }, approvalEntry);
  const content: Readonly<Record<string, unknown>> = view.kind === 'elicit' && view.action === 'accept' ? (view.content ?? {}) : {};
  const before = isRecord(approval.input) ? approval.input : {};
  const fields = Object.keys(schemaOf(approval).properties).filter((name) => name !== 'approve');
  const changed = fields.filter((name) => Object.hasOwn(content, name) && content[name] !== before[name]);
  if (changed.length === 0) return undefined;
  return { ...before, ...Object.fromEntries(changed.map((name) => [name, content[name]])) } as JsonObject;
}

/** Who decides in a client that does not say whose it is. */
export const mcpUser = 'the user of the MCP client';

/** Creates the approval by MCP clients. Their answers are signed and bound to the caller that was asked. */
export function createMcpApproval({ approvals = 'deciders', stateKey }: Pick<McpSettings, 'approvals' | 'stateKey'>): McpApproval {
  let stateCodec: RequestStateCodec<string> | undefined;
  // Made on first use: edge workers forbid randomness while a module loads.
  const codec = (): RequestStateCodec<string> => {
    stateCodec ??= createRequestStateCodec<string>({
      key: stateKey ?? crypto.getRandomValues(new Uint8Array(32)),
      ttlSeconds: patienceMs / 1000,
      bind: (caller) => (caller as unknown as McpCaller).key,
    });
    return stateCodec;
  };
  const mayAsk = ({ remembered, mayDecide }: McpCaller): boolean =>
    remembered !== undefined && approvals !== 'never' && (approvals === 'callers' || mayDecide);

  async function settle({ remembered, by = mcpUser, roles = [] }: McpCaller, handle: string, answer: unknown): Promise<boolean> {
    const verdict = verdictOf(answer);
    if (verdict === undefined) return false;
    // A store that is gone leaves the call as it is: waiting.
    const approval = verdict === 'approve' ? await remembered?.approvals.get(handle).catch(() => undefined) : undefined;
    const input = approval && editOf(approval, answer);
    const facts = { by, roles, ...(input !== undefined && { input }) };
    const decided = await remembered?.approvals.decide(handle, verdict, facts).catch(() => undefined);
    return decided?.ok === true;
  }

  return {
    async takeAnswer(caller, host) {
      const { inputResponses, requestState } = (host as Host | undefined)?.mcpReq ?? {};
      const state = requestState?.();
      if (typeof state !== 'string' || !state.startsWith(prefix) || !mayAsk(caller)) return;
      // State that was not made here for this caller counts for nothing: the question is asked again.
      const handle = await codec()
        .verify(state.slice(prefix.length), caller as never)
        .catch(() => undefined);
      if (handle !== undefined) await settle(caller, handle, inputResponses?.[approvalEntry]);
    },
    async askNow(outcome, caller, host, capabilities) {
      if (!isApproval(outcome) || !mayAsk(caller)) return false;
      const question = await questionOf(outcome.pending, caller);
      if (question === undefined) return false;
      const { message, schema } = question;
      const answer = await elicit({ message, schema: schema as unknown as JsonObject }, host, capabilities);
      return settle(caller, outcome.pending.handle, answer);
    },
    elicit,
    questionOf,
    async toQuestion(outcome, caller, host) {
      const envelope = (host as Host | undefined)?.mcpReq?.envelope;
      if (!isApproval(outcome) || !canElicit(envelope?.[CLIENT_CAPABILITIES_META_KEY]) || !mayAsk(caller)) return undefined;
      const elicitation = await questionOf(outcome.pending, caller);
      if (elicitation === undefined) return undefined;
      const state = await codec().mint(outcome.pending.handle, caller as never);
      const question = inputRequired.elicit({ message: elicitation.message, requestedSchema: elicitation.schema as never });
      return inputRequired({ inputRequests: { [approvalEntry]: question }, requestState: `${prefix}${state}` });
    },
    settle: async (caller, handle, answer) => mayAsk(caller) && settle(caller, handle, answer),
    isOwnState: (state) => state.startsWith(prefix),
  };
}

async function elicit({ message, schema }: AskedInput, host: unknown, capabilities: (() => unknown) | undefined): Promise<unknown> {
  const { send, signal, envelope } = (host as Host | undefined)?.mcpReq ?? {};
  if (send === undefined || envelope !== undefined || !canElicit(capabilities?.())) return undefined;
  const request = { method: 'elicitation/create', params: { message, requestedSchema: schema } };
  return send(request, { timeout: patienceMs, ...(signal && { signal }) }).catch(() => undefined);
}

function isApproval(outcome: Outcome): outcome is PendingOutcome {
  return outcome.status === 'pending' && outcome.pending.reason === 'approval';
}

/** Before there were two modes of elicitation, an empty capability meant the form. */
function canElicit(capabilities: unknown): boolean {
  const { elicitation } = (capabilities ?? {}) as { elicitation?: JsonObject };
  return isObject(elicitation) && ('form' in elicitation || !('url' in elicitation));
}

/** Only a plain yes is one; a client that answers nothing, or gives up, leaves the call waiting. */
function verdictOf(answer: unknown): 'approve' | 'deny' | undefined {
  const view = inputResponse({ [approvalEntry]: answer as never }, approvalEntry);
  if (view.kind !== 'elicit' || view.action === 'cancel') return undefined;
  if (view.action === 'decline') return 'deny';
  const approve = view.content?.approve;
  return approve === true ? 'approve' : approve === false ? 'deny' : undefined;
}

/**
 * Words the question about an approval as every approver reads it, with the arguments as the guard shows them: secrets hidden, and nothing left out
 * without a mark. Undefined where it cannot be read: nobody should decide about a call without seeing it.
 */
async function questionOf(
  { handle }: Pick<Pending, 'handle'>,
  { remembered, by, roles: own = [] }: McpCaller,
): Promise<AskedApproval | undefined> {
  const approval = await remembered?.approvals.get(handle).catch(() => undefined);
  const { roles, fourEyes = false, userId } = approval ?? {};
  // Who may not decide is not asked: the question stays open for those who may.
  if (roles !== undefined && !roles.some((role) => own.includes(role))) return undefined;
  if (fourEyes && (by === undefined || by === userId)) return undefined;
  if (approval === undefined) return undefined;
  const { question, tool, input, preview } = approval;
  const would = preview === undefined ? '' : `\n\nWhat it would do: ${JSON.stringify(preview)}`;
  return { message: `${question}\n\n${tool}: ${JSON.stringify(input)}${would}`, schema: schemaOf(approval) };
}
