import type { Approval, Decided, DecisionFacts, JsonObject } from 'toolpact';
import { CliError, usageError } from '../../cli-error.ts';
import { exitCodes } from '../../exit-codes.ts';
import { approvalText } from '../../print/approval-text.ts';
import { plainLine } from '../../print/terminal.ts';
import { didYouMean } from '../../settings/did-you-mean.ts';
import type { Given } from '../command.ts';
import { clientOf, dataOf } from './client-of.ts';
import { withCalls } from './with-calls.ts';

/** Where approvals are kept: a store, an engine, or a server. */
interface ApprovalSource {
  readonly list: () => Promise<readonly Approval[]>;
  readonly decide: (handle: string, verdict: 'approve' | 'deny', facts: DecisionFacts) => Promise<void>;
}

/** Lists the calls that wait for an approval, or decides about one. */
export async function runApprovals(given: Given): Promise<number> {
  const client = clientOf(given);
  if (client !== undefined) {
    return act(given, {
      list: async () => dataOf(await client.listApprovals()),
      // A server knows from the credential who decides.
      decide: async (handle, verdict, { by: _, roles: __, ...facts }) => void dataOf(await client.decide(handle, verdict, facts)),
    });
  }
  return withCalls(given, ({ approvals }) =>
    act(given, {
      list: () => approvals.list(),
      async decide(handle, verdict, facts) {
        const decided = await approvals.decide(handle, verdict, { by: 'command line', ...facts });
        if (!decided.ok) throw new CliError(`Nothing was decided about ${handle}: ${refusalText(decided)}`);
      },
    }),
  );
}

async function act({ words, flags, terminal }: Given, source: ApprovalSource): Promise<number> {
  const [what = 'list', handle] = words;
  if (what === 'list') {
    const waiting = await source.list();
    if (flags.get('json') === true) await terminal.out(`${JSON.stringify(waiting, null, 2)}\n`);
    else for (const approval of waiting) await terminal.out(`${approvalText(approval, terminal.outPaint)}\n`);
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
  await source.decide(handle, what, readFacts(flags));
  terminal.say(what === 'approve' ? 'Approved. The call runs when it is made again.\n' : 'Denied. The call will not run.\n');
  return exitCodes.done;
}

/** Says why nothing was decided. */
function refusalText({ why, message, issues = [] }: Decided & { readonly ok: false }): string {
  if (why === 'forbidden') return message ?? 'you may not decide about it.';
  if (why === 'invalid') return `${issues.map(({ path, message }) => [...path, message].join(': ')).join('; ')}.`;
  return { unknown: 'there is no such approval.', decided: 'it is decided already.', expired: 'it has expired.' }[why];
}

function readFacts(flags: Given['flags']): DecisionFacts {
  const [reason, by, input] = ['reason', 'by', 'input'].map((name) => flags.get(name) as string | undefined);
  const roles = flags.get('role') as readonly string[] | undefined;
  return {
    ...(reason !== undefined && { reason }),
    ...(by !== undefined && { by }),
    ...(roles !== undefined && { roles }),
    ...(input !== undefined && { input: readInput(input) }),
  };
}

function readInput(text: string): JsonObject {
  try {
    const input: unknown = JSON.parse(text);
    if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input as JsonObject;
  } catch {
    // Said below.
  }
  throw usageError(`--input must be a JSON object, not ${plainLine(text).slice(0, 60)}.`);
}
