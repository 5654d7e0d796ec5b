import type { Effects, JsonValue } from 'toolpact';
import { expectArgument, isRecord, ownEntry } from 'toolpact/internal';
import { isSame } from '../lost-paths.ts';
import type { SchemaChange } from './diff-keywords.ts';
import { diffSchemas } from './diff-schemas.ts';
import type { LockedTool, ToolLock } from './lock-tools.ts';

/** One change of what a tool promises. */
export interface ToolChange {
  readonly tool: string;
  /** Whether callers that worked before may fail now. */
  readonly level: 'breaking' | 'compatible';
  /** The changed part: the tool, its `input.city`, its `output`, `effects`, `failures.sold_out` or `description`. */
  readonly place: string;
  /** In words. */
  readonly message: string;
  /** The old value, and the new one below, if words for people or models changed. */
  readonly before?: JsonValue;
  readonly after?: JsonValue;
}

/** Lists the changes between two locks, and which of them break callers of the tools. */
export function diffTools(before: ToolLock, after: ToolLock): readonly ToolChange[] {
  expectArgument(
    isRecord(before?.tools) && isRecord(after?.tools),
    'diffTools takes two locks of tools: lockTools(toolbox) or readLock(json)',
  );
  const names = [...new Set([...Object.keys(before.tools), ...Object.keys(after.tools)])].sort();
  return names.flatMap((name): ToolChange[] => {
    const [old, now] = [ownEntry(before.tools, name), ownEntry(after.tools, name)];
    if (old === undefined) return [{ tool: name, level: 'compatible', place: 'tool', message: 'the tool was added' }];
    if (now === undefined) {
      const heir = Object.entries(after.tools).find(
        ([other, tool]) => ownEntry(before.tools, other) === undefined && isSame(tool.input, old.input) && isSame(tool.output, old.output),
      );
      const message = heir === undefined ? 'the tool was removed' : `the tool was removed; was it renamed to "${heir[0]}"?`;
      return [{ tool: name, level: 'breaking', place: 'tool', message }];
    }
    return old.fingerprint === now.fingerprint ? [] : changesOf(old, now).map((change) => ({ tool: name, ...change }));
  });
}

type Change = Omit<ToolChange, 'tool'>;
type Side = 'input' | 'output';

/** The weight of a change of a schema: callers must still be able to give what they gave, and to read what they read. */
const weights: Readonly<Record<SchemaChange['sort'], Readonly<Record<Side, Change['level']>>>> = {
  narrowed: { input: 'breaking', output: 'compatible' },
  widened: { input: 'compatible', output: 'breaking' },
  unclear: { input: 'breaking', output: 'breaking' },
  words: { input: 'compatible', output: 'compatible' },
  'removed field': { input: 'breaking', output: 'breaking' },
  'new required field': { input: 'breaking', output: 'compatible' },
  'new optional field': { input: 'compatible', output: 'compatible' },
};

const harm: readonly Effects[] = ['none', 'idempotent', 'writes'];

function changesOf(old: LockedTool, now: LockedTool): Change[] {
  const changes = [
    ...schemaChanges(old, now, 'input'),
    ...outputChanges(old, now),
    ...effectChanges(old, now),
    ...failureChanges(old, now),
    ...hintChanges(old, now),
  ];
  if (old.description !== now.description)
    changes.push({
      level: 'compatible',
      place: 'description',
      message: 'the description changed',
      ...(old.text !== undefined && now.text !== undefined && { before: old.text, after: now.text }),
    });
  return [...changes, ...remarkChanges(old, now)];
}

/** Remarks decide about no value, but a model reads them: whoever accepts a change of another server's tool has to see what they say now. */
function remarkChanges(old: LockedTool, now: LockedTool): Change[] {
  if (now.text === undefined) return [];
  return (['input', 'output'] as const).flatMap((place): Change[] => {
    const [before, after] = [remarksOf(old[place]), remarksOf(now[place])];
    return isSame(before, after) ? [] : [{ level: 'compatible', place, message: 'remarks changed', before, after }];
  });
}

/** Collects what stands in a schema without saying which values fit: comments, keywords of one's own, and definitions that nothing refers to. */
function remarksOf(schema: unknown): JsonValue[] {
  const text = JSON.stringify(schema);
  const collect = (part: unknown): JsonValue[] => {
    if (Array.isArray(part)) return part.flatMap(collect);
    if (!isRecord(part)) return [];
    return Object.entries(part).flatMap(([name, value]) => {
      if (name === '$comment' || name.startsWith('x-')) return [{ [name]: value as JsonValue }];
      if ((name !== '$defs' && name !== 'definitions') || !isRecord(value)) return collect(value);
      return Object.entries(value).flatMap(([own, definition]) =>
        text.includes(`/${name}/${own}"`) ? collect(definition) : [{ [own]: definition as JsonValue }],
      );
    });
  };
  return collect(schema);
}

function schemaChanges(old: LockedTool, now: LockedTool, side: Side): Change[] {
  return diffSchemas(old[side] ?? {}, now[side] ?? {}).map(({ path, sort, message, ...words }) => ({
    // Results with more fields than before still have those that are read.
    level: side === 'output' && message === 'other fields are taken too' ? 'compatible' : weights[sort][side],
    place: path === '' ? side : `${side}.${path.replace(/^\./, '')}`,
    message,
    ...words,
  }));
}

function outputChanges(old: LockedTool, now: LockedTool): Change[] {
  if (old.output === undefined && now.output === undefined) return [];
  if (old.output === undefined) return [{ level: 'compatible', place: 'output', message: 'an output schema was added' }];
  if (now.output === undefined) return [{ level: 'breaking', place: 'output', message: 'the output schema was removed' }];
  return schemaChanges(old, now, 'output');
}

function effectChanges(old: LockedTool, now: LockedTool): Change[] {
  if (old.effects === now.effects) return [];
  const isRaised = harm.indexOf(now.effects) > harm.indexOf(old.effects);
  const message = `the effects went from ${old.effects} to ${now.effects}: ${isRaised ? 'what was repeated without asking no longer may be' : 'it may be repeated more freely'}`;
  return [{ level: isRaised ? 'breaking' : 'compatible', place: 'effects', message }];
}

function failureChanges({ failures: before }: LockedTool, { failures: after }: LockedTool): Change[] {
  if (before === undefined || after === undefined) return [];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].sort().flatMap((code): Change[] => {
    const [old, now] = [ownEntry(before, code), ownEntry(after, code)];
    const place = `failures.${code}`;
    if (old === now) return [];
    if (old === undefined) return [{ level: 'compatible', place, message: `the failure code was added, as ${now}` }];
    if (now === undefined) return [{ level: 'breaking', place, message: 'the failure code was removed' }];
    return [{ level: 'breaking', place, message: `the failure code was ${old} and is ${now} now` }];
  });
}

/** A hint that changed in either direction is what somebody trusted, or would have been warned by. */
function hintChanges({ hints: before }: LockedTool, { hints: after }: LockedTool): Change[] {
  if (before === undefined || after === undefined) return [];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].sort().flatMap((name): Change[] => {
    const [old, now] = [ownEntry(before, name), ownEntry(after, name)];
    if (isSame(old, now)) return [];
    const [was, is] = [old, now].map((value) => (value === undefined ? 'not stated' : JSON.stringify(value)));
    return [{ level: 'breaking', place: `hints.${name}`, message: `the hint was ${was} and is ${is} now` }];
  });
}
