import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Agent } from '@mastra/core/agent';
import { createDurableAgent } from '@mastra/core/agent/durable';
import { Mastra } from '@mastra/core/mastra';
import { MastraLanguageModelV2Mock } from '@mastra/core/test-utils/llm-mock';
import { createTool } from '@mastra/core/tools';
import { toInputProcessor, toTools } from 'toolpact/adapters/mastra';
import { type KillHost, question, type ScriptedModel } from '../host.ts';

/** A durable agent with its snapshots in a file, recovered as its documentation says. */
export const host: KillHost = {
  title: 'Mastra durable agent',
  mode: '`createDurableAgent` with `@mastra/libsql`, `running` snapshots kept; `recoverActiveRuns` after a crash, `resume` after a question.',
  documentation: 'https://mastra.ai/docs/harness/durable-agents',
  packages: ['@mastra/core', '@mastra/libsql'],
  key: 'the id of the tool call, which the snapshot keeps',
  asks: true,
  async run({ variant, tools, openToolbox, model, folder, asks, isApproved, approvalAsked }) {
    const { LibSQLStore } = (await import('@mastra/libsql' as string)) as { LibSQLStore: new (options: object) => object };
    const toolbox = variant === 'toolpact' ? openToolbox() : undefined;
    const own = Object.fromEntries(
      tools.map(({ name, description, input, run }) => [
        name,
        createTool({
          id: name,
          description,
          inputSchema: input as never,
          execute: async (order: unknown, context: { agent?: { toolCallId?: string } }) =>
            run(order as never, variant === 'key' ? context.agent?.toolCallId : undefined),
        } as never),
      ]),
    );
    const agent = new Agent({
      id: 'clerk',
      name: 'clerk',
      instructions: 'Use the tools.',
      model: scripted(model) as never,
      ...(toolbox === undefined
        ? { tools: own as never }
        : ({ tools: toTools(toolbox), inputProcessors: [toInputProcessor(toolbox)] } as object)),
    });
    const clerk = createDurableAgent({ agent } as never);
    const mastra = new Mastra({
      agents: { clerk } as never,
      storage: new LibSQLStore({ id: 'runs', url: `file:${join(folder, 'runs.db')}` }) as never,
      recovery: { durableAgents: 'auto' },
      logger: false,
    } as never);

    const asked = join(folder, 'asked');
    if (existsSync(asked) && isApproved) return finish(await clerk.resume(readFileSync(asked, 'utf8'), { approved: true }));
    const { runs } = await clerk.listActiveRuns();
    if (runs.length > 0) {
      const { failed } = await mastra.recoverAllDurableAgents();
      if (failed > 0) throw new Error('the run could not be recovered');
      return 'recovered';
    }
    let suspended: () => void = () => undefined;
    const suspension = new Promise<undefined>((resolve) => {
      suspended = () => resolve(undefined);
    });
    const started = await clerk.stream(question, {
      ...(asks && { requireToolApproval: ({ toolName }: { toolName: string }) => toolName === 'pay' }),
      onSuspended: () => suspended(),
    } as never);
    const answer = await Promise.race([finish(started), suspension]);
    if (answer !== undefined) return answer;
    writeFileSync(asked, started.runId);
    await approvalAsked();
    return undefined;
  },
};

async function finish({ output }: { readonly output: { readonly text: PromiseLike<string> } }): Promise<string> {
  return output.text;
}

interface Message {
  readonly content: string | readonly { readonly type: string; readonly output: { readonly value: unknown } }[];
}

function scripted(script: ScriptedModel): object {
  const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
  return new MastraLanguageModelV2Mock({
    doStream: async ({ prompt }: { prompt: readonly Message[] }) => {
      const parts = prompt.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
      const results = parts
        .filter(({ type }) => type === 'tool-result')
        .map(({ output: { value } }) => (typeof value === 'string' ? value : JSON.stringify(value)));
      const turn = await script.next(results);
      const chunks =
        turn.text === undefined
          ? turn.calls.map(({ id, name, args }) => ({ type: 'tool-call', toolCallId: id, toolName: name, input: JSON.stringify(args) }))
          : [
              { type: 'text-start', id: 't' },
              { type: 'text-delta', id: 't', delta: turn.text },
              { type: 'text-end', id: 't' },
            ];
      const finishReason = turn.text === undefined ? 'tool-calls' : 'stop';
      const all = [{ type: 'stream-start', warnings: [] }, ...chunks, { type: 'finish', finishReason, usage }];
      return { stream: Readable.toWeb(Readable.from(all)) };
    },
  } as never);
}
