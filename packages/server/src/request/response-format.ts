import type { Outcome } from 'toolpact';
import { problem } from 'toolpact/dialects';
import type { RequestHead } from './request-head.ts';
import type { AnswerForm, ServedDialect } from './served-dialect.ts';

/** A format that was selected for the body of an answer. */
export interface ResponseFormat {
  /** `outcome`, or the name of the dialect. */
  readonly name: string;
  /** Writes only what the format documents. */
  readonly strict: boolean;
  /** Absent where outcomes are written as they are. */
  readonly dialect?: ServedDialect;
}

/** The formats of one server: outcomes as they are, the dialects that it was given, and problem details. */
export interface Formats {
  readonly names: readonly string[];
  readonly dialects: readonly ServedDialect[];
  /** The format of every answer unless a request selects another one; undefined where each route has its own. */
  readonly spoken: ResponseFormat | undefined;
  /** Returns a format as it is when a request selects nothing more. */
  readonly of: (form: AnswerForm) => ResponseFormat;
  /**
   * Reads which format a request selects: `?dialect=`, else the profile of a JSON type in `Accept`, else `fallback`. Undefined when it names one
   * that does not exist.
   */
  readonly select: (head: Pick<RequestHead, 'search' | 'header'>, fallback: ResponseFormat) => ResponseFormat | undefined;
}

const outcomes: ResponseFormat = { name: 'outcome', strict: true };
// Problem details take more fields by their nature.
const problems: ResponseFormat = { name: 'problem', strict: false, dialect: problem };

/** Creates the formats of a server. Other dialects are strict unless a request asks for more: their readers may refuse what they do not know. */
export function createFormats(dialects: readonly ServedDialect[], spoken?: AnswerForm): Formats {
  const given = dialects.filter((dialect) => dialect !== problem);
  const all = [outcomes, ...given.map((dialect) => ({ name: dialect.name, strict: true, dialect })), problems];
  const byName = new Map(all.map((format) => [format.name, format]));
  const of = (form: AnswerForm): ResponseFormat => byName.get(form === 'outcome' ? form : form.name) ?? problems;
  return {
    names: [...byName.keys()],
    dialects: given,
    spoken: spoken && of(spoken),
    of,
    select(head, fallback) {
      const query = new URLSearchParams(head.search);
      const name = query.get('dialect') ?? profileOf(head.header('accept')?.slice(0, maxAccept) ?? '') ?? fallback.name;
      const selected = name === fallback.name ? fallback : byName.get(name);
      const strict = query.get('strict');
      if (selected === undefined || strict === null) return selected;
      return { ...selected, strict: strict === '' || strict === 'true' || strict === '1' };
    },
  };
}

/** No more of `Accept` is searched: it is read before it is known who asks. */
const maxAccept = 1_000;

/** Writes an outcome in a format. */
export function encodeFormat(outcome: Outcome, { dialect, strict }: ResponseFormat): object {
  return dialect === undefined ? outcome : dialect.encode(outcome, { strict });
}

/** Reads the profile of the first JSON type that has one: its value may be quoted, and may be a URI that ends in the name. */
function profileOf(accept: string): string | undefined {
  const match = /application\/(?:[\w.-]+\+)?json\s*;[^,]*?\bprofile\s*=\s*(?:"([^"]{0,200})"|([^\s;,"]{1,200}))/i.exec(accept);
  const profile = match?.[1] ?? match?.[2];
  return profile?.slice(Math.max(profile.lastIndexOf('/'), profile.lastIndexOf('#')) + 1);
}
