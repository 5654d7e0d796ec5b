import type { Attributes } from '@opentelemetry/api';
import type { Failure, Redactor } from '../outcome/index.ts';
import type { McpAnswer, McpOperation } from '../ports/index.ts';
import { conventions, other } from './conventions.ts';
import { faultless } from './error-type.ts';

/** How an operation failed: what it is counted under, and what is said about it. */
export interface McpFault {
  readonly type: string;
  readonly message: string;
  /** Whether it was answered with an error of JSON-RPC. */
  readonly isProtocolError: boolean;
}

const { 'mcp.method.name': method } = conventions.mcp.span.attributes;
const known: ReadonlySet<string> = new Set<string>([...method.values, ...method.newer]);
const longest = 256;
const longestUri = 2_048;
/** The error code for an unknown name or wrong arguments: with it, the name may be invented. */
const invalidParams = -32_602;

/** Returns the method in the form in which it may be a label. */
export function methodOf({ method: name }: McpOperation): string {
  return known.has(name) ? name : other;
}

/** The target of an operation, unless it is free text: the name of a tool, or `_OTHER` for a name that no tool has. */
export function targetOf({ method: name, tool, claimed }: McpOperation): string | undefined {
  return name === 'tools/call' && claimed === undefined ? (tool ?? other) : undefined;
}

/** The attributes that metric and span share and that are known from the start: few and bounded. */
export function mcpAttributes(operation: McpOperation): Attributes {
  const isHttp = operation.transport === 'http';
  const target = targetOf(operation);
  const attributes: Attributes = { 'mcp.method.name': methodOf(operation), 'network.transport': isHttp ? 'tcp' : 'pipe' };
  if (isHttp) attributes['network.protocol.name'] = 'http';
  if (operation.protocolVersion !== undefined) attributes['mcp.protocol.version'] = operation.protocolVersion;
  if (operation.method === 'tools/call') attributes['gen_ai.operation.name'] = 'execute_tool';
  if (target !== undefined) attributes['gen_ai.tool.name'] = target;
  return attributes;
}

/** The attributes of the span alone. */
export function mcpSpanAttributes({ requestId, sessionId, uri }: McpOperation, redactor: Redactor): Attributes {
  return {
    ...(requestId !== undefined && { 'jsonrpc.request.id': String(requestId).slice(0, longest) }),
    ...(sessionId !== undefined && { 'mcp.session.id': sessionId.slice(0, longest) }),
    ...(uri !== undefined && { 'mcp.resource.uri': redactor.text(uri.slice(0, longestUri)) }),
  };
}

/** Attributes from the answer: the agreed protocol revision, and whether a tool of the given name exists. */
export function mcpAnswerAttributes({ method: name, claimed }: McpOperation, { result, error }: McpAnswer): Attributes {
  const attributes: Attributes = {};
  const { protocolVersion } = (result ?? {}) as { readonly protocolVersion?: unknown };
  if (name === 'initialize' && typeof protocolVersion === 'string') attributes['mcp.protocol.version'] = protocolVersion;
  if (claimed !== undefined && (result !== undefined || error !== undefined)) {
    const isReal = error?.code !== invalidParams;
    attributes[name === 'prompts/get' ? 'gen_ai.prompt.name' : 'gen_ai.tool.name'] = isReal ? claimed.slice(0, longest) : other;
  }
  return attributes;
}

/** Returns how an operation failed; undefined if it did not. A call that was denied or stopped is no fault, even if its result says so. */
export function mcpFaultOf({ result, error }: McpAnswer, failure: Failure | undefined, redactor: Redactor): McpFault | undefined {
  if (error !== undefined) {
    return { type: String(error.code), message: redactor.text(String(error.message).slice(0, longest)), isProtocolError: true };
  }
  const { isError } = (result ?? {}) as { readonly isError?: unknown };
  if (isError !== true || (failure !== undefined && faultless.has(failure.kind))) return undefined;
  const message = failure?.message ?? 'The tool answered with an error.';
  return { type: conventions.mcp.toolError, message, isProtocolError: false };
}
