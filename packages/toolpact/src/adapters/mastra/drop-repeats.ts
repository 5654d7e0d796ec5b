import { isSameCall } from '../frameworks/call-once.ts';

/** The parts of a model's stream that make up calls. */
export type StreamPart =
  | { readonly type: 'tool-input-start'; readonly id: string; readonly toolName: string; readonly providerExecuted?: boolean }
  | { readonly type: 'tool-input-delta'; readonly id: string; readonly delta: string }
  | { readonly type: 'tool-input-end'; readonly id: string }
  | {
      readonly type: 'tool-call';
      readonly toolCallId: string;
      readonly toolName: string;
      readonly input: string;
      readonly providerExecuted?: boolean;
    };

/**
 * Creates a function that leaves a call out of a model's stream if it repeats an earlier one: Mastra would run both. The pieces of a call whose
 * id an earlier one had are held until the call is whole.
 */
export function createDropRepeats(): (part: StreamPart) => readonly StreamPart[] {
  const calls: { readonly id: string; readonly name: string; readonly args: string }[] = [];
  const held = new Map<string, StreamPart[]>();
  return (part) => {
    if (part.type === 'tool-call') {
      const { toolCallId: id, toolName: name, input: args } = part;
      const pieces = held.get(id) ?? [];
      held.delete(id);
      const call = { id, name, args };
      if (part.providerExecuted !== true && calls.some((before) => isSameCall(before, call))) return [];
      calls.push(call);
      return [...pieces, part];
    }
    if (!isPiece(part)) return [part];
    const pieces = held.get(part.id) ?? (part.type === 'tool-input-start' && calls.some(({ id }) => id === part.id) ? [] : undefined);
    if (pieces === undefined) return [part];
    pieces.push(part);
    held.set(part.id, pieces);
    return [];
  };
}

/** Streams have other parts too, some with an id. */
function isPiece({ type }: StreamPart): boolean {
  return type === 'tool-input-start' || type === 'tool-input-delta' || type === 'tool-input-end';
}
