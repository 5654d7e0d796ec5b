import type { Variant } from '../proofs/kill/host.ts';
import type { Cell } from '../proofs/kill/judge.ts';
import { type MomentName, moments } from '../proofs/kill/moments.ts';
import { type HostResult, readResults } from '../proofs/kill/results.ts';

const variantTitles: Readonly<Record<Variant, string>> = {
  alone: 'alone',
  key: 'with a key by hand',
  toolpact: '**with Toolpact**',
  unsure: '**with Toolpact**, and a service that cannot be asked',
};

const momentNames = Object.keys(moments) as MomentName[];

/** Writes docs/who-pays-twice.md from what the kill battery measured. */
export function killPage(): string {
  const { date, hosts } = readResults();
  const all = Object.entries(hosts).sort(([a], [b]) => order(a) - order(b));
  const rows = all.flatMap(([, host]) =>
    (Object.keys(variantTitles) as Variant[]).flatMap((variant) => {
      const cells = host.cells[variant];
      if (cells === undefined) return [];
      return [`| ${host.title}, ${variantTitles[variant]} | ${momentNames.map((moment) => cellText(cells[moment])).join(' | ')} |`];
    }),
  );
  const setups = all.map(
    ([name, host]) => `| \`${name}\` | ${host.title} | ${host.mode} ${source(host)} | ${host.key ?? 'none offered'} |`,
  );
  return `# Who pays twice

<!-- Written by \`npm run docs\` from proofs/kill/results.json. Do not edit. -->

An agent pays an invoice, and its process is killed. It is started again as the framework's documentation says, and
brought to its end. How often was the invoice paid? Frameworks that call themselves durable say in their documentation
that a tool may run again after a crash. Here it is measured: ${countCells(all.map(([, host]) => host))} runs on ${date}, each with real processes, \`SIGKILL\`, and a payment service that records what it was asked. The machine had two cores and was busy with other work (load 8 to 18).

| | ${momentNames.map((moment) => `\`${moment}\``).join(' | ')} |
|---|${momentNames.map(() => '---').join('|')}|
${rows.join('\n')}

- **1**: paid once, and the model was told so. **×2**: paid twice, while the model was told of one payment.
- **1, unknown**: paid at most once, and the model was told that it may have been paid. **0, unknown**: the same, and it was not.
- **0, lost** and **1, lost**: the run could not be continued; what was paid is not known to anybody in the program.
  **stuck**: the same, and nobody is told.
- **restarted**: a process that resumed the run stood still for 45 s, and was started once more.
- **–**: the host does not offer this.

| moment | when the process is killed |
|---|---|
${momentNames.map((moment) => `| \`${moment}\` | ${moments[moment].about} |`).join('\n')}

## What it means

