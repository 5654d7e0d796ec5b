import { asList, asMap, asText, DocumentProblem, isMap, type JsonMap } from '../document/document-problem.ts';
import { resolveRef } from '../document/resolve-ref.ts';
import type { OpenApiOptions } from '../open-api-options.ts';

/** How the credential of one scheme is sent. */
export interface SecurityScheme {
  readonly name: string;
  readonly send: 'header' | 'query' | 'cookie' | 'basic' | 'token' | 'own';
  /** The header, query field or cookie, or the word before the token. */
  readonly field: string;
}

/** The ways of an operation to prove who calls: one of these lists, all of its schemes. None at all means that no credential is needed. */
export type SecurityPlan = readonly (readonly SecurityScheme[])[];

/** The security schemes of a description, and where their credentials go. */
export interface SecuritySchemes {
  readonly planOf: (definition: JsonMap) => SecurityPlan;
  /** As `header:x-api-key`; parameters of that name are not a model's to fill. */
  readonly places: ReadonlySet<string>;
}

/** Reads the security schemes of a description. */
export function readSecurity(root: JsonMap, definitions: readonly JsonMap[], auth: NonNullable<OpenApiOptions['auth']>): SecuritySchemes {
  const schemes = new Map<string, SecurityScheme>();
  for (const [name, given] of Object.entries(asMap(asMap(root.components).securitySchemes)))
    schemes.set(name, readScheme(root, name, given));
  const schemeOf = (name: string): SecurityScheme => schemes.get(name) ?? { name, send: 'own', field: '' };
  // Where a description names schemes but asks for none, an application that gives credentials wants them sent.
  const silent = root.security === undefined && definitions.every(({ security }) => security === undefined);
  const standard: SecurityPlan = silent
    ? [
        Object.keys(auth)
          .filter((name) => auth[name] !== undefined)
          .map(schemeOf),
      ].filter((list) => list.length > 0)
    : toPlan(root.security, schemeOf);
  return {
    planOf: ({ security }) => (security === undefined ? standard : toPlan(security, schemeOf)),
    places: new Set([...schemes.values()].map(({ send, field }) => `${send}:${send === 'header' ? field.toLowerCase() : field}`)),
  };
}

function toPlan(security: unknown, schemeOf: (name: string) => SecurityScheme): SecurityPlan {
  return asList(security)
    .filter(isMap)
    .map((alternative) => Object.keys(alternative).map(schemeOf));
}

function readScheme(root: JsonMap, name: string, given: unknown): SecurityScheme {
  try {
    const scheme = resolveRef(root, given);
    const type = asText(scheme.type)?.toLowerCase() ?? '';
    const word = asText(scheme.scheme) ?? '';
    if (type === 'apikey' && ['header', 'query', 'cookie'].includes(scheme.in as string))
      return { name, send: scheme.in as 'header' | 'query' | 'cookie', field: asText(scheme.name) ?? 'Authorization' };
    if (type === 'http' && word.toLowerCase() === 'basic') return { name, send: 'basic', field: '' };
    if (type === 'http') return { name, send: 'token', field: word === '' || /^bearer$/i.test(word) ? 'Bearer' : word };
    return { name, send: type === 'oauth2' || type === 'openidconnect' ? 'token' : 'own', field: 'Bearer' };
  } catch (thrown) {
    if (!(thrown instanceof DocumentProblem)) throw thrown;
    return { name, send: 'own', field: '' };
  }
}
