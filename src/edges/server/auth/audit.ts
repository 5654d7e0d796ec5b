import type { Denied } from '../server-options.ts';

const quietMs = 60_000;
const mostCallers = 1_000;

/** Makes what hears of denials. A listener that fails is not heard of; without a listener there is one console line per reason and caller a minute. */
export function createAudit(onDenied: ((record: Denied) => unknown) | undefined): (record: Denied) => void {
  const tell = onDenied ?? createConsoleAudit();
  return (record) => {
    try {
      const told: unknown = tell(record);
      if (told instanceof Promise) told.catch(() => undefined);
    } catch {
      // Whoever listens must not turn a refusal into a fault.
    }
  };
}

function createConsoleAudit(): (record: Denied) => void {
  const told = new Map<string, { at: number; missed: number }>();
  return (record) => {
    const { at, reason, message, method, path, traceId, tool, tenantId, keyId } = record;
    const caller = `${reason}/${tenantId ?? ''}/${keyId ?? ''}`;
    const last = told.get(caller);
    if (last !== undefined && at - last.at < quietMs) {
      last.missed += 1;
      return;
    }
    told.delete(caller);
    if (told.size >= mostCallers) for (const first of told.keys()) if (told.delete(first)) break;
    told.set(caller, { at, missed: 0 });
    const more = last === undefined || last.missed === 0 ? {} : { missed: last.missed };
    console.warn(
      `toolpact denied ${JSON.stringify({ reason, message, method, path: path.slice(0, 200), traceId, tool, tenantId, keyId, ...more })}`,
    );
  };
}
