import type { AuthInfo } from '@modelcontextprotocol/server';
import type { CallContext, Outcome, StoreMethods } from 'toolpact';
import { insideOf } from 'toolpact/extend';
import type { ServedToolbox } from '../server-options.ts';

/** The sender of a request, as far as MCP is concerned. */
export interface McpCaller {
  /** Distinguishes callers: a session answers only the one that opened it. */
  readonly key: string;
  readonly tenantId?: string | undefined;
  /** Its permissions beyond calling tools. */
  readonly scopes?: readonly string[] | undefined;
  /** Makes a call for this caller. `meta` is what came along with the request. Never rejects. */
  readonly call: (
    call: { readonly name: string; readonly args: unknown },
    context: CallContext,
    meta: Readonly<Record<string, unknown>>,
  ) => Promise<Outcome>;
  /** Checks whether a tool, by its own name, is offered to this caller. */
  readonly mayCall: (tool: string) => boolean;
  /** The remembered calls of this caller's tenant; undefined where the toolbox has no store. */
  readonly remembered?: RememberedCalls | undefined;
  /** The user whose calls this caller reads as tasks, empty for calls without a user. Undefined for all of the tenant, where callers are not identified. */
  readonly tasksOf?: string | undefined;
  /** Whether this caller may decide about approvals. */
  readonly mayDecide: boolean;
  /** Who decided, in the record of a decision. */
  readonly by?: string | undefined;
  /** Roles of this caller in its organisation: a tool may require one for decisions. */
  readonly roles?: readonly string[] | undefined;
}

/** Methods on the remembered calls of one tenant. */
export interface RememberedCalls extends StoreMethods {
  /** Returns an outcome that no remembered call has a handle, under which it is read like that of a call of this user. */
  readonly keep?: ((outcome: Outcome, userId?: string) => Promise<string>) | undefined;
}

/** Returns what is done with the calls that a toolbox remembers; undefined where it has no store. */
export function rememberedBy(toolbox: ServedToolbox): RememberedCalls | undefined {
  const { calls, approvals } = toolbox;
  return (
    calls &&
    approvals && {
      calls,
      approvals,
      keep: insideOf(toolbox).calls?.keep,
    }
  );
}

const callerKey = 'toolpact/caller';

/** Returns a caller in the form that the SDK hands through to its handlers. Credentials are left out. */
export function toAuthInfo(caller: McpCaller): AuthInfo {
  const { by = 'anonymous', scopes = [] } = caller;
  return { token: '', clientId: by, scopes: scopes as string[], extra: { [callerKey]: caller } };
}

/** Reads the caller from what the SDK hands to its handlers. */
export function callerOf(host: unknown): McpCaller | undefined {
  const { http } = (host ?? {}) as { http?: { authInfo?: AuthInfo } };
  return http?.authInfo?.extra?.[callerKey] as McpCaller | undefined;
}
