import { setTimeout as sleep } from 'node:timers/promises';
import type { Finding } from '@toolpact/testing';
import { createToolbox, defineTool, type Outcome } from 'toolpact';
import type { AdapterSubject } from '../suites/adapters/adapter-subject.ts';
import { checkAdapter } from '../suites/adapters/check-adapter.ts';
import type { Fault } from './fault.ts';
import { faults } from './faults.ts';
import { type BatteryHost, finalAnswer, type RunSetup } from './host.ts';
import { type Cell, type Ending, judge } from './judge.ts';
import { wraps } from './wraps.ts';

/**
 * The battery of one file of `hosts/` in this process, as lines of JSON: first the hosts, then a cell per host and fault.
 * `node --import ./scripts/resolve-source.ts proofs/battery/run-host.ts <file> [toolpact|bare] [all|together|alone|checks|a fault's title]`
 * With Toolpact, and unless faults are chosen, a line per host follows with what `checkAdapter` found.
 * Instead of the last word, a JSON list of `[host, fault]` pairs may be given.
 */

/** A line that this program prints. */
export type Line =
  | { readonly hosts: readonly HostFacts[] }
  | { readonly host: string; readonly cell: Cell }
  | { readonly host: string; readonly findings: readonly Finding[] };

/** The facts of a host. */
export type HostFacts = Omit<BatteryHost, 'run'>;

/** Longer than any run needs, however busy the machine is; the fault that hangs by design is given up much earlier. */
const patienceMs = 15_000;
const hangMs = 1500;

function isChosen({ name }: BatteryHost, { title, alone }: Fault, which: string): boolean {
  if (which.startsWith('[')) return (JSON.parse(which) as [string, string][]).some((pair) => pair[0] === name && pair[1] === title);
  return which === 'all' || (which === 'together' ? alone !== true : which === 'alone' ? alone === true : title === which);
}

/** Runs one fault in one host and judges what came of it. */
export async function runFault({ run, hasOutputSchema }: BatteryHost, mode: RunSetup['mode'], fault: Fault): Promise<Cell> {
  if (mode === 'bare' && fault.needsOutputSchema === true && hasOutputSchema !== true) return { fault: fault.title, code: '–', leaks: [] };
  const outcomes = new Map<string, Outcome>();
  const setup = mode === 'bare' ? ({ mode, tools: fault.tools, calls: fault.calls } as const) : toolpactSetup(fault, outcomes);
  const stop = new AbortController();
  const ending = await Promise.race<Ending>([
    run(setup).then(
      (record) => ({ record }),
      (thrown: unknown) => ({ thrown }),
    ),
    sleep(mode === 'bare' && fault.timeoutMs !== undefined ? hangMs : patienceMs, { hung: true as const }, { signal: stop.signal }),
  ]);
  stop.abort();
  // A rejection that nobody waits for shows itself only after the run.
  if (fault.alone === true) await sleep(50);
  return judge(fault, ending, mode === 'bare' ? undefined : outcomes);
}

function toolpactSetup({ tools, calls, timeoutMs }: Fault, outcomes: Map<string, Outcome>): RunSetup {
  const own = tools.map(({ name, description, input, output, run }) =>
    defineTool({
      name,
      description,
      input,
      ...(output !== undefined && { output }),
      effects: 'none',
      run: (args: unknown) => run(args as never),
    } as never),
  );
  const toolbox = createToolbox(own, { report: () => undefined, ...(timeoutMs !== undefined && { timeoutMs }) });
  toolbox.subscribe((event) => event.type === 'call-end' && outcomes.set(event.callId ?? '', event.outcome));
  return { mode: 'toolpact', toolbox, calls };
}

/** A host as `checkAdapter` wants it. */
export function toSubject({ name, run }: BatteryHost): AdapterSubject {
  const wrap = wraps[name];
  return {
    name,
    async run({ toolbox, call }) {
      const { answer, toModel } = await run({ mode: 'toolpact', toolbox, calls: [call] });
      return { ...toModel[call.id], ended: answer?.includes(finalAnswer) === true };
    },
    ...(wrap !== undefined && { wrap }),
  };
}

/** Waits until the line is written: the next fault may end the process. */
function print(line: Line): Promise<void> {
  return new Promise((resolve) => process.stdout.write(`${JSON.stringify(line)}\n`, () => resolve()));
}

if (import.meta.main) {
  const [file = '', mode = 'toolpact', which = 'all'] = process.argv.slice(2);
  const { hosts } = (await import(new URL(`hosts/${file}.ts`, import.meta.url).href)) as { hosts: readonly BatteryHost[] };
  await print({ hosts: hosts.map(({ run: _, ...facts }) => facts) });
  for (const host of hosts) {
    for (const fault of faults.filter((one) => isChosen(host, one, which))) {
      await print({ host: host.name, cell: await runFault(host, mode as RunSetup['mode'], fault) });
    }
    if (mode === 'toolpact' && /^(all|together|checks)$/.test(which)) {
      await print({ host: host.name, findings: await checkAdapter(toSubject(host)) });
    }
  }
  process.exit(0);
}
