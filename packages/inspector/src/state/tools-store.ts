import { computed, signal } from '@preact/signals';
import type { ListedTool } from '../api/api-shapes.ts';
import { type ApiError, type Read, readForCaller } from '../api/ask-server.ts';
import { followCaller } from './follow-caller.ts';

interface ToolPage {
  readonly tools: readonly ListedTool[];
  readonly next?: number;
}

/** The tools of the server, in its order; undefined until they were read. */
export const tools = signal<readonly ListedTool[] | undefined>(undefined);
/** Why the tools could not be read. */
export const toolsFailure = signal<ApiError | undefined>(undefined);
/** The names of the tools. */
export const toolNames = computed(() => (tools.value ?? []).map(({ name }) => name));

/** Checks whether the server is known not to have a tool: models call tools that do not exist. */
export function isUnknownTool(name: string): boolean {
  return tools.value !== undefined && !tools.value.some((tool) => tool.name === name);
}

/** Keeps the list of tools: reads it again after each connection, because a server that came back may have others. */
export function watchTools(): void {
  const forget = (): void => {
    tools.value = undefined;
    toolsFailure.value = undefined;
  };
  followCaller(forget, () => void readTools());
}

async function readTools(): Promise<void> {
  const known: ListedTool[] = [];
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const read: Read<ToolPage> | undefined = await readForCaller<ToolPage>(`v1/tools?limit=1000&offset=${offset}`);
    if (read === undefined) return;
    if (read.error !== undefined) {
      toolsFailure.value = read.error;
      return;
    }
    known.push(...read.value.tools);
    offset = read.value.next;
  }
  tools.value = known;
  toolsFailure.value = undefined;
}
