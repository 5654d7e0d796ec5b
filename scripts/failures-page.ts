import { catalogue, type FailureKind, type Recovery } from 'toolpact';
import { authorMessagesSection } from './author-messages-section.ts';

/** Writes docs/failures.md: every kind of failure, derived from the catalogue. */
export async function failuresPage(): Promise<string> {
  const rows = Object.entries(catalogue).map(([kind, { recovery, retryable, http, httpUpstream }]) => {
    const status = httpUpstream === undefined ? `${http}` : `${http} (${httpUpstream} when upstream said so)`;
    return `| [\`${kind}\`](#${kind}) | ${explanations[kind as FailureKind].when} | \`${recovery}\` | ${retryable ? 'yes' : 'no'} | ${status} |`;
  });
  const sections = Object.entries(explanations).map(([kind, { when, next }]) => `### ${kind}\n\n${when} ${next}`);
  return `# Failures

<!-- Written by \`npm run docs\` from the catalogue. Do not edit. -->

A call never throws. When it fails, the model reads what happened and what to do next:

\`\`\`text
[error: rate_limited] Too many requests. (HTTP 429)
Next: Wait 8 s before trying again.
\`\`\`

Your code gets \`{ status: 'error', error: { kind, message, advice, recovery, retryable, effect, … } }\`:

\`\`\`ts
const outcome = await toolbox.call('search', { q: 'tea' });
if (outcome.status === 'error') {
  const { recovery, retryAfterMs = 1_000, message } = outcome.error;
  if (recovery === 'wait') console.log('again in', retryAfterMs, 'ms');
  else if (recovery === 'verify') console.log('it may have happened');
  else console.log(message);
}
\`\`\`

Three fields tell you what to do, and most programs need no others:

| field | question |
|---|---|
| \`recovery\` | What to do next? One of eight words. \`advice\` says it to the model, in a sentence |
| \`retryable\` | May the same call succeed later? If so, \`recovery\` is \`wait\`, and \`retryAfterMs\` is set if the service said how long |
| \`effect\` | Did the call change anything before it failed? \`none\`, \`applied\` or \`unknown\` |

## What to do next

| recovery | what to do |
|---|---|
${recoveries.map((recovery) => `| \`${recovery}\` | ${nextSteps[recovery]} |`).join('\n')}

## Did anything happen?

A tool that changes nothing (\`effects: 'none'\`) always fails with effect \`none\`. For a tool that writes, it depends on the failure:

| what failed | effect | recovery |
|---|---|---|
| it was refused before the tool ran: wrong arguments, a guard, a limit | \`none\` | that of its kind |
| the tool or the service refused, and that proves that nothing happened: \`fail\` with a refusing kind, a refused connection, or status 400, 401, 403, 404, 409, 422 or 429 | \`none\`: the key is free, and \`retry\` repeats what is \`rate_limited\` | that of its kind |
| only the words of an error say that it was refused ("… not found") | \`unknown\`: Toolpact does not repeat it, and the key stays taken | that of its kind |
| it may have failed after the change: ${lateKinds.join(', ')} | \`unknown\` | \`verify\` |
| \`failed\`, in a tool that declares \`effects: 'writes'\` or has begun a step | \`unknown\` | \`verify\` |
| \`failed\`, in a tool that does not declare its effects | \`unknown\` | \`see_message\` |
| anything after a step has returned | \`applied\` | \`verify\`, or \`wait\` if its steps are stored |

The refusing kinds are ${refusals.join(', ')}. \`all_failed\` follows its items. A tool that refuses a call after it has changed something must say so:
\`fail('not_found', …, { effect: 'applied' })\`. [Steps](steps.md) make all of this exact.

## The kinds

\`kind\` says what went wrong, and is the same for every library. These are all of them:

| kind | when | recovery | retryable | HTTP |
|---|---|---|---|---|
${rows.join('\n')}

Three exceptions: transaction conflicts are retryable; TLS failures, and upstream failures other than 5xx, are not.

${sections.join('\n\n')}

## What a thrown error means

To choose the kind yourself, throw or return \`fail('not_found', …)\`. Anything else that a tool throws is classified, in this order:

1. **Structure**: a status, a system or service code, the name of the error, the response, and its causes. Words can
   outweigh a status: a 403 that says "rate limit" is \`rate_limited\`.
2. **Words about the arguments** ("not found", "must be", "already exists"), if the message repeats something of the call: a value that the model sent, or
   the name of a parameter. Small numbers and ordinary words have to be in quotes, or alone after a colon.
3. **Words that blame no argument**: "rate limit", "timed out", "not logged in", "API_KEY is not set", or a status at the end, such as
   \`: 503\`.
4. **Sentences about the program itself**, such as "requests per minute must be positive", are not read as
   advice for the model, whatever their words.
5. **Bugs** are \`internal\`: a \`TypeError\`, a message of the JavaScript engine, a broken invariant.
6. **Everything else** is \`failed\`. The model reads the message, and the advice is to follow it.

Only the first line is searched for words, because the rest may quote a program or a stack. The same error means the same in a source file, bundled, minified, or installed below \`node_modules\`; only a \`name\` that is taken from the class (\`this.name = this.constructor.name\`) is lost to a minifier, so write it as a text. With \`classify: 'structure'\`, only the first point counts, and the rest is \`internal\`.

Messages of public tool servers, thrown as a plain \`Error\` by a tool that changes nothing:

${await authorMessagesSection()}
`;
}

