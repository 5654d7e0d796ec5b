import * as restate from '@restatedev/restate-sdk';
import { toModelText } from 'toolpact';
import { type KillHost, type Order, question, type Turn } from '../host.ts';

interface AgentWorkflow {
  readonly run: (ctx: restate.WorkflowContext, asked: string) => Promise<string>;
  readonly approve: (ctx: restate.WorkflowSharedContext) => Promise<void>;
}

/** A loop as a workflow of Restate: each question to the model and each tool is a `ctx.run`. */
export const host: KillHost = {
  title: 'Restate workflow',
  mode: 'A workflow whose model calls and tools are `ctx.run`; the server, which is not killed, calls the endpoint again once it is back.',
  documentation: 'https://docs.restate.dev/develop/ts/durable-steps',
  packages: ['@restatedev/restate-sdk', '@restatedev/restate-server'],
  key: '`ctx.rand.uuidv4()`, the same on every try',
  asks: true,
  needs: 'restate',
  async run({ number, variant, tools, openToolbox, model, asks, isApproved, approvalAsked, port, restate: server }) {
    const toolbox = variant === 'toolpact' ? openToolbox() : undefined;
    const call = async (name: string, args: Order, callId: string, key: string): Promise<string> => {
      if (toolbox !== undefined) return toModelText(await toolbox.answer({ name, args, callId }));
      return (await tools.find((one) => one.name === name)?.run(args, variant === 'key' ? key : undefined)) ?? '';
    };
    const clerk = restate.workflow({
      name: `clerk${port}`,
      handlers: {
        run: async (ctx: restate.WorkflowContext, _asked: string): Promise<string> => {
          const results: string[] = [];
          for (;;) {
            const turn: Turn = await ctx.run('model', () => model.next(results));
            if (turn.text !== undefined) return turn.text;
            for (const { id, name, args } of turn.calls) {
              const key = ctx.rand.uuidv4();
              if (asks && name === 'pay') {
                await ctx.run('ask', () => approvalAsked());
                await ctx.promise<string>('approval');
              }
              results.push(await ctx.run(name, () => call(name, args, id, key)));
            }
          }
        },
        approve: async (ctx: restate.WorkflowSharedContext): Promise<void> => {
          await ctx.promise<string>('approval').resolve('yes');
        },
      } satisfies AgentWorkflow,
    });
    await restate.serve({ services: [clerk], port });
    const workflow = `${server.ingress}/clerk${port}/run`;
    if (number === 1) {
      await post(`${server.admin}/deployments`, { uri: `http://127.0.0.1:${port}` });
      await post(`${workflow}/run/send`, question);
    }
    if (asks && !isApproved) return waitForAsk(server.admin, port);
    if (asks) await post(`${workflow}/approve`).catch(() => undefined);
    const answer = await fetch(`${server.ingress}/restate/workflow/clerk${port}/run/attach`);
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    return (await answer.json()) as string;
  },
};

async function post(url: string, body?: unknown): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
}

/** Waits until the workflow waits for its promise: the question is stored then. */
async function waitForAsk(admin: string, port: number): Promise<undefined> {
  const query = `SELECT name FROM sys_journal j JOIN sys_invocation i ON i.id = j.id WHERE i.target_service_name = 'clerk${port}' AND j.entry_type LIKE '%Promise%'`;
  for (;;) {
    const response = await fetch(`${admin}/query`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ query }),
    });
    if (response.ok && ((await response.json()) as { rows: unknown[] }).rows.length > 0) return undefined;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
