import type { ToolChange } from '@toolpact/testing';
import type { ToolDeclaration } from 'toolpact';
import { defineGuard, type Guard } from 'toolpact/extend';
import type { DriftMode } from './rules.ts';

/** A tool whose contract is no longer the accepted one. */
export type ToolDrift = {
  readonly mode: DriftMode;
  /** Of the contract with these changes. */
  readonly fingerprint: string;
  readonly changes: readonly ToolChange[];
};

/** Places that the words of a change name. */
const spoken: ReadonlySet<string> = new Set(['description', 'effects']);
/** The most changes that a model or a person is told in one sentence. */
const maxTold = 3;

/** Creates the guard that keeps changed tools from running, or warns of them; `driftOf` gives the drift of a tool by its name in the gateway. */
export function driftGuard(driftOf: (tool: string) => ToolDrift | undefined): Guard {
  return defineGuard({
    name: 'drift',
    phase: 'policy',
    around(call, next) {
      const drift = driftOf(call.tool.name);
      if (drift?.mode === 'block')
        return call.refuse('denied', `${call.tool.name} did not run: ${driftText(drift)}.`, {
          code: 'contract_changed',
          effect: 'none',
          advice:
            'Do not repeat the call. Tell the user that the tool has changed, and that they can read and accept the change with `toolpact wrap --accept` or on the page of the gateway.',
        });
      if (drift?.mode === 'warn') call.warn(`contract_changed: ${driftText(drift)}`);
      return next();
    },
  });
}

/** Asks a person for each call of a changed tool, if its drift wants that. */
export function askAboutDrift(tool: string, drift: ToolDrift | undefined): ToolDeclaration {
  return drift?.mode === 'ask' ? { approval: `${tool}: ${driftText(drift)}. Run it anyway?` } : {};
}

/** Says what has changed, without the words of the server. */
export function driftText({ changes }: Pick<ToolDrift, 'changes'>): string {
  const told = changes.slice(0, maxTold).map(({ place, message }) => (spoken.has(place) ? message : `${place}: ${message}`));
  const more = changes.length - told.length;
  return `its server changed it since it was accepted (${told.join('; ')}${more > 0 ? `; and ${more} more` : ''})`;
}
