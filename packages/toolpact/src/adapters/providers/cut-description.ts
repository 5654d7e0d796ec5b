import { cutText } from '../../json/index.ts';

/** The longest description that OpenAI takes; it refuses the whole request for one that is longer. */
const longest = 1024;

/** Cuts the description of a tool to what OpenAI takes. Those of MCP servers are often longer. */
export function cutDescription(description: string): string {
  return cutText(description, longest);
}
