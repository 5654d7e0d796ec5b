import { classify, type FailureCodes, type FailureKind, type JsonObject } from 'toolpact';
import { asMap, DocumentProblem, type JsonMap } from '../document/document-problem.ts';
import { resolveRef } from '../document/resolve-ref.ts';
import type { SchemaBook } from '../document/schema-book.ts';
import { type MediaForm, mediaForm } from './media-form.ts';

/** The answers that an operation may give. */
export interface AnswerPlan {
  /** The schema of a good answer; nothing where the description does not say. */
  readonly output: JsonObject | undefined;
  readonly shortened: boolean;
  /** The media types of good answers; none where the description does not say. */
  readonly types: ReadonlySet<string>;
  /** The forms in which these are read; none where that is not known before the answer comes. */
  readonly forms: ReadonlySet<MediaForm>;
  /** The value of the `Accept` header. */
  readonly accept: string;
  /** The codes of declared error responses. */
  readonly failures: FailureCodes;
  /** Whether a redirect is one of the declared answers. */
  readonly mayRedirect: boolean;
  /** Why the described output cannot be used, though the operation can. */
  readonly problem?: string;
}

/** The output of a tool where the API answers with bytes. */
const bytesSchema: JsonObject = {
  type: 'object',
  properties: { contentType: { type: 'string' }, size: { type: 'integer' }, base64: { type: 'string' } },
  required: ['contentType', 'size', 'base64'],
};
/** The output of a tool where the API answers with a redirect. */
const elsewhereSchema: JsonObject = { type: 'object', properties: { redirectedTo: { type: 'string' } }, required: ['redirectedTo'] };
/** The output of a tool where the API answers without a body by design. */
const headSchema: JsonObject = {
  type: 'object',
  properties: { status: { type: 'integer' }, headers: { type: 'object', additionalProperties: { type: 'string' } } },
  required: ['status', 'headers'],
};

/** Reads the responses of an operation: the good ones are its output, the others its failure codes. */
export function planAnswers(root: JsonMap, method: string, definition: JsonMap, book: SchemaBook): AnswerPlan {
  const responses = Object.entries(asMap(definition.responses)).map(([status, given]) => [status.toUpperCase(), given] as const);
  const failures = Object.fromEntries(responses.flatMap(([status]) => failureOf(status)));
  const good = responses.filter(([status]) => /^2(\d\d|XX)$/.test(status));
  // Many descriptions name one answer only, and call it the default one.
  const read = good.length > 0 ? good : responses.filter(([status]) => status === 'DEFAULT' && responses.length === 1);
  const mayRedirect = responses.some(([status]) => /^30[12378]$|^3XX$/.test(status));
  const types = new Set<string>();
  const bound = bindOutput();
  if (bound.problem === undefined && types.size > 0 && [...types].every((type) => /^text\/event-stream/i.test(type)))
    throw new DocumentProblem('it answers with an endless stream of events');
  const isOpen = bound.problem !== undefined || [...types].some((type) => type.includes('*'));
  const forms = new Set(isOpen ? [] : [...types].map(mediaForm));
  return { ...bound, types, forms, accept: acceptOf(types), failures, mayRedirect };

  function bindOutput(): Pick<AnswerPlan, 'output' | 'shortened' | 'problem'> {
    try {
      const forms = read.flatMap(([status, given]) => formsOf(status, resolveRef(root, given), book, types));
      if (mayRedirect) forms.push(elsewhereSchema);
      const schema = method === 'HEAD' ? headSchema : unionOf(read.length === 0 && !mayRedirect ? [] : forms);
      const { schema: output, shortened } = schema === undefined ? { schema, shortened: false } : book.bind(schema);
      return { output, shortened };
    } catch (thrown) {
      if (!(thrown instanceof DocumentProblem)) throw thrown;
      return { output: undefined, shortened: false, problem: thrown.message };
    }
  }
}

/** Returns the code of a declared status: `http_404`, `http_4xx`, or `http_default` for every other status. */
export function failureCode(status: string): string {
  return `http_${status.toLowerCase()}`;
}

function failureOf(status: string): readonly (readonly [string, FailureKind])[] {
  if (status === 'DEFAULT' || status === '5XX') return [[failureCode(status), 'upstream']];
  if (status === '4XX') return [[failureCode(status), 'invalid_input']];
  return /^[45]\d\d$/.test(status) ? [[failureCode(status), classify({ status: Number(status), headers: {} }).kind]] : [];
}

function formsOf(status: string, response: JsonMap, book: SchemaBook, types: Set<string>): (JsonObject | undefined)[] {
  const content = Object.entries(asMap(response.content));
  // Many descriptions leave out what a good answer holds; only these statuses say that it holds nothing.
  if (content.length === 0) return [/^20[45]$/.test(status) ? { type: 'null' } : undefined];
  return content.map(([type, media]) => {
    types.add(type);
    const form = mediaForm(type);
    if (form === 'json' || type === '*/*') {
      const schema = asMap(media).schema === undefined ? undefined : book.convert(asMap(media).schema);
      // A file is given as text or as bytes, by the type that it has.
      return schema === undefined || book.open(schema).format === 'binary' ? undefined : schema;
    }
    if (form === 'text') return { type: 'string' };
    // A range such as `image/*`: only the answer shows its type.
    return /\*/.test(type) ? undefined : bytesSchema;
  });
}

/** One schema for all good answers; none where one of them may be anything. */
function unionOf(forms: readonly (JsonObject | undefined)[]): JsonObject | undefined {
  const stated = forms.filter((form) => form !== undefined && Object.keys(form).length > 0) as JsonObject[];
  if (stated.length < forms.length || stated.length === 0) return undefined;
  const distinct = [...new Map(stated.map((form) => [JSON.stringify(form), form])).values()];
  return distinct.length === 1 ? distinct[0] : { anyOf: distinct };
}

function acceptOf(types: ReadonlySet<string>): string {
  const named = [...types].filter((type) => !/event-stream|^\*\/\*$/i.test(type));
  const json = named.filter((type) => /[/+]json\b/i.test(type));
  const chosen = (json.length > 0 ? json : named).slice(0, 4);
  return chosen.length === 0 ? 'application/json, */*;q=0.5' : `${chosen.join(', ')}, */*;q=0.1`;
}