const kinds = Object.keys(catalogue) as FailureKind[];
const refusals = kinds.filter((kind) => catalogue[kind].refusal).map((kind) => `\`${kind}\``);
const lateKinds = kinds
  .filter((kind) => !catalogue[kind].refusal && kind !== 'failed' && kind !== 'all_failed')
  .map((kind) => `\`${kind}\``);

const nextSteps: Record<Recovery, string> = {
  fix_input: 'Change the arguments, then call again.',
  wait: 'Call again later, after `retryAfterMs` if it is set.',
  verify: 'Find out whether it happened before you repeat it.',
  reauth: 'Have the credential renewed.',
  ask_user: 'Ask the user: the call is not allowed, or was denied.',
  other_tool: 'Use another tool, or another approach.',
  stop: 'Stop: nothing that the caller can change will help.',
  see_message:
    "Read the message, which the tool's author wrote. Correct what it names, or try another approach, but do not repeat the call unchanged. If the message is withheld (`expose: 'authored'`), the recovery is `stop`, and the advice names the `debugId` with which an operator finds the cause.",
};
const recoveries = Object.keys(nextSteps) as Recovery[];

const explanations: Record<FailureKind, { readonly when: string; readonly next: string }> = {
  invalid_input: {
    when: 'The arguments do not fit the schema, or break a rule of the tool.',
    next: '`issues` names each field by path, what was expected and what was received. Change the arguments.',
  },
  unknown_tool: {
    when: 'No tool has this name, the name is ambiguous, or the tool is disabled.',
    next: '`details.candidates` ranks the nearest names. Call one of those.',
  },
  not_found: {
    when: 'The requested thing does not exist.',
    next: "Check the name or id. An empty list is not a failure, unless the tool says `fail('not_found', …)`.",
  },
  unauthenticated: {
    when: 'A credential was rejected or has expired.',
    next: 'Renew the credential; repeating the call will not help.',
  },
  forbidden: { when: 'The caller is known but not allowed to do this.', next: 'Ask the user for access, or do something else.' },
  denied: {
    when: 'A person, a policy or a guardrail said no; nothing ran.',
    next: 'This is not a fault. Do not repeat the call; ask the user.',
  },
  conflict: {
    when: 'The thing already exists, or a version or unique key clashes.',
    next: 'Look at the current state first. Deadlocks and serialisation failures are retryable.',
  },
  not_ready: { when: 'A session, resource or backend is not initialised yet.', next: 'Wait and repeat.' },
  not_configured: { when: 'A key or setting of the tool is missing.', next: 'An operator has to set it; nothing a model does will help.' },
  rate_limited: {
    when: 'Too many requests, by the limits of the service or your own.',
    next: 'Wait for `retryAfterMs` if it is set, then repeat.',
  },
  budget_exhausted: { when: 'The tokens, money or quota for this are spent.', next: 'Stop until the limit is raised.' },
  timeout: {
    when: 'The deadline passed before the tool finished.',
    next: 'Repeat if `retryable`; otherwise verify first, because the work may have been done.',
  },
  cancelled: { when: 'The caller stopped the call.', next: 'This is not a fault. Do not repeat the call.' },
  interrupted: { when: 'The process that ran the call died.', next: 'Verify whether the work was done before repeating it.' },
  unreachable: {
    when: 'The upstream service could not be reached: DNS, connect, reset or TLS.',
    next: 'Wait and repeat. A certificate that is not trusted is not retryable.',
  },
  upstream: { when: 'The upstream service returned an error.', next: '`upstream.status` is its status. 5xx answers are retryable.' },
  bad_response: { when: 'The response of the upstream service could not be parsed.', next: 'Use another tool, or another approach.' },
  too_large: { when: 'A payload, context or result exceeds a limit.', next: 'Send less, or ask for less.' },
  unsupported: { when: 'The method, media type or operation is not supported.', next: 'Use another tool, or another approach.' },
  invalid_output: {
    when: 'The tool broke its own output schema.',
    next: 'This is a fault of the tool; its author finds the cause under `debugId`.',
  },
  all_failed: { when: 'Every item of a batch failed.', next: '`recovery` and `retryable` follow the items, which are in `failures`.' },
  failed: {
    when: 'The tool threw an error whose message fits no other kind.',
    next: "The message says what happened. If it names something you sent, correct that; otherwise try another approach. Do not repeat the call unchanged. Authors choose a better kind with `fail('not_found', …)` instead of a plain `Error`.",
  },
  internal: {
    when: 'A bug: a `TypeError`, a failed assertion, or an error of our own.',
    next: 'This is a fault of the tool; its author finds the cause under `debugId`.',
  },
};
