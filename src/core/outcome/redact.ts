import { cleanText, type JsonValue, peek } from '../json/index.ts';
import { remember } from './classify/remember.ts';
import { refuseOptions } from './refuse-options.ts';

/** What to hide besides the secrets that are known by their look or name. */
export interface RedactOptions {
  /** Text to hide wherever it appears. */
  readonly patterns?: readonly RegExp[];
  /** Key names whose values are hidden; case, `_` and `-` do not matter. */
  readonly keys?: readonly string[];
  /** Dotted paths whose values are hidden; `*` matches one step, `**` any depth. */
  readonly paths?: readonly string[];
  /** Whether the data and content of successful results are redacted too, by look, pattern and key. @default false */
  readonly results?: boolean;
}

/** Takes secrets out of what leaves the process. No method ever throws. */
export interface Redactor {
  /** Replaces secrets in a text by `[redacted]` and drops the query of every URL; of a `whole` text only its secrets. */
  text(text: string, whole?: boolean): string;
  /** Makes a bounded JSON copy of anything, for operators: values of secret keys are hidden, strings go through `text`. */
  value(value: unknown): JsonValue;
  /** Reduces a URL to scheme, host and path; undefined where there is none. */
  endpoint(url: string): string | undefined;
  /** Makes a whole copy of JSON without secrets: values of secret keys are hidden, strings go through `text`. */
  json(value: unknown): unknown;
  /** Whether successful results are redacted too. */
  readonly results: boolean;
}

const hidden = '[redacted]';
const maxDepth = 8;
const maxEntries = 200;
const maxNodes = 5_000;
const maxCharacters = 2_000;

const names =
  'pass(?:wor[dt]|wd|phrase|code)|pwd|secret|token|(?:api|access|secret|private|account|signing|encryption|master|subscription|functions)[ _-]?key|credential|authorization|authz|cookie|jwt|sessid|(?:amz|goog)-?signature|mnemonic|seed phrase|密码|パスワード|contraseña|mot de passe';
const gap = String.raw`\\*["'\x60]?[ \t]{0,4}`;

// Cheap questions that most messages answer with no.
const mayLookSecret = /[-_.:$=/][\w-]{12}|\b\w{16}|hooks|@|--|-[pu]|[Bb]asic[ \t]/;
const mayNameSecret = /pass|pwd|secret|token|key|cred|auth|cookie|si[dg]|bearer|jwt|otp|pin|cv[vc]|sess|mnem|seed|[码ñワ]/i;

// What follows a secret's name in prose; after an equals sign nothing is prose.
const prose = String.raw`(?:(?<==)|(?!(?:an?|auth(?:entica|oriza)tion|can(?:not)?|empty|error|expired|false|fail(?:ed|s|ure)?|header|i[ns]|incorrect|invalid|missing|must|not?|null|realm|required|should|the|tokens?|true|undefined|was|your?|(?<=tokens?\W{1,6})\d+)(?:[\s.,:=!?)]|$)))`;

