import { askFor, askStore, assertStore, toStorableMs } from '../../calls/index.ts';
import { noTenant, type StandardSchemaV1 } from '../../contract/index.ts';
import {
  assertPositive,
  fail,
  type JsonObject,
  type JsonValue,
  type Outcome,
  refuseOptions,
  withMeta,
  withWarning,
} from '../../outcome/index.ts';
import type { Guard, GuardedCall, GuardedToolbox, Store } from '../../ports/index.ts';
import { callTool, defaultSettings, defineGuard, defineTool, planOf, type Tool } from '../../runtime/index.ts';
import { type PageRequest, type ResultPage, readPage } from './result-page.ts';

/** Where large results go. */
export interface SpillOptions {
  readonly store: Store;
  /** How long results are kept. @default 86_400_000 */
  readonly retentionMs?: number;
  /** Results above this many characters are not kept. @default 16_777_216 */
  readonly maxStoredChars?: number;
}

/** Methods that spilling adds to a toolbox. */
export interface SpillMethods {
  /** Reads a part of a result that was too large to send whole. */
  readonly readResult: (ref: string, page?: PageRequest) => Promise<Outcome<ResultPage>>;
  /** Names the tool that made a stored result, for those who have to know who may read it; undefined when there is none. Rejects when the store does not answer. */
  readonly toolOfResult: (ref: string) => Promise<string | undefined>;
}

/** Arguments of the tool made by {@link resultReader}. */
type ReadResultInput = {
  readonly ref: string;
  readonly path?: string;
  readonly offset?: number;
  readonly limit?: number;
};

const readerName = 'read_result';

/** A missing result is a mistake of the caller, so the operator hears nothing of it. */
const unreported = { ...defaultSettings, report: () => undefined };

/**
 * Keeps results that are too large to send: the model gets a preview with its structure kept and learns how to read the rest, which stays
 * in the store under `meta.resultRef`, for its own tenant only. Offer {@link resultReader} next to your tools so that models can do that
 * themselves. Without its store the result is only cut, as it is without this guard.
 */
export function spill(options: SpillOptions): Guard<SpillMethods> {
  refuseOptions<SpillOptions>('spill', options, { store: true, retentionMs: true, maxStoredChars: true });
  assertStore('spill', options);
  const { store, retentionMs = 86_400_000, maxStoredChars = 16_777_216 } = options;
  assertPositive('spill', { retentionMs, maxStoredChars });
  const reader = planOf(resultReader({ store }));

  async function keep(call: GuardedCall): Promise<{ readonly ref: string } | { readonly why: string }> {
    const text = JSON.stringify(call.fullResult);
    if (text.length > maxStoredChars) return { why: `it has ${text.length} characters` };
    const ref = `result_${crypto.randomUUID()}`;
    const value = { v: 1, tool: call.tool.name, data: call.fullResult as JsonValue };
    const record = { space: 'result', tenant: call.tenantId, key: ref, value, keepMs: toStorableMs(retentionMs) };
    const answer = await askFor(call, store)(() => store.put(record, 0));
    return answer.ok ? { ref } : { why: answer.why };
  }

  return defineGuard<SpillMethods>({
    name: 'spill',
    once: true,
    phase: 'result',
    wrapsExternalResults: true,
    async around(call, next) {
      // The reader gives parts of a stored result, which need not be stored again.
      if (call.tool.name === readerName) return next();
      call.keepFullResult();
      const outcome = await next();
      if (outcome.meta.truncated !== true || call.fullResult === undefined) return outcome;
      const kept = await keep(call);
      if ('why' in kept) return withWarning(outcome, `the whole result was not kept: ${kept.why}`);
      return withWarning(
        withMeta(outcome, { resultRef: kept.ref }),
        `the whole result is kept; read more with ${readerName} ${JSON.stringify({ ref: kept.ref, path: '', offset: 0 })}`,
      );
    },
    methods: ({ context }: GuardedToolbox) => ({
      readResult: (ref, page) =>
        callTool(reader, unreported, { ...page, ref }, { tenantId: context.tenantId ?? noTenant }) as Promise<Outcome<ResultPage>>,
      async toolOfResult(ref) {
        const answer = await askStore(() => store.get({ space: 'result', tenant: context.tenantId ?? noTenant, key: ref }));
        if (!answer.ok) throw new Error(`The stored result cannot be read now: ${answer.why}.`);
        const { v, tool } = (answer.value?.value ?? {}) as { readonly v?: unknown; readonly tool?: unknown };
        return v === 1 && typeof tool === 'string' ? tool : undefined;
      },
    }),
  });
}

/** Creates the tool with which models read the rest of a result that was too large to send. */
export function resultReader(options: { readonly store: Store }): Tool<typeof readerName, ReadResultInput, ResultPage, string, unknown> {
  refuseOptions<{ readonly store: Store }>('resultReader', options, { store: true });
  assertStore('resultReader', options);
  const { store } = options;
  return defineTool({
    name: readerName,
    description: 'Reads a part of a result that was too large to send whole. Pass the ref from the cut result and the path of the part.',
    input: readerInput,
    jsonSchema: { input: readerSchema },
    effects: 'none',
    async run({ ref, ...request }, ctx): Promise<ResultPage> {
      const answer = await askStore(() => store.get({ space: 'result', tenant: ctx.tenantId, key: ref }));
      if (!answer.ok) throw fail('not_ready', `The stored result ${ref} cannot be read now: ${answer.why}.`);
      const { v, data } = (answer.value?.value ?? {}) as { readonly v?: unknown; readonly data?: JsonValue };
      if (v !== 1 || data === undefined) throw fail('not_found', `There is no stored result ${ref}, or it has expired.`);
      const page = readPage(data, request);
      if (page === undefined) throw fail('not_found', `Nothing lies at the path "${request.path}" of this result.`);
      return page;
    },
  }) as unknown as Tool<typeof readerName, ReadResultInput, ResultPage, string, unknown>;
}

const readerSchema: JsonObject = {
  type: 'object',
  properties: {
    ref: { type: 'string', description: 'The resultRef of the cut result.' },
    path: { type: 'string', description: 'Keys and positions from the top, dotted, such as results.0.name; empty for the whole.' },
    offset: { type: 'integer', minimum: 0, description: 'Where to start: an item, a field or a character.' },
    limit: { type: 'integer', minimum: 1, description: 'How many items, fields or characters to read.' },
  },
  required: ['ref'],
};

/** Written by hand: guards depend on no schema library. */
const readerInput: StandardSchemaV1<ReadResultInput, ReadResultInput> = {
  '~standard': {
    version: 1,
    vendor: 'toolpact',
    validate(value) {
      const { ref, path, offset, limit } = (value ?? {}) as Partial<Record<keyof ReadResultInput, unknown>>;
      const isCount = (given: unknown, least: number): boolean =>
        given === undefined || (Number.isInteger(given) && Number(given) >= least);
      const wrong = (key: string, message: string) => ({ path: [key], message });
      const issues = [
        ...(typeof ref === 'string' && ref !== '' ? [] : [wrong('ref', 'must be the ref of a stored result')]),
        ...(path === undefined || typeof path === 'string' ? [] : [wrong('path', 'must be text')]),
        ...(isCount(offset, 0) ? [] : [wrong('offset', 'must be a whole number from 0')]),
        ...(isCount(limit, 1) ? [] : [wrong('limit', 'must be a whole number from 1')]),
      ];
      if (issues.length > 0) return { issues };
      const given = { ref, path, offset, limit };
      return { value: Object.fromEntries(Object.entries(given).filter(([, part]) => part !== undefined)) as unknown as ReadResultInput };
    },
  },
};
