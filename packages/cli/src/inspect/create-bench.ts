import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { InspectorBench } from '@toolpact/server';
import { diffTools, lockTools, readLock, reportOnTools, type ToolSubject, withFaults } from '@toolpact/testing';
import { memoryStore } from 'toolpact/stores/memory';
import { lockFile } from '../commands/run-lock.ts';
import type { LoadedTools } from '../load/load-tools.ts';
import { wireToolbox } from '../load/wire-toolbox.ts';
import type { Settings } from '../settings/read-settings.ts';
import { pageFaults } from './page-faults.ts';

/** Creates the actions of the inspector page that only a developer's server offers. */
export function createBench(loaded: LoadedTools, settings: Settings, cwd: string): InspectorBench {
  // Like `toolpact check`: one attempt each, no tool added, nothing kept.
  const subject = (): ToolSubject => wireToolbox(loaded, { ...settings, retryAttempts: 1, spill: false, setBy: new Map() }, memoryStore());
  return {
    faults: Object.entries(pageFaults).map(([name, { description }]) => ({ name, description })),
    breakWith: (toolbox, name) => {
      const { fault, timeoutMs } = pageFaults[name] ?? unknownFault(name);
      return { toolbox: withFaults(toolbox, fault), ...(timeoutMs !== undefined && { timeoutMs }) };
    },
    check: async (tools) => {
      // Loaded when needed: a server starts without the validator.
      const { fromJsonSchema } = await import('@toolpact/openapi');
      return reportOnTools(subject(), { schema: fromJsonSchema, timeoutMs: 2_000, ...(tools !== undefined && { only: tools }) });
    },
    lockOf: async (tool) => compareWithLock(tool, subject(), resolve(cwd, lockFile)),
  };
}

async function compareWithLock(tool: string, subject: ToolSubject, path: string): ReturnType<InspectorBench['lockOf']> {
  if (!existsSync(path)) return { state: 'missing', changes: [] };
  const before = readLock(JSON.parse(readFileSync(path, 'utf8')));
  if (!Object.hasOwn(before.tools, tool)) return { state: 'missing', changes: [] };
  const changes = diffTools(before, await lockTools(subject)).flatMap((change) => (change.tool === tool ? [{ ...change }] : []));
  return { state: changes.length === 0 ? 'same' : 'changed', changes };
}

/** The server takes only faults that it has listed. */
function unknownFault(name: string): never {
  throw new Error(`there is no fault ${name}`);
}
