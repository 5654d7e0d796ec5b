import { WorkflowAgent } from '@ai-sdk/workflow';
import { jsonSchema, tool } from 'ai';
import { createHook, getStepMetadata } from 'workflow';

const serialize = Symbol.for('workflow-serialize');
const deserialize = Symbol.for('workflow-deserialize');

/** A model enters its step as data, and is made again there. */
class ScriptedModel {
  static [serialize]() {
    return {};
  }

  static [deserialize]() {
    return new ScriptedModel();
  }

  specificationVersion = 'v4';
  provider = 'scripted';
  modelId = 'scripted';
  supportedUrls = {};

  async doStream({ prompt }) {
    return { stream: ReadableStream.from(await globalThis.clerk.stream(prompt)) };
  }
}

async function pay(order, { toolCallId }) {
  'use step';
  return globalThis.clerk.call('pay', order, toolCallId, getStepMetadata().stepId);
}

async function mail(order, { toolCallId }) {
  'use step';
  return globalThis.clerk.call('mail', order, toolCallId, getStepMetadata().stepId);
}

async function ask() {
  'use step';
  await globalThis.clerk.ask();
}

const inputSchema = jsonSchema({
  type: 'object',
  properties: { invoice: { type: 'string' }, amount: { type: 'number' } },
  required: ['invoice', 'amount'],
});

export async function answerQuestion(asks) {
  'use workflow';
  const agent = new WorkflowAgent({
    model: new ScriptedModel(),
    tools: {
      pay: tool({ description: 'Pays an invoice.', inputSchema, execute: pay, needsApproval: asks }),
      mail: tool({ description: 'Mails that an invoice is being paid.', inputSchema, execute: mail }),
    },
  });
  let messages = [{ role: 'user', content: 'Pay invoice A-1 of 20 euros.' }];
  for (;;) {
    const { messages: sent, toolCalls, toolResults, steps } = await agent.stream({ messages });
    const [open] = toolCalls.filter(({ toolCallId }) => toolResults.every((result) => result.toolCallId !== toolCallId));
    if (open === undefined) return steps.at(-1).text;
    await ask();
    const { approved } = await createHook({ token: 'approval' });
    // As a client sends it back: the request beside the call, and the answer.
    const approvalId = `approval-${open.toolCallId}`;
    const asked = sent.at(-1);
    messages = [
      ...sent.slice(0, -1),
      { ...asked, content: [...asked.content, { type: 'tool-approval-request', approvalId, toolCallId: open.toolCallId }] },
      { role: 'tool', content: [{ type: 'tool-approval-response', approvalId, approved }] },
    ];
  }
}
