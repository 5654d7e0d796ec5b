import { isOk, type Outcome, toModelText } from '../outcome/index.ts';
import { contentFormat } from './content-format.ts';
import { fieldsOf, fitted, idOf, isBlank, textOf, toText } from './fields.ts';
import type { Fields, Format, Side } from './transcript.ts';

const sides: Readonly<Record<string, Side>> = { assistant: 'model', user: 'user', tool: 'user' };

/** Parts of a tool's answer that a user's message may hold as they are. */
const sayable: ReadonlySet<unknown> = new Set(['text', 'file']);

/** The AI SDK's model messages: results stand in `tool` messages directly behind the turn, next to the answers to approvals. */
export const aiSdkFormat: Format = contentFormat({
  key: 'content',
  idsOptional: false,
  opensWithUser: false,
  cutsAtUser: true,
  fitId: (id) => fitted(id, 64),
  fitName: (name) => name,
  joins: (before, after) =>
    before.side === 'user' &&
    after.side === 'user' &&
    (before.source === after.source || (before.turn !== undefined && before.turn === after.turn && before.turn.waits === true)),
  sideOf: ({ role }) => (typeof role === 'string' && Object.hasOwn(sides, role) && sides[role]) || 'other',
  readCall(part, siblings) {
    if (part.type !== 'tool-call' || part.providerExecuted === true) return undefined;
    const id = idOf(part.toolCallId);
    const approvalId = indexOf(siblings).approvalIds.get(id);
    return { id, name: textOf(part.toolName), args: part.input, ...(approvalId !== undefined && { approvalId }) };
  },
  readResult({ type, toolCallId, toolName, output, approvalId, approved, reason }, side, siblings) {
    if (type === 'tool-approval-response' && side === 'user') {
      const approval = { id: idOf(approvalId), approved: approved === true, reason: textOf(reason) };
      return { id: '', name: undefined, content: undefined, approval };
    }
    if (type !== 'tool-result') return undefined;
    // Tools that a provider runs itself are answered in the model's own turn.
    if (side === 'model' && indexOf(siblings).isOwn.get(idOf(toolCallId)) !== false) return undefined;
    return { id: idOf(toolCallId), name: textOf(toolName), content: output };
  },
  healContent({ content, part }) {
    if (typeof fieldsOf(content)?.type === 'string') return content;
    // Earlier versions of the SDK kept what the tool gave, as `result`.
    const value = content ?? part.result ?? null;
    return typeof value === 'string' ? { type: 'text', value } : { type: 'json', value };
  },
  withContent: ({ result: _, ...part }, output) => ({ ...part, output }),
  heldBy(part, siblings) {
    if (part.type === 'tool-call' && part.providerExecuted === true) return idOf(part.toolCallId);
    return isRequest(part) && indexOf(siblings).isOwn.get(idOf(part.toolCallId)) === true ? idOf(part.approvalId) : undefined;
  },
  isVoid: (part, siblings) => isRequest(part) && !indexOf(siblings).isOwn.has(idOf(part.toolCallId)),
  isSubstance: ({ type, text, providerOptions }) =>
    type !== 'reasoning' && (type !== 'text' || !isBlank(text) || providerOptions !== undefined),
  writeCall: (part, { id, name, args, healedArgs = args }) => ({ ...part, toolCallId: id, toolName: name, input: healedArgs }),
  writeRequest(part, calls) {
    const asked = isRequest(part) ? calls.find(({ approvalId }) => approvalId === idOf(part.approvalId)) : undefined;
    return asked && { ...part, toolCallId: asked.id };
  },
  writeResult: ({ part }, { id }) => ({ ...part, toolCallId: id }),
  toResult: ({ id, name }, outcome) => ({ type: 'tool-result', toolCallId: id, toolName: name ?? '', output: toOutput(outcome) }),
  toParts({ content }) {
    const { type, value, reason } = fieldsOf(content) ?? {};
    if (type === 'execution-denied') return [textOf(reason) ?? 'The call was denied.'];
    if (type !== 'content' || !Array.isArray(value)) return [toText(value ?? content ?? '')];
    return value.map((part) => (sayable.has((part as Fields | null)?.type) ? part : toText(part)));
  },
  toTextPart: (text) => ({ type: 'text', text }),
  frameOf: ({ result }) => ({ role: result === undefined ? 'user' : 'tool' }),
});

/** Returns the SDK's output for the model for an outcome. Denials have a form of their own, so that no model takes them for a fault. */
function toOutput(outcome: Outcome): Fields {
  if (outcome.status === 'error') {
    const text = toModelText(outcome);
    return outcome.error.kind === 'denied' ? { type: 'execution-denied', reason: text } : { type: 'error-text', value: text };
  }
  const isData = isOk(outcome) && outcome.content === undefined && outcome.meta?.truncated !== true && typeof outcome.data !== 'string';
  return isData ? { type: 'json', value: outcome.data ?? null } : { type: 'text', value: toModelText(outcome) };
}

function isRequest(part: unknown): part is Fields {
  return (part as Fields | null | undefined)?.type === 'tool-approval-request';
}

/** The calls mentioned in the parts of one message, by call id. */
interface CallIndex {
  /** Whether the provider ran the call itself. */
  readonly isOwn: ReadonlyMap<string, boolean>;
  readonly approvalIds: ReadonlyMap<string, string>;
}

const indexes = new WeakMap<readonly unknown[], CallIndex>();

function indexOf(parts: readonly unknown[]): CallIndex {
  const known = indexes.get(parts);
  if (known !== undefined) return known;
  const isOwn = new Map<string, boolean>();
  const approvalIds = new Map<string, string>();
  for (const part of parts) {
    const { type, toolCallId, approvalId, providerExecuted } = fieldsOf(part) ?? {};
    if (type === 'tool-call') isOwn.set(idOf(toolCallId), providerExecuted === true);
    if (type === 'tool-approval-request') approvalIds.set(idOf(toolCallId), idOf(approvalId));
  }
  indexes.set(parts, { isOwn, approvalIds });
  return { isOwn, approvalIds };
}
