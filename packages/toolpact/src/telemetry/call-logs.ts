import type { Context } from '@opentelemetry/api';
import type { Outcome } from '../outcome/index.ts';
import type { TracedCall } from '../ports/index.ts';
import { argumentsOf, resultOf, toolAttributes } from './call-attributes.ts';
import { conventions } from './conventions.ts';
import { type ExceptionAttributes, toException } from './exception.ts';
import type { HrTime } from './hr-time.ts';
import type { RecordSettings } from './record-settings.ts';
import type { LogEmitter } from './signals.ts';

/** The attributes that the log records of a call share with its span. */
export interface LogFacts {
  readonly tool: string;
  readonly type: string | undefined;
  readonly time: HrTime;
  readonly context: Context;
  /** Whether a server of ours answers with it, so that no other code sees the exception. */
  readonly isServed: boolean;
}

const severityTexts: Readonly<Record<number, string>> = { 5: 'DEBUG', 9: 'INFO', 13: 'WARN', 17: 'ERROR' };

/** Reads the exception of a failed call; undefined when none was thrown. */
export function exceptionOf(call: TracedCall, outcome: Outcome): ExceptionAttributes | undefined {
  return outcome.status === 'error' ? toException(call.thrown, call.redactor) : undefined;
}

/** Writes the exception of a call as a log record that belongs to its span. */
export function logException(
  logger: LogEmitter,
  call: TracedCall,
  outcome: Outcome,
  exception: ExceptionAttributes,
  facts: LogFacts,
  settings: RecordSettings,
): void {
  const { name, severity } = conventions.exception;
  const cancelled = outcome.status === 'error' && outcome.error.kind === 'cancelled';
  const severityNumber = cancelled ? severity.aborted : settings.isServer || facts.isServed ? severity.server : severity.caller;
  emit(logger, name, severityNumber, { ...exception }, call, facts);
}

/** Writes arguments and result as a log record. */
export function logContent(logger: LogEmitter, call: TracedCall, outcome: Outcome, facts: LogFacts, settings: RecordSettings): void {
  const result = resultOf(call, outcome, settings);
  const content = {
    'gen_ai.tool.call.arguments': argumentsOf(call, settings),
    ...(result !== undefined && { 'gen_ai.tool.call.result': result }),
  };
  emit(logger, conventions.contentEvent.name, 9, content, call, facts);
}

function emit(
  logger: LogEmitter,
  eventName: string,
  severityNumber: number,
  attributes: Record<string, unknown>,
  call: TracedCall,
  { tool, type, time, context }: LogFacts,
): void {
  if (logger.enabled?.({ severityNumber, eventName, context }) === false) return;
  logger.emit({
    eventName,
    severityNumber,
    severityText: severityTexts[severityNumber] ?? '',
    timestamp: time,
    attributes: { ...toolAttributes(call, tool, type), ...attributes, 'toolpact.invocation.id': call.invocationId },
    context,
  });
}
