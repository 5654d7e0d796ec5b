import type { Dialect } from './dialect.ts';
import { mcp } from './mcp.ts';
import { problem } from './problem.ts';
import { anthropic } from './providers/anthropic.ts';
import { gemini } from './providers/gemini.ts';
import { openai } from './providers/openai.ts';

/** Names one of the library's own dialects. */
export type DialectName = 'mcp' | 'openai' | 'anthropic' | 'gemini' | 'problem';

/** The library's own dialects by name. Those of the origins come from `@toolpact/origins`. */
export const dialects: Readonly<Record<DialectName, Dialect>> = Object.freeze({ mcp, openai, anthropic, gemini, problem });