- **A checkpoint does not make a payment happen once.** Every host that was measured runs a tool again if its process
  died after the payment and before the result was stored. No engine can close this gap by itself: the payment is in
  another system. The documentations say so: LangGraph's asks for idempotent side effects, [that of DBOS](https://docs.dbos.dev/explanations/how-workflows-work)
  says that a step without a stored output is executed again, and [that of WorkflowAgent](https://ai-sdk.dev/docs/agents/workflow-agent) that
  replay does not guarantee exactly-once effects for an interrupted attempt.
- **A key by hand works where two things are true**: the service knows idempotency keys, and the key stays the same. A key
  made of the id of a tool call survives a resumed run. It does not survive a model that reads "fetch failed" and calls
  again (\`answer-lost\`), nor a host that asks the model anew after a crash. A key made of what must not happen twice, here
  the number of the invoice, survives both.
- **With Toolpact** the tool declares that key (\`idempotency\`), a step, and how to find out what became of it (\`reconcile\`).
  The payment service of these rows was given no key. The next process asks the service, and pays only if nothing is there.
- **A service that cannot be asked** and knows no keys leaves one honest answer: it may have happened
  (\`effect: 'unknown'\`). Toolpact says so and does not pay again. Somebody has to look.
- **An approval is not a key.** eve's documentation says that a charge behind an approval
  [cannot fire from a re-run step without a fresh decision](https://github.com/vercel/eve/blob/main/docs/tools/human-in-the-loop.md).
  In version 0.80.1 one approval was followed by two payments (\`after-approval\`), as in every other host that asks.
- **Mastra** ends each run that was killed while it was running with an error: recovering durable agents is broken in the
  measured version ([mastra#22636](https://github.com/mastra-ai/mastra/issues/22636), open). Toolpact cannot
  bring such a run back; it keeps it from paying twice.
- **Workflow 5 is a beta**, and \`WorkflowAgent\` (\`@ai-sdk/workflow\` 2.0.43) and eve 0.80.1 need it. After a kill, its local
  world stood still in some runs: until the process was started once more (restarted), or for good (stuck). On 19 November
  2026 that were 4 of 24 killed runs of eve and 2 of 24 of \`WorkflowAgent\` (4 of 23 with a lease of 10 s). Which cells it hits
  changes from one measurement to the next, so they were measured again, and the table shows the run that ended. With
  Toolpact's tools none of them paid twice.

## How it is set up

The model is a script: it calls \`pay\`, reads the result, and ends. If the result says that the call failed, and not that
it may have taken effect, it calls once more, as models do. Each question to it gives tool calls new ids, as real models
do. For \`between-tools\` it makes two calls in one turn, and the host gets a second to store the first result.

| host | | durable mode, and how it is started again | the key by hand |
|---|---|---|---|
${setups.join('\n')}

The tools with Toolpact are the same in every host: a SQLite file, \`steps: true\`, \`idempotency: { key }\` and
\`reconcile\`, as in [remembering calls](remembering-calls.md). They are in \`proofs/kill/life.ts\`, the hosts in \`proofs/kill/hosts\`.

\`\`\`sh
npm run battery:kill -- --host dbos --moment after-payment --variant alone    # one cell; its history is in .cache/kill
npm run battery:kill                                                          # the whole table
npm run proof -- kill                                                         # the rows with Toolpact; fails if one pays twice
\`\`\`

The last of them held on 19 November 2026: 104 runs in 748 s, at a load of 9 to 16 ([proofs](proofs.md)).

## What it does not show

- **Power loss, or a killed database.** Only the process of the agent is killed; PostgreSQL and Restate live on.
- **How often a crash hits the gap.** The kill is aimed at it. In production it is rare, and rare times many is often.
- **Real models**, which may notice a payment in their history, or call three times.
- **Hosts that could not run here**: Inngest's dev server is a binary that npm does not carry. Temporal, Trigger.dev and
  Cloudflare need servers of their own.
- **The default lease of Workflow 5.** It takes over a step of a dead process after 860 s; here that is 2 s, in eve 10 s.
- **LangGraph's SQLite checkpointer** ran on \`node:sqlite\` in place of \`better-sqlite3\`, whose binary must be compiled.
- **One run for each cell.** Each cell was made to happen once, not sampled.

To do this to tools of your own, use [\`toolpact check --crash\`](testing.md#kill-your-own-tools).
`;
}

const places = [
  'bare',
  'openai-agents',
  'strands',
  'langgraph-sqlite',
  'langgraph-postgres',
  'mastra',
  'vercel-workflow',
  'workflow-agent',
  'eve',
  'dbos',
  'restate',
];

function order(name: string): number {
  const place = places.indexOf(name);
  return place < 0 ? places.length : place;
}

function cellText(cell: Cell | undefined): string {
  if (cell === undefined) return '–';
  const { stalls, ...rest } = cell;
  if (stalls !== undefined && rest.end === 'answered') return `${cellText(rest)}, restarted`;
  const { paid, end, told } = rest;
  if (paid > 1) return `**×${paid}**${end === 'answered' ? '' : ', lost'}`;
  if (end !== 'answered') return `${paid}, ${end === 'stuck' ? 'stuck' : 'lost'}`;
  if (told === 'unknown') return `${paid}, unknown`;
  return told === 'paid' ? String(paid) : `${paid}, told ${told}`;
}

function source({ documentation, versions }: HostResult): string {
  const named = Object.entries(versions).map(([name, version]) => `\`${name}\` ${version}`);
  return `([documentation](${documentation})${named.length === 0 ? '' : `; ${named.join(', ')}`})`;
}

function countCells(hosts: readonly HostResult[]): number {
  return hosts.flatMap(({ cells }) => Object.values(cells)).reduce((sum, row) => sum + Object.keys(row ?? {}).length, 0);
}
