import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  SERVER_INFO_META_KEY,
  SUBSCRIPTION_ID_META_KEY,
} from '@modelcontextprotocol/server';
import { isRecord } from 'toolpact/internal';
import type { McpCaller } from '../caller.ts';
import { acknowledgement, findAsked, isTaskRequest, refusalOf, taskMethod, type WatchTask } from './task-subscriptions.ts';

/** Adds what changes in tasks to the subscriptions of a client at the other end of a line. The SDK answers for all other notifications. */
export interface StdioSubscriptions {
  /** Looks at what the client sends. True where it is answered here. */
  readonly take: (message: JSONRPCMessage) => boolean;
  /** Returns what is sent instead of a message of the SDK; undefined where that is nothing. */
  readonly pass: (message: JSONRPCMessage) => JSONRPCMessage | undefined | Promise<JSONRPCMessage | undefined>;
  /** Ends all subscriptions without a word. */
  readonly close: () => void;
}

interface Subscription {
  readonly taskIds: Promise<readonly string[]>;
  readonly ending: AbortController;
}

/** Creates the part that adds tasks to the subscriptions of one client. `info` names the server. */
export function createStdioSubscriptions(
  watch: WatchTask,
  caller: McpCaller,
  info: { readonly name: string; readonly version: string },
  send: (message: JSONRPCMessage) => Promise<unknown>,
): StdioSubscriptions {
  const open = new Map<unknown, Subscription>();
  /** Answered here, so the SDK must not do it again at its end. */
  const answered = new Set<unknown>();

  function end(id: unknown): void {
    open.get(id)?.ending.abort();
    open.delete(id);
  }

  async function follow(id: unknown, taskIds: readonly string[], { signal }: AbortController): Promise<void> {
    const _meta = { [SUBSCRIPTION_ID_META_KEY]: id };
    const followOne = async (taskId: string): Promise<void> => {
      for await (const task of watch(taskId, caller, signal))
        if (!signal.aborted) await send({ jsonrpc: '2.0', method: taskMethod, params: { ...task, _meta } });
    };
    // A task that can no longer be read has no more news.
    await Promise.all(taskIds.map((taskId) => followOne(taskId).catch(() => undefined)));
  }

  async function acknowledge(message: JSONRPCMessage, id: unknown, { taskIds, ending }: Subscription): Promise<JSONRPCMessage> {
    const ids = await taskIds;
    const { notifications, ...params } = paramsOf(message) as { readonly notifications?: object };
    const isAlone = Object.keys(notifications ?? {}).length === 0;
    void follow(id, ids, ending).then(async () => {
      // It ends with the last of its tasks, unless it is for other notifications too.
      if (ending.signal.aborted || !isAlone) return;
      answered.add(id);
      end(id);
      const _meta = { [SUBSCRIPTION_ID_META_KEY]: id, [SERVER_INFO_META_KEY]: info };
      await send({ jsonrpc: '2.0', id: id as string, result: { resultType: 'complete', _meta } }).catch(() => undefined);
    });
    return { ...message, params: { ...params, notifications: { ...notifications, taskIds: [...ids] } } } as JSONRPCMessage;
  }

  return {
    take(message) {
      if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') end(message.params?.requestId);
      if (!isJSONRPCRequest(message) || !isTaskRequest(message)) return false;
      const refusal = refusalOf(message.params);
      if (refusal !== undefined) {
        void send({ jsonrpc: '2.0', id: message.id, error: refusal }).catch(() => undefined);
        return true;
      }
      end(message.id);
      answered.delete(message.id);
      open.set(message.id, { taskIds: findAsked(message, caller), ending: new AbortController() });
      return false;
    },
    pass(message) {
      if (isJSONRPCNotification(message) && message.method === acknowledgement) {
        const id = (paramsOf(message)._meta as Record<string, unknown> | undefined)?.[SUBSCRIPTION_ID_META_KEY];
        const subscription = open.get(id);
        return subscription === undefined ? message : acknowledge(message, id, subscription);
      }
      if (!('id' in message) || 'method' in message) return message;
      // The SDK ends a subscription that it refuses, and all of them at its end.
      end(message.id);
      return answered.delete(message.id) ? undefined : message;
    },
    close() {
      for (const id of [...open.keys()]) end(id);
    },
  };
}

function paramsOf(message: JSONRPCMessage): Readonly<Record<string, unknown>> {
  const { params } = message as { readonly params?: unknown };
  return isRecord(params) ? params : {};
}
