import { toModelText } from 'toolpact';
import type { Life, Order, Turn } from './host.ts';

/** The `clerk` that a program finds in its process when a framework builds and loads it. */
interface Clerk {
  readonly asks: boolean;
  readonly next: Life['model']['next'];
  /** A turn of the model as a provider of the AI SDK streams it, for the messages that it was sent. */
  readonly stream: (prompt: readonly PromptMessage[]) => Promise<readonly object[]>;
  /** Runs a tool; rejects where the tool failed. */
  readonly call: (name: string, args: Order, callId: string, key: string) => Promise<string>;
  readonly ask: () => Promise<void>;
}

interface PromptMessage {
  readonly role: string;
  readonly content: string | readonly { readonly type: string; readonly output?: { readonly type: string; readonly value?: unknown } }[];
}

/**
 * Gives such a program the model, the tools of this variant and the person; resolves once the person has been asked. The model waits until the id of
 * the run is kept: without it, nobody could resume the run.
 */
export function offerClerk({ variant, asks, tools, openToolbox, model, approvalAsked }: Life, idIsKept: Promise<void>): Promise<void> {
  const toolbox = variant === 'toolpact' ? openToolbox() : undefined;
  const asked = Promise.withResolvers<void>();
  const next: Clerk['next'] = async (results) => {
    await idIsKept;
    return model.next(results);
  };
  const clerk: Clerk = {
    asks,
    next,
    stream: async (prompt) => toParts(await next(resultsIn(prompt))),
    async call(name, args, callId, key) {
      if (toolbox === undefined)
        return (await tools.find((one) => one.name === name)?.run(args, variant === 'key' ? key : undefined)) ?? '';
      return toModelText(await toolbox.answer({ name, args, callId }));
    },
    async ask() {
      await approvalAsked();
      asked.resolve();
    },
  };
  Object.assign(globalThis, { clerk });
  return asked.promise;
}

function toParts({ calls, text: delta }: Turn): object[] {
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
  const said = calls?.map(({ id, name, args }) => ({ type: 'tool-call', toolCallId: id, toolName: name, input: JSON.stringify(args) })) ?? [
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta },
    { type: 'text-end', id: 't' },
  ];
  const finish = { type: 'finish', finishReason: { unified: calls === undefined ? 'stop' : 'tool-calls' }, usage };
  return [{ type: 'stream-start', warnings: [] }, ...said, finish];
}

function resultsIn(prompt: readonly PromptMessage[]): string[] {
  const parts = prompt.flatMap(({ role, content }) => (role === 'tool' && typeof content !== 'string' ? content : []));
  return parts.flatMap(({ output }) =>
    output === undefined ? [] : [typeof output.value === 'string' ? output.value : JSON.stringify(output)],
  );
}
