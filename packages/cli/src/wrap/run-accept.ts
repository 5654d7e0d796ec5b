import type { Gateway } from '@toolpact/server';
import type { Given } from '../commands/command.ts';
import { exitCodes } from '../exit-codes.ts';
import { askYesNo } from '../print/ask-yes-no.ts';
import { changesText } from '../print/changes-text.ts';

/** Shows what has changed in the tools of servers since it was accepted, asks where a person is there, and accepts it. */
export async function runAccept({ terminal }: Given, gateway: Gateway): Promise<number> {
  const { out, say, outPaint } = terminal;
  const changed = gateway.servers().flatMap(({ tools }) => tools.filter(({ drift }) => drift !== undefined));
  if (changed.length === 0) {
    say('No tool has changed since it was accepted.\n');
    return exitCodes.done;
  }
  const changes = changed.flatMap(({ name, drift }) => (drift?.changes ?? []).map((change) => ({ ...change, tool: name })));
  await out(`${changesText(changes, outPaint)}\n\n`);
  if (!(await askYesNo(terminal, `Accept ${changed.length === 1 ? 'this tool' : `these ${changed.length} tools`}?`))) {
    say('Nothing was accepted.\n');
    return exitCodes.cannotRun;
  }
  const names = await gateway.accept(changed.flatMap(({ name, drift }) => (drift ? [{ name, fingerprint: drift.fingerprint }] : [])));
  if (names.length > 0) say(`Accepted: ${names.join(', ')}.\n`);
  const others = changed.filter(({ name }) => !names.includes(name)).map(({ name }) => name);
  if (others.length === 0) return exitCodes.done;
  say(`Not accepted, because it has changed again meanwhile: ${others.join(', ')}.\n`);
  return exitCodes.cannotRun;
}
