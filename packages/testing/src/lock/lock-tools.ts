import type { Effects, FailureKind, JsonObject } from 'toolpact';
import { ToolpactError } from 'toolpact';
import { planOf } from 'toolpact/extend';
import { canonicalJson, checkToolbox, isObject, isRecord } from 'toolpact/internal';
import type { SubjectTool, ToolSubject } from '../tools/tool-subject.ts';

/** The promises of a tool when it was locked. */
export interface LockedTool {
  /** Of everything below; equal fingerprints are equal promises. */
  readonly fingerprint: string;
  readonly effects: Effects;
  readonly input: JsonObject;
  /** Absent when the tool declares none. */
  readonly output?: JsonObject;
  /** Its own codes of failures; absent where they cannot be known. */
  readonly failures?: Readonly<Record<string, FailureKind>>;
  /** The fingerprint of its description. */
  readonly description: string;
  /** The hints of the server that lists it, for tools of other servers. */
  readonly hints?: JsonObject;
  /** The description itself, for tools of other servers: a person who accepts a change has to read it. */
  readonly text?: string;
}

/** The promises of tools at one time: the content of `toolpact.lock.json`. */
export interface ToolLock {
  readonly v: 1;
  readonly tools: Readonly<Record<string, LockedTool>>;
}

/** Writes down what tools promise, so that a later change can be detected. */
export async function lockTools(subject: Pick<ToolSubject, 'list' | 'tools'>): Promise<ToolLock> {
  checkToolbox('lockTools', subject);
  const listed = [...(await subject.list())].sort((a, b) => (a.name < b.name ? -1 : 1));
  const locked = await Promise.all(listed.map(async (tool) => [tool.name, await lock(tool, subject)] as const));
  return { v: 1, tools: Object.fromEntries(locked) };
}

/** Reads a lock that was kept as JSON. Throws for anything else. */
export function readLock(json: unknown): ToolLock {
  const { v, tools } = (isObject(json) ? json : {}) as Partial<Record<keyof ToolLock, unknown>>;
  if (v !== 1)
    throw new ToolpactError(
      'invalid_argument',
      v === undefined ? 'this is not a lock of tools' : `this lock has the version ${JSON.stringify(v)}; only 1 is known here`,
    );
  if (!isRecord(tools)) throw new ToolpactError('invalid_argument', 'this lock has no tools');
  for (const [name, tool] of Object.entries(tools))
    if (!isLockedTool(tool)) throw new ToolpactError('invalid_argument', `the tool "${name}" of this lock cannot be read`, { tool: name });
  return json as ToolLock;
}

function isLockedTool(tool: unknown): tool is LockedTool {
  if (!isRecord(tool)) return false;
  const { fingerprint, effects, input, output = {}, failures = {}, description, hints = {}, text = '' } = tool;
  return (
    [fingerprint, description, text].every((one) => typeof one === 'string') &&
    ['none', 'idempotent', 'writes'].includes(String(effects)) &&
    [input, output, failures, hints].every(isRecord)
  );
}

async function lock(
  { name, description, effects, inputSchema, outputSchema, hints }: SubjectTool,
  { tools }: Pick<ToolSubject, 'tools'>,
): Promise<LockedTool> {
  const tool = tools?.find((one) => one.name === name);
  const plan = tool && planOf(tool);
  const promised = {
    effects,
    input: inputSchema,
    ...(outputSchema !== undefined && { output: outputSchema }),
    ...(plan !== undefined && { failures: JSON.parse(canonicalJson(plan.failures ?? {})) as Record<string, FailureKind> }),
    description: await fingerprintOf(description),
    ...(hints !== undefined && { hints }),
  };
  return { fingerprint: await fingerprintOf(promised), ...promised, ...(hints !== undefined && { text: description }) };
}

/** The same promise has the same fingerprint, however it was written. */
async function fingerprintOf(value: unknown): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(canonicalJson(value)));
  return [...new Uint8Array(bytes)]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .slice(0, 32);
}
