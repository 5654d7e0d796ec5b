import { memoryStore } from 'toolpact/stores/memory';
import { exitCodes } from '../exit-codes.ts';
import { toolSource } from '../load/tool-source.ts';
import { wireToolbox } from '../load/wire-toolbox.ts';
import { plain } from '../print/terminal.ts';
import type { Given } from './command.ts';

/** Prints the tools of a file as they would be served. */
export async function runList(given: Given): Promise<number> {
  const { terminal, flags, words, settings } = given;
  const loaded = await toolSource(given, words).load();
  const tools = wireToolbox(loaded, settings, memoryStore()).list();
  const ownNames = new Set((loaded.toolbox ?? loaded).tools.map(({ name }) => name));
  if (flags.get('json') === true) {
    await terminal.out(`${JSON.stringify(tools, null, 2)}\n`);
    return exitCodes.done;
  }
  const width = Math.max(...tools.map(({ name }) => name.length));
  const lines = tools.map(({ name, effects, description }) => {
    const [first = ''] = description.trim().split('\n');
    // Guards bring tools of their own, such as the one that reads large results.
    const note = ownNames.has(name) ? '' : terminal.outPaint('dim', '(added by Toolpact) ');
    return `${terminal.outPaint('strong', name.padEnd(width))}  ${terminal.outPaint('dim', effects.padEnd(10))}  ${note}${plain(first)}`;
  });
  await terminal.out(`${lines.join('\n')}\n`);
  return exitCodes.done;
}
