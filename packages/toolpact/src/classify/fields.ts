import { once } from '../json/index.ts';
import { namesOf } from './names-of.ts';

/** The meaning of a property of a thrown value, a response or a body. */
export type Role =
  | 'status'
  | 'headers'
  | 'url'
  | 'request'
  | 'requestId'
  | 'code'
  | 'type'
  | 'errorType'
  | 'issue'
  | 'issues'
  | 'timeout'
  | 'cancelled'
  | 'killed'
  | 'seconds'
  | 'milliseconds'
  | 'moment'
  | 'own'
  | 'cause'
  | 'theirs';

/** A property name that means something. */
export interface Field {
  readonly name: string;
  readonly role: Role;
  readonly rank: number;
}

/**
 * The names under which libraries keep what went wrong, in lower case and without signs. Rows and names are read in this order: a
 * sentence before a cause, a cause before an answer. `own` is what this side says, `cause` the error behind it, `theirs` what the other side said.
 */
// biome-ignore format: one role, one line
const table: readonly (readonly [Role, string])[] = [
  ['status', 'status statuscode responsestatuscode httpstatus httpstatuscode httpcode responsecode upstreamstatus'],
  ['headers', 'headers responseheaders responseheader rawheaders internalrepr'],
  ['url', 'url uri href endpoint'],
  ['request', 'config request options req'],
  ['requestId', 'requestid correlationid'],
  ['code', 'code errno codename sqlstate errorcode declinecode'],
  ['type', 'type kind tag category'],
  ['errorType', 'errortype'],
  ['issue', 'path instancepath constraints property'],
  ['issues', 'issues arkerrors'],
  ['timeout', 'timedout'],
  ['cancelled', 'iscanceled'],
  ['killed', 'killed'],
  ['seconds', 'retryafter retryafterseconds retrydelay retryin resetin backoff estimatedtime'],
  ['milliseconds', 'retryafterms retryafterinms retrydelayms msbeforenext'],
  ['moment', 'retryat resetat resetsat resettime'],
  ['own', 'message errordescription errormessage errorsummary detail details statusdetails description errmsg msg title reason shortmessage stderr'],
  ['cause', 'cause original originalerror parent lasterror inner innererror err exception networkerror drivererror'],
  ['theirs', 'response rawresponse httpresponse resp res data json'],
  ['own', 'meta metadata output context info graphqlerrors parameters properties'],
  ['theirs', 'error errors odataerror errordata smtp body errorresponse extensions attributes responsebody result'],
  ['own', 'text content'],
];

const known = new Map<string, Omit<Field, 'name'>>();
for (const [role, names] of table) for (const name of names.split(' ')) known.set(name, { role, rank: known.size });

/** Lists the properties of a node that mean something, in reading order. The stack and everything unknown stay untouched. */
export function fieldsOf(node: object, names = namesOf(node)): readonly Field[] {
  const fields: Field[] = [];
  for (const name of names) add(fields, fieldOf(name));
  const prototype = Object.getPrototypeOf(node);
  if (prototype !== null) for (const field of inheritedFields(prototype)) add(fields, field);
  return fields;
}

/** Puts a field in its place; most come in order already. */
function add(fields: Field[], field: Field): void {
  if (field === unknown) return;
  let at = fields.length;
  for (; at > 0 && (fields[at - 1] as Field).rank > field.rank; at--) fields[at] = fields[at - 1] as Field;
  fields[at] = field;
}

const unknown = {} as Field;

const fieldOf = once((name): Field => {
  const meant = known.get(name.toLowerCase().replace(/[^a-z]/g, ''));
  return meant === undefined ? unknown : { ...meant, name };
});

const inherited = new WeakMap<object, readonly Field[]>();

function inheritedFields(prototype: object): readonly Field[] {
  let list = inherited.get(prototype);
  if (list === undefined) {
    // The fields that every error inherits are empty.
    list = fieldsOf(prototype).filter(({ name }) => Object.getOwnPropertyDescriptor(prototype, name)?.value !== '');
    // A fetch Response gives its body only once and warns about look-alike fields: of these only status, headers and address are read.
    if (list.some(({ name }) => name === 'json')) list = list.filter(({ role }) => /^(status|headers|url)$/.test(role));
    inherited.set(prototype, list);
  }
  return list;
}
