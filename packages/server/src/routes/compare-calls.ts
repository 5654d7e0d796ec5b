import type { JsonValue, RecordedCall } from 'toolpact';
import { isRecord } from 'toolpact/internal';
import type { CallDifference } from '../inspector/page-answers.ts';
import { duration, howItEnded, shown } from './call-words.ts';

/** Compares two calls, field by field. Ids and times differ always, and are left out. */
export function compareCalls(a: RecordedCall, b: RecordedCall): readonly CallDifference[] {
  const facts = (call: RecordedCall): JsonValue =>
    JSON.parse(
      JSON.stringify({
        tool: call.tool,
        arguments: call.input,
        ended: howItEnded(call),
        message: call.message,
        attempts: call.attempts,
        steps: call.trace?.steps.map(({ step, status, kind }) => `${step} ${kind ?? status ?? 'runs'}`),
        result: call.outcome !== undefined && 'data' in call.outcome ? call.outcome.data : undefined,
      }),
    );
  const took = ({ tookMs }: RecordedCall): string => (tookMs === undefined ? 'not ended' : duration(tookMs));
  const [shorter, longer] = [Math.min(a.tookMs ?? 0, b.tookMs ?? 0), Math.max(a.tookMs ?? 0, b.tookMs ?? 0)];
  // A few milliseconds more or less say something about the machine, not about the call.
  const isTimeNotable = longer > 2 * shorter && longer - shorter > 100;
  return [...differences('', facts(a), facts(b)), ...(isTimeNotable ? [{ field: 'took', a: took(a), b: took(b) }] : [])];
}

function differences(field: string, a: JsonValue | undefined, b: JsonValue | undefined): CallDifference[] {
  if (isRecord(a) && isRecord(b)) {
    const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
    return names.flatMap((name) => differences(field === '' ? name : `${field}.${name}`, a[name] as JsonValue, b[name] as JsonValue));
  }
  return JSON.stringify(a) === JSON.stringify(b) ? [] : [{ field, a: shown(a), b: shown(b) }];
}
