import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  Agent,
  type AgentInputItem,
  type Model,
  type ModelRequest,
  type ModelResponse,
  Runner,
  RunState,
  tool,
  Usage,
} from '@openai/agents';
import { toRunOptions, toTools } from 'toolpact/adapters/openai-agents';
import { type KillHost, question, type ScriptedModel } from '../host.ts';

/** An agent whose run is stored where a tool needs approval, which is the only state that its SDK can store of a run. */
export const host: KillHost = {
  title: 'OpenAI Agents, RunState',
  mode: '`needsApproval`; `RunState` is written to a file at the question, read from it after a crash, approved and run. Without a state the question is asked again.',
  documentation: 'https://openai.github.io/openai-agents-js/guides/human-in-the-loop/',
  packages: ['@openai/agents'],
  key: 'the id of the tool call, which the stored state keeps',
  asks: true,
  async run({ variant, tools, openToolbox, model, folder, asks, isApproved, approvalAsked }) {
    const toolbox = variant === 'toolpact' ? openToolbox() : undefined;
    const needsApproval = async (): Promise<boolean> => true;
    const own = tools.map(({ name, description, input, run }) =>
      tool({
        name,
        description,
        parameters: input as never,
        // Of both tools, so that the second one does not run before the first was approved.
        needsApproval: true,
        execute: async (order: unknown, _context, details) =>
          run(order as never, variant === 'key' ? details?.toolCall?.callId : undefined),
      }),
    );
    const guarded = toolbox && toTools(toolbox).map((one) => ({ ...one, needsApproval }));
    const agent = new Agent({ name: 'clerk', model: scripted(model), tools: (guarded ?? own) as never });
    const runner = new Runner({ tracingDisabled: true });
    const options = toolbox === undefined ? {} : toRunOptions(toolbox);

    const file = join(folder, 'run-state.json');
    let state = existsSync(file) ? await RunState.fromString(agent, readFileSync(file, 'utf8')) : undefined;
    for (;;) {
      if (state !== undefined) for (const asked of state.getInterruptions()) state.approve(asked);
      const result = await runner.run(agent, (state as never) ?? question, options);
      if (result.interruptions.length === 0) return result.finalOutput as string;
      writeFileSync(file, result.state.toString());
      await approvalAsked();
      if (asks && !isApproved) return undefined;
      state = result.state as never;
    }
  },
};

function scripted(script: ScriptedModel): Model {
  return {
    async getResponse({ input }: ModelRequest): Promise<ModelResponse> {
      const turn = await script.next(typeof input === 'string' ? [] : input.flatMap(readResult));
      const output =
        turn.text === undefined
          ? turn.calls.map(({ id, name, args }) => ({
              type: 'function_call',
              callId: id,
              name,
              arguments: JSON.stringify(args),
              status: 'completed',
            }))
          : [{ type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: turn.text }] }];
      return { usage: new Usage(), output: output as ModelResponse['output'] };
    },
    getStreamedResponse() {
      throw new Error('this script does not stream');
    },
  };
}

function readResult(item: AgentInputItem): readonly string[] {
  if (item.type !== 'function_call_result') return [];
  const { output } = item;
  if (typeof output === 'string') return [output];
  return ['text' in output ? String(output.text) : JSON.stringify(output)];
}
