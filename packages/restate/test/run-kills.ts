import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outcome } from 'toolpact';
import { bundleProgram } from '../../../proofs/crash/bundle-program.ts';
import type { Restate } from '../../../proofs/fixtures/start-restate.ts';
import { startMembers } from '../../../proofs/fleet/member-fleet.ts';
import { createCrashBox } from './crash-box.ts';
import { crashPoints, crashSteps, readLedger } from './crash-tool.ts';

export interface KillOptions {
  readonly restate: Restate;
  readonly folder: string;
  readonly name: string;
  readonly kills: number;
  readonly onKill?: () => void;
}

/** Findings of the kills: violations as sentences, and how the calls ended. */
export interface KillFindings {
  readonly broken: readonly string[];
  readonly kills: number;
  readonly ends: Readonly<Record<string, number>>;
}

/** Lets a worker die at every moment around each of five steps, again and again, and compares outcomes with a ledger outside. */
export async function runKills({ restate, folder, name, kills, onKill }: KillOptions): Promise<KillFindings> {
  const ledger = join(folder, `${name}.ledger`);
  writeFileSync(ledger, '');
  const program = await bundleProgram(folder, new URL('crash-worker.ts', import.meta.url));
  const fleet = await startMembers({
    size: 2,
    program,
    words: [name, ledger, '1000', restate.ingress],
    ...(onKill && { onDeath: onKill }),
  });
  const box = createCrashBox([restate.ingress], name, ledger);
  const broken: string[] = [];
  const ends: Record<string, number> = {};
  try {
    await restate.register(fleet.uri);
    const ids = Array.from({ length: kills }, (_, index) => `${name}-${index}`);
    for (const [index, id] of ids.entries()) {
      const diesAt = crashPoints[index % crashPoints.length] ?? '';
      const outcome = (await box.call('order', { id, diesAt })) as Outcome<string[]>;
      const again = (await box.call('order', { id, diesAt })) as Outcome<string[]>;
      const end = outcome.status === 'error' ? outcome.error.kind : outcome.status;
      ends[end] = (ends[end] ?? 0) + 1;
      broken.push(...judge(id, diesAt, outcome, again, readLedger(ledger)));
    }
    return { broken, kills: readLedger(ledger).filter((line) => line.startsWith('died ')).length, ends };
  } finally {
    fleet.close();
  }
}

function judge(id: string, diesAt: string, outcome: Outcome<string[]>, again: Outcome<string[]>, ledger: readonly string[]): string[] {
  const times = (line: string): number => ledger.filter((entry) => entry === line).length;
  const about = `${id}, killed ${diesAt}`;
  const isInterrupted = outcome.status === 'error' && outcome.error.kind === 'interrupted' && outcome.error.effect === 'unknown';
  const mayBeLost = crashSteps.some((step) => step.effects === 'writes' && [`before ${step.name}`, `inside ${step.name}`].includes(diesAt));
  const doubled = crashSteps.filter((step) => step.effects === 'writes' && times(`${step.name} ${id}`) > 1);
  return [
    ...(times(`died ${id}`) === 1 ? [] : [`${about}: its process did not die`]),
    ...doubled.map((step) => `${about}: ${step.name} was done ${times(`${step.name} ${id}`)} times`),
    ...(outcome.status === 'ok' || (isInterrupted && mayBeLost) ? [] : [`${about}: ended as ${JSON.stringify(outcome)}`]),
    ...(outcome.status === 'ok' && crashSteps.some(({ name }) => times(`${name} ${id}`) === 0) ? [`${about}: a step was left out`] : []),
    ...(again.status === outcome.status && again.meta.replayed === true ? [] : [`${about}: asked again, ${JSON.stringify(again)}`]),
  ];
}
