import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { toolpact } from './run-toolpact.ts';

/** A service that keeps its callers waiting until it is told to answer. */
export interface GateService {
  readonly url: string;
  /** Resolves when a call waits. */
  readonly entered: Promise<void>;
  readonly open: (answer: string) => void;
}

/** Starts such a service on this machine. */
export async function startGate(): Promise<GateService> {
  const waiting: ServerResponse[] = [];
  let enter: () => void = () => undefined;
  const entered = new Promise<void>((resolve) => {
    enter = resolve;
  });
  const server = createServer((_, response) => {
    waiting.push(response);
    enter();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    entered,
    open: (answer) => {
      for (const response of waiting) response.end(answer);
    },
  };
}

/** The text of a tool file whose tool waits for the service, and one that does not. */
export function waitingFile(url: string, says: string): string {
  return `import { defineTool } from ${JSON.stringify(toolpact)};
export const wait = defineTool({ name: 'wait', description: 'Waits.', effects: 'none', run: async (_, { signal }) => ${JSON.stringify(says)} + (await (await fetch(${JSON.stringify(url)}, { signal })).text()) });
export const hello = defineTool({ name: 'hello', description: 'Says hello.', effects: 'none', run: () => ${JSON.stringify(says)} });
`;
}
