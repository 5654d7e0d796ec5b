import type { CallContext } from 'toolpact';
import { insideOf } from 'toolpact/extend';
import { type Identity, mayCall, mayCallAll } from '../auth/identity.ts';
import type { ServedToolbox } from '../server-options.ts';

/** Checks whether a tool is one of the two with which callers find and call the others. Every caller has them: they reach what it may call. */
export function isSearchTool(toolbox: object, tool: string): boolean {
  return insideOf(toolbox).search?.names.includes(tool) === true;
}

/** Checks whether a tool is offered to a caller. */
export function isOffered(toolbox: object, identity: Identity, tool: string): boolean {
  return mayCall(identity, tool) || isSearchTool(toolbox, tool);
}

/** Returns the call that a call of `call_tool` stands for, so that permissions are those of the tool it names; any other call as it is. */
export function meantBy(toolbox: ServedToolbox, name: string, args: unknown): { readonly name: string; readonly args: unknown } {
  return insideOf(toolbox).search?.meantBy(name, args) ?? { name, args };
}

/** Returns the part of a context that keeps a search within what a caller may call. */
export function searchContext(identity: Identity): Pick<CallContext, 'mayCall'> {
  return mayCallAll(identity) ? {} : { mayCall: (tool) => mayCall(identity, tool) };
}
