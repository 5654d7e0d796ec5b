import type { CallContext } from '../../core/contract/index.ts';
import { classify, type Failure, makeFailure, type Outcome } from '../../core/outcome/index.ts';

const statuses = ['ok', 'partial', 'error', 'pending'];

/** Calls a tool through a server that runs. Like every call it always ends as an outcome. */
export async function callServer(
  base: URL,
  tool: string,
  args: string,
  context: CallContext,
  apiKey: string | undefined,
): Promise<Outcome> {
  const startedAt = performance.now();
  const failed = (error: Failure): Outcome => ({
    status: 'error',
    error,
    meta: { tool, tookMs: Math.max(0.001, performance.now() - startedAt), attempts: 1 },
  });
  try {
    const response = await fetch(new URL(`${base.pathname.replace(/\/$/, '')}/v1/tools/${encodeURIComponent(tool)}`, base), {
      method: 'POST',
      body: args,
      ...(context.signal && { signal: context.signal }),
      headers: {
        'content-type': 'application/json',
        ...(apiKey !== undefined && apiKey !== '' && { authorization: `Bearer ${apiKey}` }),
        ...(context.tenantId !== undefined && { 'x-tenant-id': context.tenantId }),
        ...(context.idempotencyKey !== undefined && { 'idempotency-key': context.idempotencyKey }),
      },
    });
    const text = await response.text();
    return (
      readOutcome(text) ??
      failed(makeFailure('bad_response', { message: `${base.origin} answered ${response.status}, but not like a tool server.` }))
    );
  } catch (error) {
    return failed(classify(error));
  }
}

function readOutcome(text: string): Outcome | undefined {
  try {
    const { status, meta } = JSON.parse(text) as Partial<Outcome>;
    return statuses.includes(String(status)) && typeof meta === 'object' ? (JSON.parse(text) as Outcome) : undefined;
  } catch {
    return undefined;
  }
}
