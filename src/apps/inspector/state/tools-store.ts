import { computed, effect, signal } from '@preact/signals';
import type { ListedTool } from '../api/api-shapes.ts';
import { ApiError, askServer, credential, tenant } from '../api/ask-server.ts';
import { connected } from './connection.ts';

/** The tools of the server, in its order; undefined until they were read. */
export const tools = signal<readonly ListedTool[] | undefined>(undefined);
/** Why the tools could not be read. */
export const toolsFailure = signal<ApiError | undefined>(undefined);
/** The names of the tools. */
export const toolNames = computed(() => (tools.value ?? []).map(({ name }) => name));

/** Keeps the list of tools: reads it again after each connection, because a server that came back may have others. */
export function watchTools(): void {
  effect(() => {
    void credential.value;
    void tenant.value;
    void connected.value;
    void readTools();
  });
}

async function readTools(): Promise<void> {
  try {
    const read: ListedTool[] = [];
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const page: { readonly tools: readonly ListedTool[]; readonly next?: number } = await askServer(
        `v1/tools?limit=1000&offset=${offset}`,
      );
      read.push(...page.tools);
      offset = page.next;
    }
    tools.value = read;
    toolsFailure.value = undefined;
  } catch (error) {
    toolsFailure.value = error instanceof ApiError ? error : new ApiError(0, String(error));
  }
}
