import type { Flag } from '../../settings/read-arguments.ts';
import type { Command } from '../command.ts';

const json: Flag = { kind: 'switch', about: 'Print JSON for programs.' };
const tenant: Flag = { kind: 'text', value: 'id', about: 'The tenant of the calls.' };
const url: Flag = { kind: 'text', value: 'url', about: 'Ask the server at this address; TOOLPACT_API_KEY is sent along.' };

/** The commands that look at calls that were made. */
export const callCommands: Readonly<Record<string, Command>> = {
  calls: {
    takes: '[id]',
    words: [0, 1],
    summary: 'list recorded calls, newest first, or show all that is known of one',
    about:
      'Reads the store in which `dev`, `serve` and `call` keep their calls, or that of the toolbox which the files of --tools export, or asks a server that runs.',
    examples: [
      ['toolpact calls', 'the newest 50'],
      ['toolpact calls --tool search --kind timeout --since 2h', 'what timed out in two hours'],
      ['toolpact calls --status running --status pending', 'what has not ended'],
      ['toolpact calls --follow', 'live, until Ctrl-C'],
      ['toolpact calls 01a1df05-a9a0-78b1-8ab6-000000000007', 'one call: arguments, guards, attempts, what the model read'],
      ['toolpact calls --json --url http://127.0.0.1:8787', 'of a server, for programs'],
    ],
    groups: ['files'],
    flags: {
      json,
      tool: { kind: 'texts', value: 'name', about: 'Only calls of this tool; several times for several tools.' },
      status: {
        kind: 'texts',
        value: 'word',
        choices: ['running', 'ok', 'partial', 'error', 'pending'],
        about: 'Only calls that are running, ok, partial, error or pending; several times for several.',
      },
      kind: { kind: 'texts', value: 'kind', about: 'Only calls that failed like this; several times for several.' },
      run: { kind: 'text', value: 'id', about: 'Only calls of this run.' },
      since: { kind: 'text', value: 'time', about: 'Only calls that began then or later: a time, or how long ago, such as 10m, 2h, 1d.' },
      text: { kind: 'text', value: 'text', about: 'Only calls that contain this text.' },
      limit: { kind: 'text', value: 'n', about: 'How many at most. Default: 50.' },
      cursor: { kind: 'text', value: 'text', about: 'Where to go on, as the page before says.' },
      follow: { kind: 'switch', about: 'Print calls as they begin and end, until Ctrl-C.' },
      tenant,
      url,
    },
    load: async () => (await import('./run-calls.ts')).runCalls,
  },
  approvals: {
    takes: '[what] [handle…]',
    words: [0, 101],
    summary: 'list the calls that wait for an approval, and decide about them',
    about:
      'What to do: list, approve or deny; decide asks about each that waits, one by one; grants lists standing grants, and revoke ends one. Default: list. For a toolbox of your own, such as one on Restate, name its file with --tools, or a server that has it with --url.',
    examples: [
      ['toolpact approvals', 'who asks for what'],
      ['toolpact approvals approve 01a1f493-48b0-78f9-87d4-000000000000', 'the same call, made again, then runs'],
      ['toolpact approvals deny 01a1f493-48b0-78f9-87d4-000000000000 --reason "too much"', ''],
      ['toolpact approvals approve 01a1f493-48b0-78f9-87d4-000000000000 --input \'{"order":"O-7","amount":40}\'', 'with other arguments'],
      [
        'toolpact approvals approve 01a1f493-48b0-78f9-87d4-000000000000 --grant session --let amount=..100 --for 2h',
        'and further calls of the session with the same arguments and an amount up to 100, for two hours',
      ],
      ['toolpact approvals decide', 'answers with keys: y, n, e to change arguments, a for all like it, s to skip, q'],
      ['toolpact approvals approve --like approval_0b1f5d0e-1c1e-4b2a-9d53-6f2a7c3e8d41', 'all calls of that run that look alike'],
      ['toolpact approvals grants', 'what may run without a question'],
      ['toolpact approvals revoke grant_0b1f5d0e-1c1e-4b2a-9d53-6f2a7c3e8d41', ''],
    ],
    groups: ['files'],
    flags: {
      json,
      reason: { kind: 'text', value: 'text', about: 'Why; the model reads it.' },
      input: { kind: 'text', value: 'json', about: 'All of the arguments with which the call runs, where you change some.' },
      grant: {
        kind: 'text',
        value: 'whose',
        about: 'Allow further equal calls too, without a question: of the same run, session or user.',
      },
      let: {
        kind: 'texts',
        value: 'rule',
        about: 'Let an argument differ in these calls: amount=..100, amount=10..100, to=A-1,A-2 or note=*. May be repeated.',
      },
      for: { kind: 'text', value: 'time', about: 'For how long, such as 30m, 2h, 1d.' },
      uses: { kind: 'text', value: 'n', about: 'For how many calls.' },
      run: { kind: 'text', value: 'id', about: 'Only calls of this run.' },
      session: { kind: 'text', value: 'id', about: 'Only calls of this session.' },
      like: {
        kind: 'text',
        value: 'handle',
        about: 'Only calls that look like this one: same tool, arguments of the same names, same run and user.',
      },
      all: { kind: 'switch', about: 'Of grants: also those that count no more.' },
      by: { kind: 'text', value: 'name', about: 'Who decides. A server knows that from the credential.' },
      role: { kind: 'texts', value: 'role', about: 'A role of whoever decides, for tools that name roles. May be repeated.' },
      tenant,
      url,
    },
    load: async () => (await import('./run-approvals.ts')).runApprovals,
  },
  rerun: {
    takes: '<id>',
    words: [1, 1],
    summary: 'run a failed call with steps again, from one of its steps',
    about:
      'The steps that ended before it keep their results. A step that writes and has taken effect, or may have, is not run twice. Uses the tools and the store of this project, or asks a server that runs.',
    examples: [
      ['toolpact rerun 01a1df05-a9a0-78b1-8ab6-000000000007', 'from the first step that has not ended'],
      ['toolpact rerun 01a1df05-a9a0-78b1-8ab6-000000000007 --from ship', 'from a step on'],
      ['toolpact rerun 01a1df05-a9a0-78b1-8ab6-000000000007 --url http://127.0.0.1:8787', 'by a server that has the tool'],
    ],
    groups: ['files', 'calls', 'guards'],
    flags: {
      json: { kind: 'switch', about: 'Print the whole outcome.' },
      from: { kind: 'text', value: 'step', about: 'The first step that runs again. Default: the first that has not ended.' },
      sample: { kind: 'switch', about: 'Use the built-in sample tools.' },
      tenant,
      url,
    },
    load: async () => (await import('./run-rerun.ts')).runRerun,
  },
  cancel: {
    takes: '<id>',
    words: [1, 1],
    summary: 'stop a call that runs, sleeps or waits, in whichever process it is',
    about: 'Asks the process that runs the call through the store, or asks a server, and says how the call ended.',
    examples: [
      ['toolpact cancel 01a1df05-a9a0-78b1-8ab6-000000000007', 'its signal fires, and it ends as cancelled'],
      ['toolpact cancel 01a1df05-a9a0-78b1-8ab6-000000000007 --url http://127.0.0.1:8787', 'by a server'],
    ],
    groups: ['files'],
    flags: { json: { kind: 'switch', about: 'Print all that is known of the call.' }, tenant, url },
    load: async () => (await import('./run-cancel.ts')).runCancel,
  },
  settle: {
    takes: '<handle> [json|-]',
    words: [1, 2],
    summary: 'give a pending call its result, or the answer that it asks for',
    about:
      'Only the first result counts. A call that waits for an approval is decided with `toolpact approvals`. Uses the tools and the store of this project, or asks a server that runs.',
    examples: [
      ['toolpact settle call_0b1f5d0e-1c1e-4b2a-9d53-6f2a7c3e8d41 \'{"day":"Monday"}\'', 'the call goes on with this answer'],
      ['toolpact settle call_0b1f5d0e-1c1e-4b2a-9d53-6f2a7c3e8d41 - < answer.json', 'from standard input'],
      ['toolpact settle call_0b1f5d0e-1c1e-4b2a-9d53-6f2a7c3e8d41 --fail "Nobody is there." --kind not_found', 'lets it fail'],
    ],
    groups: ['files', 'calls', 'guards'],
    flags: {
      json: { kind: 'switch', about: 'Print the whole outcome.' },
      fail: { kind: 'text', value: 'message', about: 'Let the call fail with this message instead.' },
      kind: { kind: 'text', value: 'kind', about: 'The kind of that failure. Default: denied.' },
      sample: { kind: 'switch', about: 'Use the built-in sample tools.' },
      tenant,
      url,
    },
    load: async () => (await import('./run-settle.ts')).runSettle,
  },
  wait: {
    takes: '<handle>',
    words: [1, 1],
    summary: 'wait for the result of a pending call; the exit code says how it ended',
    examples: [
      [
        'toolpact wait call_0b1f5d0e-1c1e-4b2a-9d53-6f2a7c3e8d41 --seconds 60',
        'prints the result, or ends with 20 when it is still pending',
      ],
    ],
    groups: ['files'],
    flags: {
      json: { kind: 'switch', about: 'Print the whole outcome.' },
      seconds: { kind: 'text', value: 'n', about: 'How long to wait. Default: 30.' },
      tenant,
      url,
    },
    load: async () => (await import('./run-wait.ts')).runWait,
  },
};
