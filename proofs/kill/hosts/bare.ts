import { toModelText } from 'toolpact';
import type { KillHost, Order } from '../host.ts';

/** A loop around a model, as tutorials write it. Whoever asked asks again after a crash. */
export const host: KillHost = {
  title: 'Bare loop',
  mode: 'A loop over the chat API that keeps nothing; the same question is asked again.',
  documentation: 'https://platform.openai.com/docs/guides/function-calling',
  packages: [],
  key: 'the number of the invoice',
  asks: false,
  variants: ['alone', 'key', 'toolpact', 'unsure'],
  async run({ variant, tools, openToolbox, model }) {
    const toolbox = variant === 'toolpact' || variant === 'unsure' ? openToolbox() : undefined;
    const call = async (name: string, args: Order, id: string): Promise<string> => {
      if (toolbox !== undefined) return toModelText(await toolbox.answer({ name, args, callId: id }));
      const tool = tools.find((one) => one.name === name);
      try {
        return (await tool?.run(args, variant === 'key' ? args.invoice : undefined)) ?? 'There is no such tool.';
      } catch (error) {
        return `Error: ${(error as Error).message}`;
      }
    };
    const results: string[] = [];
    for (;;) {
      const turn = await model.next(results);
      if (turn.text !== undefined) return turn.text;
      for (const { id, name, args } of turn.calls) results.push(await call(name, args, id));
    }
  },
};
