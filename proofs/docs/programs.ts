import { readFileSync } from 'node:fs';

/** One block of a page that a reader pastes. */
export interface Block {
  readonly language: 'ts' | 'sh';
  readonly text: string;
  /** The file that the first line of a program names. */
  readonly file: string | undefined;
  /** Whether the page says that its commands fail. */
  readonly fails: boolean;
  /** The lines that the page shows after it: they are printed. */
  readonly prints: readonly string[];
}

const block = /^```(ts|sh)( fails)?\n([\s\S]*?)^```\n(?:(?:(?!^```|^#)[\s\S])*?^```text\n([\s\S]*?)^```)?/gm;

/** Reads the programs and commands of a page, in order, each with the output that the page shows after it. */
export function blocksOf(page: string): Block[] {
  const text = readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8');
  return [...text.matchAll(block)].map(([, language, fails, content = '', output = '']) => ({
    language: language as Block['language'],
    text: content,
    file: language === 'ts' ? /^\/\/ (\S+\.ts)\n/.exec(content)?.[1] : undefined,
    fails: fails !== undefined,
    prints: output.split('\n').filter((line) => line.trim() !== ''),
  }));
}
