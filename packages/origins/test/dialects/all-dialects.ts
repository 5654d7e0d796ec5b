import { coded } from '@toolpact/origins/coded';
import { flat } from '@toolpact/origins/flat';
import { status } from '@toolpact/origins/status';
import { value } from '@toolpact/origins/value';
import { anthropic, gemini, mcp, openai, problem } from 'toolpact/dialects';
import type { Dialect } from 'toolpact/extend';

export type DialectName = 'flat' | 'coded' | 'value' | 'status' | 'mcp' | 'openai' | 'anthropic' | 'gemini' | 'problem';

/** The dialects of the origins and those of the library: no envelope may be taken for one of another dialect. */
export const dialects: Readonly<Record<DialectName, Dialect>> = { flat, coded, value, status, mcp, openai, anthropic, gemini, problem };
