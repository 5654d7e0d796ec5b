import type { McpOperation, McpSpan, McpTelemetry } from '../ports/index.ts';

/** Begins a record that breaks nothing: what it throws is not heard of, and what runs within it runs once. */
export function startRecord(telemetry: McpTelemetry, request: () => McpOperation): McpSpan | undefined {
  const record = quietly(() => telemetry.startMcp(request()));
  if (record === undefined) return undefined;
  return {
    within(run) {
      let ran: (() => ReturnType<typeof run>) | undefined;
      const once = (): ReturnType<typeof run> => {
        ran ??= settled(run);
        return ran();
      };
      quietly(() => record.within(once));
      return once();
    },
    end: (answer) => quietly(() => record.end(answer)),
    cancel: () => quietly(() => record.cancel()),
  };
}

/** Runs something, and gives what gives its value or throws what it threw. */
function settled<TValue>(run: () => TValue): () => TValue {
  try {
    const value = run();
    return () => value;
  } catch (thrown) {
    return () => {
      throw thrown;
    };
  }
}

function quietly<TValue>(run: () => TValue): TValue | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
