import { coded } from './coded/coded.ts';
import type { Dialect } from './dialect.ts';
import { flat } from './flat.ts';
import { mcp } from './mcp.ts';
import { problem } from './problem.ts';
import { anthropic } from './providers/anthropic.ts';
import { gemini } from './providers/gemini.ts';
import { openai } from './providers/openai.ts';
import { status } from './status.ts';
import { value } from './value.ts';

/** Names one of the nine dialects. */
export type DialectName = 'flat' | 'coded' | 'value' | 'status' | 'mcp' | 'openai' | 'anthropic' | 'gemini' | 'problem';

/** All nine dialects by name. */
export const dialects: Readonly<Record<DialectName, Dialect>> = Object.freeze({
  flat,
  coded,
  value,
  status,
  mcp,
  openai,
  anthropic,
  gemini,
  problem,
});
