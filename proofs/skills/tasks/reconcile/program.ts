import { createToolbox, toModelText } from 'toolpact';
import { memoryStore } from 'toolpact/stores/memory';
import { bank, transfer } from './tools.ts';

const toolbox = createToolbox([transfer], { store: memoryStore(), report: () => undefined });
for (const line of ['loses the answer', 'loses the transfer'] as const) {
  const call = { reference: line, amount: 5 };
  bank.sent = 0;
  bank.line = line;
  const lost = await toolbox.call('transfer', call);
  console.log(lost.status === 'error' && lost.error.effect);
  bank.line = 'answers';
  console.log(toModelText(await toolbox.call('transfer', call)), `sent ${bank.sent} times`);
}
