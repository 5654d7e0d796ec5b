import { createServer } from '@toolpact/server';
import { type Listening, listen } from '@toolpact/server/node';
import { fixtureSettings } from './configure-fixture.ts';
import { createFixtureToolbox } from './fixture-toolbox.ts';

/** Serves what the conformance suite asks for, on a free port of this machine. */
export function startFixture({ fastPath }: { readonly fastPath: boolean }): Promise<Listening> {
  const toolbox = createFixtureToolbox();
  const server = createServer(toolbox, { mcp: { ...fixtureSettings(toolbox), fastPath }, auditLog: false });
  return listen(server, { port: 0 });
}
