import type { Approval } from 'toolpact';
import { CliError, usageError } from '../../cli-error.ts';
import { exitCodes } from '../../exit-codes.ts';
import { plainLine, shortLine } from '../../print/terminal.ts';
import { didYouMean } from '../../settings/did-you-mean.ts';
import type { Given } from '../command.ts';
import { clientOf, dataOf } from './client-of.ts';
import { withCalls } from './with-calls.ts';

/** Where approvals are kept: a store, an engine, or a server. */
interface ApprovalSource {
  readonly list: () => Promise<readonly Approval[]>;
  readonly decide: (handle: string, verdict: 'approve' | 'deny', reason: { readonly reason?: string }) => Promise<void>;
}

/** Lists the calls that wait for an approval, or decides about one. */
export async function runApprovals(given: Given): Promise<number> {
  const client = clientOf(given);
  if (client !== undefined) {
    return act(given, {
      list: async () => dataOf(await client.listApprovals()),
      decide: async (handle, verdict, reason) => void dataOf(await client.decide(handle, verdict, reason)),
    });
  }
  return withCalls(given, ({ approvals }) =>
    act(given, {
      list: () => approvals.list(),
      async decide(handle, verdict, reason) {
        const decided = await approvals.decide(handle, verdict, { by: 'command line', ...reason });
        if (!decided.ok) throw new CliError(`Nothing was decided about ${handle}: ${refusals[decided.why]}`);
      },
    }),
  );
}

async function act({ words, flags, terminal }: Given, source: ApprovalSource): Promise<number> {
  const [what = 'list', handle] = words;
  if (what === 'list') {
    const waiting = await source.list();
    if (flags.get('json') === true) await terminal.out(`${JSON.stringify(waiting, null, 2)}\n`);
    else for (const approval of waiting) await terminal.out(`${format(approval)}\n`);
    terminal.say(
      waiting.length === 0
        ? 'No call waits for an approval.\n'
        : `${terminal.paint('dim', 'toolpact approvals approve <handle> lets a call run, deny <handle> refuses it.')}\n`,
    );
    return exitCodes.done;
  }
  if (what !== 'approve' && what !== 'deny') {
    const near = didYouMean(what, ['list', 'approve', 'deny']);
    throw usageError(`toolpact approvals takes list, approve or deny, not ${plainLine(what)}.${near}`);
  }
  if (handle === undefined)
    throw usageError(`toolpact approvals ${what} needs the handle of a call.`, 'toolpact approvals list shows them.');
  const reason = flags.get('reason') as string | undefined;
  await source.decide(handle, what, reason === undefined ? {} : { reason });
  terminal.say(what === 'approve' ? 'Approved. The call runs when it is made again.\n' : 'Denied. The call will not run.\n');
  return exitCodes.done;
}

const refusals: Readonly<Record<string, string>> = {
  unknown: 'there is no such approval.',
  decided: 'it is decided already.',
  expired: 'it has expired.',
};

function format({ handle, tool, question, input, requestedAt }: Approval): string {
  const age = Math.max(0, Math.round((Date.now() - requestedAt) / 1000));
  return `${plainLine(handle)}  ${plainLine(tool)}  ${age} s ago\n  ${shortLine(question, 200)}\n  ${shortLine(JSON.stringify(input), 400)}`;
}
