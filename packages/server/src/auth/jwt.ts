import type { JSONWebKeySet, JWTPayload, JWTVerifyGetKey } from 'jose';
import { ToolpactError } from 'toolpact';
import { refuseOptions } from 'toolpact/internal';
import { isLoopbackName } from '../check-options.ts';
import { bearerOf } from './api-keys.ts';
import type { Authenticate, Identity } from './identity.ts';

/** Which tokens are believed. */
export interface JwtOptions {
  readonly issuer: string | readonly string[];
  readonly audience: string | readonly string[];
  /** Signatures that are taken, all of them made with a private key, such as `RS256` or `EdDSA`. */
  readonly algorithms: readonly string[];
  /** Where the issuer publishes its keys, or the keys themselves. */
  readonly jwks: URL | string | JSONWebKeySet;
  /** The claim that names the tenant; a token without it is refused. @default 'tenant_id' */
  readonly tenantClaim?: string;
  /** The claim that lists the scopes, as a list or a text with spaces. A token without it may do nothing. @default 'scope' */
  readonly scopeClaim?: string;
  /** The claim that lists the roles of who decides about calls, as a list or a text with spaces. @default 'roles' */
  readonly rolesClaim?: string;
}

const asymmetric = /^(?:RS|PS|ES)(?:256|384|512)$|^EdDSA$|^Ed25519$|^ML-DSA-(?:44|65|87)$/;
/** The error codes of the library for keys that could not be fetched. The token itself may be valid. */
const outages: readonly unknown[] = ['ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID', 'ERR_JOSE_GENERIC'];

/**
 * Authenticates by signed tokens (JWT) of one issuer, sent as `Authorization: Bearer …`. Issuer, audience, algorithm, signature and times are
 * all checked, and a token must expire. While the issuer's keys cannot be loaded, requests are answered with 503. Throws at once for settings that leave
 * one of these open.
 */
export function jwt(options: JwtOptions): Authenticate {
  refuseOptions<JwtOptions>('jwt', options, {
    issuer: true,
    audience: true,
    algorithms: true,
    jwks: true,
    tenantClaim: true,
    scopeClaim: true,
    rolesClaim: true,
  });
  const { issuer, audience, algorithms, jwks, tenantClaim = 'tenant_id' } = options ?? {};
  const { scopeClaim = 'scope', rolesClaim = 'roles' } = options ?? {};
  for (const [name, value] of Object.entries({ issuer, audience, algorithms })) {
    const texts = [value].flat();
    if (texts.length === 0 || !texts.every((text) => typeof text === 'string' && text !== ''))
      throw new ToolpactError('invalid_option', `jwt needs ${name}`, { option: name });
  }
  const weak = algorithms.find((name) => !asymmetric.test(name));
  if (weak !== undefined)
    throw new ToolpactError(
      'invalid_option',
      `jwt does not take the algorithm "${weak}"; anybody who can check it can sign with it, or it signs nothing`,
    );
  const source = toSource(jwks);
  // Loaded here and not with this module: servers without tokens start sooner.
  const loaded = import('jose').then((jose) => ({ verify: jose.jwtVerify, keys: openKeys(jose, source) }));
  loaded.catch(() => undefined);
  const rules = {
    issuer: [issuer].flat(),
    audience: [audience].flat(),
    algorithms: [...algorithms],
    clockTolerance: 5,
    requiredClaims: ['exp', tenantClaim],
  };
  return async ({ headers }) => {
    const token = bearerOf(headers.get('authorization'));
    if (token?.split('.').length !== 3) return undefined;
    const { verify, keys } = await loaded;
    try {
      const { payload } = await verify(token, keys, rules);
      return toIdentity(payload, tenantClaim, scopeClaim, rolesClaim);
    } catch (error) {
      if (isOutage(error)) throw error;
      return undefined;
    }
  };
}

/** Checks where keys come from. */
function toSource(jwks: JwtOptions['jwks']): URL | JSONWebKeySet {
  if (typeof jwks !== 'string' && !(jwks instanceof URL)) {
    if (!Array.isArray(jwks?.keys) || jwks.keys.length === 0)
      throw new ToolpactError('invalid_option', 'jwt needs jwks, an address or a set of keys');
    return jwks;
  }
  const url = URL.canParse(String(jwks)) ? new URL(jwks) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackName(url.hostname));
  if (url === undefined || !isSafe)
    throw new ToolpactError(
      'invalid_option',
      'the address of jwks must be https; an attacker could replace keys that are sent without encryption',
    );
  return url;
}

function openKeys(jose: typeof import('jose'), source: URL | JSONWebKeySet): JWTVerifyGetKey {
  if (!(source instanceof URL)) return jose.createLocalJWKSet(source);
  return jose.createRemoteJWKSet(source, { timeoutDuration: 3_000, cooldownDuration: 5_000 });
}

/** The library reports nearly every invalid token with a code of its own; an error without one comes from the network. */
function isOutage(error: unknown): boolean {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return outages.includes(code) || !(typeof code === 'string' && /^ERR_(?:J|JW)/.test(code));
}

function toIdentity(payload: JWTPayload, tenantClaim: string, scopeClaim: string, rolesClaim: string): Identity | undefined {
  const tenantId = payload[tenantClaim];
  if (typeof tenantId !== 'string' || tenantId === '') return undefined;
  const { sub, azp, client_id: clientId } = payload;
  const client = [azp, clientId, sub].find((one) => typeof one === 'string');
  return {
    tenantId,
    scopes: readWords(payload[scopeClaim]),
    ...(payload[rolesClaim] !== undefined && { roles: readWords(payload[rolesClaim]) }),
    ...(sub !== undefined && { subject: sub }),
    ...(typeof client === 'string' && { keyId: `jwt:${client}` }),
  };
}

function readWords(claim: unknown): readonly string[] {
  if (Array.isArray(claim)) return claim.filter((word) => typeof word === 'string');
  return typeof claim === 'string' ? claim.split(' ').filter((word) => word !== '') : [];
}
