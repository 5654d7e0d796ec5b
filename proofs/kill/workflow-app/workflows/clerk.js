import { createHook, getStepMetadata } from 'workflow';

async function askModel(results) {
  'use step';
  return globalThis.clerk.next(results);
}

async function callTool(name, args, id) {
  'use step';
  return globalThis.clerk.call(name, args, id, getStepMetadata().stepId);
}

async function ask() {
  'use step';
  await globalThis.clerk.ask();
}

export async function answerQuestion(asks) {
  'use workflow';
  const results = [];
  for (;;) {
    const turn = await askModel(results);
    if (turn.text !== undefined) return turn.text;
    for (const { id, name, args } of turn.calls) {
      if (asks && name === 'pay') {
        await ask();
        await createHook({ token: 'approval' });
      }
      results.push(await callTool(name, args, id).catch((error) => error.message));
    }
  }
}