// All are linear: none can fail twice over the same stretch of text.
/** What is a secret by its look: private keys, logins in addresses without a scheme, basic credentials, issuers' prefixes, webhooks, web tokens. */
const looks =
  /-----BEGIN [A-Z\d ]{0,40}PRIVATE KEY[\s\S]*?(?:-----END [A-Z\d ]{0,40}PRIVATE KEY[A-Z ]{0,9}-----|$)|(?<![\w.-])[\w.-]{1,64}:[^\s:@/"']{1,128}(?=@(?:(?:tcp|unix)\(|[\w.-]{1,253}:\d))|(?<=\b[Bb]asic[ \t]{1,9})(?=\S{0,99}(?:[\d=]|[a-z][A-Z]))[\w+/=-]{6,}|\b(?:(?:sk|[rp]k_(?:live|test)|gh[a-z]|github_pat|gl(?:pat|rt|sa|c)|x(?:ox[a-z]|app|ai)|GOCSPX|PMAK|NRAK|pplx|nvapi|tvly|whsec|dop_v1|shp[a-z]{2}|sntry[su]|lin_api|sb_secret|sbp|ntn|r8|dckr_pat|sq0[a-z]{3}|CCIPAT|fm2|AGE-SECRET-KEY)[-_][\w-]{12,}|(?:secret|re|fc)[-_](?=\D{0,99}\d)(?=[^A-Z]{0,99}[A-Z])[\w-]{16,}|A[KS]IA[A-Z\d]{12,}|(?:EAAC|LTAI)\w{20,}|AIza[\w-]{20,}|(?:npm_|hf_|gsk_|key-)[A-Za-z\d]{20,}|(?:ATATT|pypi-Ag)[\w=-]{20,}|dapi[\da-f]{32}|(?:SG|ya29|hv[sb]|dp\.[a-z]{2}|pat\w{14})\.[\w-]{12,}(?:\.[\w-]+)?|eyJ(?=[\w.-]{0,999}?[-_.][\w-]{12})[\w-]{8,}(?:\.[\w-]*){0,5})|(?<=hooks\.slack\.com\/services\/|\/webhooks\/)[\w/-]+|(?<=\d:)[\w-]{35}\b|APA91b[\w-]+|(?<=\bAC[\da-f]{32}:)[\da-f]{32}|(?<=:thin:[\w.-]{1,64}\/)[^\s@]+(?=@)|(?<=\/(?:reset|verify|invite|confirm)\/)(?=[\w-]{0,99}\d)[\w-]{16,}|access_token\$\w+\$\w+|(?<=\bsha\d+=)[\w-]{8,}|(?<=\b(?:sshpass|login)\b[^\n|;]{0,80}\s-p[ =]?)[^\s"'-]\S*|(?<=\s(?:-u ?|--user[ =])["']?[\w.@+-]{1,64}:)[^\s"']+|(?<=\b(?:mysql\w*|mariadb)\b[^\n|;]{0,80}\s-p)[^\s"'-]\S*/g;
const urls = /:\/\/[^\s"'`<>\\]+/g;
/** What is a secret by its name. */
const named = new RegExp(
  String.raw`((?:${names}|(?<=[_-])pass(?=\s?[:=])|\b(?:pass|otp|pin|cv[vc]|auth|si[dg])(?=\s?=|\\*["']\s?:|\s?:\s?["'])|(?:sig|signature|sessionid)(?==)|\bcv[vc](?=: )|bearer)s?(?:${gap}(?:(?:provided|is|, ?["']?value)${gap})?(?:[:=：]{1,2}>?|>|%3[AD]|(?<=["']),(?= ?["'][^"']*\d))[ \t]{0,4}(?:\n[ \t]{0,4}(?=\w))?|(?<=word|phrase|secret)[ \t](?=["'\x60][^\s"'\x60]{4,})|(?<=key|token|secret|wor[dt]|phrase)[ \t]is[ \t](?=["'\x60]?[^\s"'\x60]*\d)|(?<=bearer|--[\w-]{3,48})[ \t]{1,4}|(?<=key|token|secret|word)[ \t](?=["'\x60]?[\w+/=-]{16})(?=["'\x60]?[\w+/=-]*\d)))(?:(\\*["'\x60])(?:(?!\2)(?:\\[\s\S]|[^\\]))+|(?<=cookie.{1,9})(?:(?<==)\S+|[^\s=]{1,256}=[^\r\n]*)|(?<!cookie.{1,9})${prose}(?:(?<=authorization.{1,9})(?:(?:digest|aws4|oauth|hawk|mac)\b[^\r\n]*|[\w-]{2,20}[ \t]+(?=\S*[\d=])\S+|(?:bearer|basic|token|bot|[\w-]{0,20}key)[ \t]+\S+)|[^\s"'\x60<>&;:=()[\]{},.!?](?:[^\s"'\x60<>&;]*[^\s"'\x60<>&;)\]},.:!?])?))`,
  'gi',
);

const secretKey = new RegExp(
  `((?<!page|next|tion|sync)(${names}|(db|smtp|admin|user|mail|root)pass)|(password|secret|credential|cookie|recoverycode|backupcode)s|(hmac|aes|ssh|storage|function|license)key|secretvalue|key(base|material)|conn(ection)?str(ing)?|(base|mongo|redis|hook)ur[il]|(mfa|unlock|ation)code|cardnumber|samlresponse|verifier|kubeconfig)$|^(o?auth|pass|bearer|creds|dsn|pin|otp|cv[vc]|ssn|si[dg]|seed|pfx|assertion)$`,
);

const address =
  /^((?:[a-z][a-z\d+.:-]{0,31}:\/\/)?)(?:[^\s/?#]*@)?((?:\[[\da-f:.]+\]|[^\s/?#@:;,[\]"'<>\\]+)(?::\d+)?(?:,[^\s/?#@:;,]+(?::\d+)?)*)(\/[^\s?#;]*)?(?:[?#;]|$)/i;

/** Creates a redactor that also hides what its options name. */
export function createRedactor(options: RedactOptions = {}): Redactor {
  refuseOptions('redact', options, { patterns: ['an array'], keys: ['an array'], paths: ['an array'], results: 1 });
  const patterns = (options.patterns ?? []).map((pattern) => new RegExp(pattern, (pattern.flags ?? '').replace(/g|$/, 'g')));
  const keys = new Set((options.keys ?? []).map(toKey));
  const paths = (options.paths ?? []).map(toPathPattern);

  function text(given: string, whole?: boolean): string {
    try {
      return patterns.reduce((rest, pattern) => rest.replace(pattern, hidden), hideSecrets(cleanText(String(given)), whole));
    } catch {
      return hidden; // not a text, or one on which the regular expression engine ran out of memory
    }
  }

  /** Cuts only after redacting, so that no half of a secret is left unrecognised at the end. */
  function cut(raw: string): string {
    const clean = text(raw.slice(0, maxCharacters + 500));
    return raw.length > maxCharacters ? `${clean.slice(0, maxCharacters)}…` : clean;
  }

  // A walk of its own: with the general `mapJson` this took 47 % longer, and the main entry would be 220 bytes larger.
  function value(root: unknown): JsonValue {
    const above = new Set<object>();
    let nodes = 0;

    function copy(given: unknown, path: string): JsonValue {
      if (given === undefined || given === null) return null;
      if (typeof given === 'boolean') return given;
      // JSON has no negative zero.
      if (Number.isFinite(given)) return (given as number) + 0;
      if (typeof given === 'function') return '[function]';
      if (typeof given !== 'object') return cut(String(given));
      if (above.has(given)) return '[circular]';
      if (above.size >= maxDepth || nodes > maxNodes) return '[…]';
      above.add(given);
      try {
        if (given instanceof Date) return given.toISOString();
        if (given instanceof URL) return cut(given.href);
        if (ArrayBuffer.isView(given)) return `[${given.byteLength} bytes]`;
        const item = given instanceof Map || given instanceof Set ? toPlain(given) : given;
        const list = Array.isArray(item);
        const names = list ? [...Array(Math.min(item.length, maxEntries + 1)).keys()].map(String) : Object.keys(item);
        if (item instanceof Error) names.unshift(...['name', 'message', 'cause', 'errors'].filter((name) => name in item));
        const copies = names.slice(0, maxEntries).map((name): [string, JsonValue] => [cut(name), entry(item, name, `${path}${name}\0`)]);
        if (names.length > maxEntries) copies.push(['…', '[more]']);
        return list ? copies.map(([, copied]) => copied) : Object.fromEntries(copies);
      } catch {
        return '[unreadable]';
      } finally {
        above.delete(given);
      }
    }

    /** Checks whether this is the value in `[name, value]`, `{ name, value }` or a flat list of headers, and the name is a secret's. */
    function isNamedSecret(item: object, name: string): boolean {
      const label: unknown = Array.isArray(item)
        ? item[Number(name) - 1]
        : name === 'value'
          ? (peek(item, 'name') ?? peek(item, 'key'))
          : undefined;
      // A list of names is no list of values.
      const held = typeof label === 'string' ? item[name as keyof typeof item] : undefined;
      return typeof held === 'string' && /\d|\s|.{16}/.test(held) && isSecretKey(toKey((label as string).slice(0, 64)));
    }

    function entry(item: object, name: string, path: string): JsonValue {
      nodes += 1;
      try {
        const found: unknown = item[name as keyof typeof item];
        return hides(name, found) || isNamedSecret(item, name) || paths.some((pattern) => pattern.test(path)) ? hidden : copy(found, path);
      } catch {
        return '[unreadable]';
      }
    }

    return copy(root, '');
  }

  function hides(name: string, held: unknown): boolean {
    return isSecretKey(toKey(name)) && typeof held !== 'boolean' && (held ?? '') !== '';
  }

  function json(given: unknown): unknown {
    return JSON.parse(JSON.stringify(given) ?? 'null', (name, held) =>
      hides(name, held) ? hidden : typeof held === 'string' ? text(held) : held,
    );
  }

  function isSecretKey(key: string): boolean {
    return secretKey.test(key) || keys.has(key);
  }

  function endpoint(raw: string): string | undefined {
    const [, scheme = '', host = '', path = ''] = (typeof raw === 'string' && address.exec(raw.trim().slice(0, maxCharacters))) || [];
    if (host === '' || (scheme === '' && !/[.:]|^localhost$/i.test(host))) return undefined;
    return scheme + text(host + path);
  }

  return { text, value, endpoint, json, results: options.results === true };
}

/** Hides everything that is a secret by its look or name. */
export const defaultRedactor: Redactor = createRedactor();

function hideSecrets(given: string, whole?: boolean): string {
  if (harmless.has(given)) return given;
  const raw = given.replace(invisible, '');
  let rest = mayLookSecret.test(raw) ? raw.replace(looks, hidden) : raw;
  if (rest.includes('://')) rest = rest.replace(urls, hideInUrl);
  if (mayNameSecret.test(rest)) rest = rest.replace(named, `$1$2${hidden}`);
  if (rest !== raw) return rest;
  return /^[A-Z_]{13,63}$/i.test(given) ? remember(harmless, given, given) : given;

  function hideInUrl(found: string, at: number): string {
    const address = found.slice(3);
    const end = address.search(/[/?#]|$/);
    // Only web addresses reliably escape their passwords; elsewhere, and after an invalid port, a raw one may hold a slash or an at sign.
    const host = address.slice(0, end);
    const web = /(https?|wss?)$/i.test(rest.slice(Math.max(0, at - 5), at)) && (host.includes('@') || !/^[^[]*:(?!\d*$)/.test(host));
    const login = address.lastIndexOf('@', web ? end : address.length);
    const place = address.slice(login + 1);
    const shown = whole ? place.replace(secretQuery, `$1${hidden}`) : place.replace(/[?#].*?([).,;:\]]{0,2})$/, '$1');
    return `://${login < 0 ? '' : `${hidden}@`}${shown}`;
  }
}

/** Codes and names that were looked at before: the same ones come with every failure. */
const harmless = new Map<string, string>();

// Spaces of no width, which split a name for the eye of a program only.
const invisible = /[\u200b\u2060\ufeff]/g;

// Names that stand for a secret only in an address; all others are known by their name anywhere.
const secretQuery = /([?&](?:\w*key|code)=)[^&]+|(?<=:\/\/)[^/?#&]+(?=@)/gi;

function toPlain(items: Map<unknown, unknown> | Set<unknown>): object {
  const found: unknown[] = [];
  for (const item of items) if (found.push(item) > maxEntries) break;
  if (items instanceof Set) return found;
  return Object.fromEntries(
    (found as [unknown, unknown][]).map(([key, item]) => [typeof key === 'object' ? '[object]' : String(key), item]),
  );
}

function toKey(name: string): string {
  return name.toLowerCase().replace(/[^a-z\d]/g, '');
}

function toPathPattern(path: string): RegExp {
  const steps = path.split('.').map((step) => {
    if (step === '**') return '(?:[^\\0]*\\0)*';
    return `${step === '*' ? '[^\\0]*' : step.replace(/\W/g, '\\$&')}\\0`;
  });
  return new RegExp(`^${steps.join('')}$`);
}
