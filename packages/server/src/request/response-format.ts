import { coded } from '@toolpact/origins/coded';
import { flat } from '@toolpact/origins/flat';
import { status } from '@toolpact/origins/status';
import { value } from '@toolpact/origins/value';
import type { Outcome } from 'toolpact';
import { type Dialect, problem } from 'toolpact/dialects';
import type { RequestHead } from './request-head.ts';

/** How the body of an answer looks: an outcome as it is, or in one of the dialects that travel over HTTP. */
export type FormatName = 'outcome' | 'flat' | 'coded' | 'value' | 'status' | 'problem';

/** A format that was selected. */
export interface ResponseFormat {
  readonly name: FormatName;
  /** Writes only what the format documents. */
  readonly strict: boolean;
}

/** The dialects, and whether they are strict unless a request asks for more: those of other systems are, whose readers may refuse what they do not know. */
const dialects: Readonly<Record<Exclude<FormatName, 'outcome'>, { readonly dialect: Dialect; readonly strict: boolean }>> = {
  flat: { dialect: flat, strict: true },
  coded: { dialect: coded, strict: true },
  value: { dialect: value, strict: true },
  status: { dialect: status, strict: true },
  problem: { dialect: problem, strict: false },
};

/** The names of all formats. */
export const formatNames: readonly FormatName[] = ['outcome', ...(Object.keys(dialects) as Exclude<FormatName, 'outcome'>[])];

/**
 * Reads which format a request selects: `?dialect=`, else the profile of a JSON type in `Accept`, else the default of its route.
 * Undefined when it names one that does not exist.
 */
export function selectFormat(head: Pick<RequestHead, 'search' | 'header'>, fallback: ResponseFormat): ResponseFormat | undefined {
  const query = new URLSearchParams(head.search);
  const name = query.get('dialect') ?? profileOf(head.header('accept')?.slice(0, maxAccept) ?? '') ?? fallback.name;
  if (!isFormatName(name)) return undefined;
  const strict = query.get('strict');
  if (strict === null) return name === fallback.name ? fallback : defaultFormats[name];
  return { name, strict: strict === '' || strict === 'true' || strict === '1' };
}

/** No more of `Accept` is searched: it is read before it is known who asks. */
const maxAccept = 1_000;

/** Writes an outcome in a format. */
export function encodeFormat(outcome: Outcome, { name, strict }: ResponseFormat): object {
  return name === 'outcome' ? outcome : dialects[name].dialect.encode(outcome, { strict });
}

/** The formats as they are when a request selects nothing more. */
export const defaultFormats = Object.fromEntries(
  formatNames.map((name) => [name, { name, strict: name === 'outcome' || dialects[name].strict }]),
) as Readonly<Record<FormatName, ResponseFormat>>;

/** Gives the format of a server that speaks one dialect: strict, because its readers know nothing else. Problem details take more fields by their nature. */
export function spokenFormat(name: FormatName | undefined): ResponseFormat | undefined {
  return name === undefined ? undefined : { name, strict: name !== 'problem' };
}

function isFormatName(name: string): name is FormatName {
  return formatNames.includes(name as FormatName);
}

/** Reads the profile of the first JSON type that has one: its value may be quoted, and may be a URI that ends in the name. */
function profileOf(accept: string): string | undefined {
  const match = /application\/(?:[\w.-]+\+)?json\s*;[^,]*?\bprofile\s*=\s*(?:"([^"]{0,200})"|([^\s;,"]{1,200}))/i.exec(accept);
  const profile = match?.[1] ?? match?.[2];
  return profile?.slice(Math.max(profile.lastIndexOf('/'), profile.lastIndexOf('#')) + 1);
}
