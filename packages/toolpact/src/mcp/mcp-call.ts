import type { CallContext } from '../contract/index.ts';
import { type McpResult, mcp } from '../dialects/index.ts';
import type { JsonValue, Outcome } from '../outcome/index.ts';
import { contextFromMeta } from './context-from-meta.ts';
import type { ListedMcpTools } from './list-mcp-tools.ts';
import { asRecord, type McpEra, type McpRequest } from './mcp-request.ts';
import { reportProgress } from './report-progress.ts';
import { toCutForm } from './to-output-schema.ts';

/** A call as `tools/call` brings it. */
export interface McpCall {
  readonly name: string;
  readonly args: unknown;
  readonly context: CallContext;
  /** Ends the reports of progress. */
  readonly stop: () => void;
}

/** Reads the parameters of `tools/call`. A client that asked for progress is kept informed until `stop` is called. */
export function readMcpCall(params: unknown, request: McpRequest, heartbeatMs = 10_000): McpCall {
  const { name, arguments: args } = asRecord(params);
  const reporter = reportProgress(request, heartbeatMs);
  const context: CallContext = {
    ...contextFromMeta(request.meta),
    ...(request.signal !== undefined && { signal: request.signal }),
    ...(reporter !== undefined && { onProgress: reporter.onProgress }),
  };
  return { name: name as string, args, context, stop: () => reporter?.stop() };
}

/** Writes the outcome of a call as the result of `tools/call`. */
export function encodeMcpResult(outcome: Outcome, tools: ListedMcpTools, era: McpEra, strict = false): McpResult {
  const { outputSchema } = tools[era].get(outcome.meta.tool ?? '') ?? {};
  return mcp.encode(outputSchema === undefined ? outcome : withCut(outcome), {
    strict,
    structured: era === 'stateless' ? 'any' : 'object',
  });
}

/** Marks the data of a cut result as such, for it may break the output schema that the client checks it against. */
function withCut(outcome: Outcome): Outcome {
  if (outcome.meta.truncated !== true || !('data' in outcome) || outcome.status === 'error') return outcome;
  return { ...outcome, data: toCutForm(outcome.data as JsonValue) };
}
