import type { Denied, ServedToolbox } from '../server-options.ts';

const quietMs = 60_000;
const maxCallers = 1_000;

/** Gives denials to the listeners of the toolbox, as `denied` events, and prints them where that is asked for. */
export function createAudit({ emit }: Pick<ServedToolbox, 'emit'>, isPrinted = true): (record: Denied) => void {
  const print = isPrinted ? createConsoleAudit() : undefined;
  return (record) => {
    const { at: _, ...denied } = record;
    emit({ type: 'denied', ...denied });
    print?.(record);
  };
}

function createConsoleAudit(): (record: Denied) => void {
  const logged = new Map<string, { at: number; missed: number }>();
  return (record) => {
    const { at, reason, message, method, path, traceId, tool, tenantId, keyId } = record;
    const caller = `${reason}/${tenantId ?? ''}/${keyId ?? ''}`;
    const last = logged.get(caller);
    if (last !== undefined && at - last.at < quietMs) {
      last.missed += 1;
      return;
    }
    logged.delete(caller);
    if (logged.size >= maxCallers) for (const first of logged.keys()) if (logged.delete(first)) break;
    logged.set(caller, { at, missed: 0 });
    const more = last === undefined || last.missed === 0 ? {} : { missed: last.missed };
    console.warn(
      `toolpact denied ${JSON.stringify({ reason, message, method, path: path.slice(0, 200), traceId, tool, tenantId, keyId, ...more })}`,
    );
  };
}
