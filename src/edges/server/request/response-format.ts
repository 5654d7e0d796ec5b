import { coded, type Dialect, flat, problem, status, value } from '../../../core/dialects/index.ts';
import type { Outcome } from '../../../core/outcome/index.ts';
import type { Asked } from './request-head.ts';

/** How the body of an answer looks: an outcome as it is, or in one of the dialects that travel over HTTP. */
export type FormName = 'outcome' | 'flat' | 'coded' | 'value' | 'status' | 'problem';

/** A form that was selected. */
export interface Form {
  readonly name: FormName;
  /** Writes only what the format documents. */
  readonly strict: boolean;
}

/** The dialects, and whether they are strict unless a request asks for more: those of other systems are, whose readers may refuse what they do not know. */
const dialects: Readonly<Record<Exclude<FormName, 'outcome'>, { readonly dialect: Dialect; readonly strict: boolean }>> = {
  flat: { dialect: flat, strict: true },
  coded: { dialect: coded, strict: true },
  value: { dialect: value, strict: true },
  status: { dialect: status, strict: false },
  problem: { dialect: problem, strict: false },
};

/** The names of all forms. */
export const formNames: readonly FormName[] = ['outcome', ...(Object.keys(dialects) as Exclude<FormName, 'outcome'>[])];

/**
 * Reads which form a request selects: `?dialect=`, else the profile of a JSON type in `Accept`, else the usual one of its route.
 * Undefined when it names one that does not exist.
 */
export function selectForm(asked: Pick<Asked, 'search' | 'header'>, usual: FormName): Form | undefined {
  const { search } = asked;
  const accept = asked.header('accept');
  if (search === '' && (accept === undefined || !accept.includes('profile'))) return usualForms[usual];
  const query = new URLSearchParams(search);
  const named = query.get('dialect') ?? profileOf(accept?.slice(0, mostAccept) ?? '') ?? usual;
  if (!isFormName(named)) return undefined;
  const strict = query.get('strict');
  return strict === null ? usualForms[named] : { name: named, strict: strict === '' || strict === 'true' || strict === '1' };
}

/** No more of `Accept` is searched: it is read before it is known who asks. */
const mostAccept = 1_000;

/** Writes an outcome in a form. */
export function encodeForm(outcome: Outcome, { name, strict }: Form): object {
  return name === 'outcome' ? outcome : dialects[name].dialect.encode(outcome, { strict });
}

/** Gives a form as it is when a request selects nothing more. */
export const usualForms = Object.fromEntries(
  formNames.map((name) => [name, { name, strict: name === 'outcome' || dialects[name].strict }]),
) as Readonly<Record<FormName, Form>>;

function isFormName(name: string): name is FormName {
  return formNames.includes(name as FormName);
}

/** Reads the profile of the first JSON type that has one: its value may be quoted, and may be a URI that ends in the name. */
function profileOf(accept: string): string | undefined {
  const found = /application\/(?:[\w.-]+\+)?json\s*;[^,]*?\bprofile\s*=\s*(?:"([^"]{0,200})"|([^\s;,"]{1,200}))/i.exec(accept);
  const profile = found?.[1] ?? found?.[2];
  return profile?.slice(Math.max(profile.lastIndexOf('/'), profile.lastIndexOf('#')) + 1);
}
