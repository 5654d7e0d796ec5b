import type { Flag } from '../../settings/read-arguments.ts';
import type { Command } from '../command.ts';

const json: Flag = { kind: 'switch', about: 'Print JSON for programs.' };
const tenant: Flag = { kind: 'text', value: 'id', about: 'The tenant of the calls.' };
const url: Flag = { kind: 'text', value: 'url', about: 'Ask the server at this address, with TOOLPACT_API_KEY.' };

/** The commands that look at calls that were made. */
export const callCommands: Readonly<Record<string, Command>> = {
  calls: {
    takes: '[id]',
    words: [0, 1],
    summary: 'list recorded calls, newest first, or show one in full',
    about: 'Reads the store of `dev`, `serve` and `call`, the store of the toolbox that --tools names, or a running server.',
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
      tool: { kind: 'texts', value: 'name', about: 'Only calls of this tool. May be repeated.' },
      status: {
        kind: 'texts',
        value: 'word',
        choices: ['running', 'ok', 'partial', 'error', 'pending'],
        about: 'Only calls that are running, ok, partial, error or pending. May be repeated.',
      },
      kind: { kind: 'texts', value: 'kind', about: 'Only calls that failed like this. May be repeated.' },
      run: { kind: 'text', value: 'id', about: 'Only calls of this run.' },
      since: { kind: 'text', value: 'time', about: 'Only calls since this time: a date, or an age such as 10m, 2h, 1d.' },
      text: { kind: 'text', value: 'text', about: 'Only calls that contain this text.' },
      limit: { kind: 'text', value: 'n', about: 'Maximum number of calls. Default: 50.' },
      cursor: { kind: 'text', value: 'text', about: 'The cursor that the previous page printed.' },
      follow: { kind: 'switch', about: 'Print calls as they begin and end, until Ctrl-C.' },
      tenant,
      url,
    },
    load: async () => (await import('./run-calls.ts')).runCalls,
  },
  approvals: {
    takes: '[what] [handle…]',
    words: [0, 101],
    summary: 'list the calls that wait for approval, and decide them',
    about:
      'Actions: list (the default), approve, deny; decide goes through all of them, one by one; grants lists standing grants, and revoke ends one. For a toolbox of your own, such as one on Restate, name its file with --tools, or its server with --url.',
    examples: [
      ['toolpact approvals', 'what waits for approval'],
      ['toolpact approvals approve 01a1f493-48b0-78f9-87d4-000000000000', 'the same call, made again, then runs'],
      ['toolpact approvals deny 01a1f493-48b0-78f9-87d4-000000000000 --reason "too much"', ''],
      ['toolpact approvals approve 01a1f493-48b0-78f9-87d4-000000000000 --input \'{"order":"O-7","amount":40}\'', 'with other arguments'],
      [
        'toolpact approvals approve 01a1f493-48b0-78f9-87d4-000000000000 --grant session --let amount=..100 --for 2h',
        'and, for two hours, further calls of the session with an amount up to 100',
      ],
      ['toolpact approvals decide', 'one key for each: y, n, e to edit, a for all like it, s to skip, q'],
      ['toolpact approvals approve --like approval_0b1f5d0e-1c1e-4b2a-9d53-6f2a7c3e8d41', 'all similar calls of that run'],
      ['toolpact approvals grants', 'what may run without asking'],
      ['toolpact approvals revoke grant_0b1f5d0e-1c1e-4b2a-9d53-6f2a7c3e8d41', ''],
    ],
    groups: ['files'],
    flags: {
      json,
      reason: { kind: 'text', value: 'text', about: 'The reason; the model reads it.' },
      input: { kind: 'text', value: 'json', about: 'New arguments for the call, all of them.' },
      grant: {
        kind: 'text',
        value: 'whose',
        about: 'Also allow further equal calls without asking: of the same run, session or user.',
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
        about: 'Only calls like this one: same tool, argument names, run and user.',
      },
      all: { kind: 'switch', about: 'With grants: also those that have ended.' },
      by: { kind: 'text', value: 'name', about: 'Your name. A server takes it from the credential.' },
      role: { kind: 'texts', value: 'role', about: 'Your role, for tools that require one. May be repeated.' },
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
      'Earlier steps keep their results. A step that took effect, or may have, is not run twice. Uses the tools and the store of this project, or a running server.',
    examples: [
      ['toolpact rerun 01a1df05-a9a0-78b1-8ab6-000000000007', 'from the first step that has not ended'],
      ['toolpact rerun 01a1df05-a9a0-78b1-8ab6-000000000007 --from ship', 'from a step on'],
      ['toolpact rerun 01a1df05-a9a0-78b1-8ab6-000000000007 --url http://127.0.0.1:8787', 'on a server that has the tool'],
    ],
    groups: ['files', 'calls', 'guards'],
    flags: {
      json: { kind: 'switch', about: 'Print the whole outcome.' },
      from: { kind: 'text', value: 'step', about: 'The first step to run again. Default: the first that has not ended.' },
      sample: { kind: 'switch', about: 'Use the built-in sample tools.' },
      tenant,
      url,
    },
    load: async () => (await import('./run-rerun.ts')).runRerun,
  },
  cancel: {
    takes: '<id>',
    words: [1, 1],
    summary: 'stop a call that runs, sleeps or waits, in whichever process',
    about: 'Tells the process of the call, through the store or a server, and reports how the call ended.',
    examples: [
      ['toolpact cancel 01a1df05-a9a0-78b1-8ab6-000000000007', 'aborts its signal; it ends as cancelled'],
      ['toolpact cancel 01a1df05-a9a0-78b1-8ab6-000000000007 --url http://127.0.0.1:8787', 'by a server'],
    ],
    groups: ['files'],
    flags: { json: { kind: 'switch', about: 'Print everything about the call.' }, tenant, url },
    load: async () => (await import('./run-cancel.ts')).runCancel,
  },
  settle: {
    takes: '<handle> [json|-]',
    words: [1, 2],
    summary: 'give a pending call its result, or the answer it waits for',
    about:
      'Only the first result counts. A call that waits for an approval is decided with `toolpact approvals`. Uses the tools and the store of this project, or a running server.',
    examples: [
      ['toolpact settle call_0b1f5d0e-1c1e-4b2a-9d53-6f2a7c3e8d41 \'{"day":"Monday"}\'', 'the call continues with this answer'],
      ['toolpact settle call_0b1f5d0e-1c1e-4b2a-9d53-6f2a7c3e8d41 - < answer.json', 'from standard input'],
      ['toolpact settle call_0b1f5d0e-1c1e-4b2a-9d53-6f2a7c3e8d41 --fail "Nobody is there." --kind not_found', 'lets it fail'],
    ],
    groups: ['files', 'calls', 'guards'],
    flags: {
      json: { kind: 'switch', about: 'Print the whole outcome.' },
      fail: { kind: 'text', value: 'message', about: 'Fail the call with this message instead.' },
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
        'prints the result, or exits with 20 if it is still pending',
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
