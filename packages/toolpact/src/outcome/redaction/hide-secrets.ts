import { remember } from '../../json/index.ts';
import { hidden } from './hidden.ts';
import { hideNamed } from './hide-named.ts';
import { issuedSecret } from './issued-secret.ts';

/** Hides everything in a text that is a secret by its look or name, and the query of every URL; of a `whole` text only the secrets in it. */
export function hideSecrets(given: string, whole?: boolean): string {
  if (harmless.has(given)) return given;
  const raw = given.replace(invisible, '');
  let rest = mayLookSecret.test(raw) ? raw.replace(looks, hidden) : raw;
  if (rest.includes('://')) rest = rest.replace(urls, hideInUrl);
  if (mayNameSecret.test(rest)) rest = hideNamed(rest);
  if (rest !== raw) return rest;
  return /^[A-Z_]{13,63}$/i.test(given) ? remember(harmless, given, given) : given;

  function hideInUrl(found: string, at: number): string {
    const address = found.slice(3);
    const end = address.search(/[/?#]|$/);
    // Addresses of pages and files reliably escape their passwords; elsewhere, and after an invalid port, a raw one may hold a slash or an at sign.
    const host = address.slice(0, end);
    const hasPath = pathScheme.test(rest.slice(Math.max(0, at - 16), at)) && (host.includes('@') || !/^[^[]*:(?!\d*$)/.test(host));
    const login = address.lastIndexOf('@', hasPath ? end : address.length);
    const place = address.slice(login + 1);
    const shown = whole ? place.replace(secretQuery, `$1${hidden}`) : place.replace(/[?#].*?([).,;:\]]{0,2})$/, '$1');
    return `://${login < 0 ? '' : `${hidden}@`}${shown}`;
  }
}

// Cheap questions that most messages answer with no.
const mayLookSecret = /[-_.:$=/][\w-]{12}|\b\w{16}|hooks|@|--|-[pu]|[Bb]asic[ \t]|AUTH |auth['"],|npg_/;
const mayNameSecret =
  /pass|pwd|secret|token|key|cred|auth|cookie|si[dg]|bearer|jwt|otp|pin|cv[vc]|sess|mnem|seed|service|plain|identified|[码ñワ]/i;

/** Matches secrets by their look or by their place. All patterns are linear: none can fail twice over the same stretch of text. */
const looks = new RegExp(
  [
    // Private keys, also cut off.
    String.raw`-----BEGIN [A-Z\d ]{0,40}PRIVATE KEY[\s\S]*?(?:-----END [A-Z\d ]{0,40}PRIVATE KEY[A-Z ]{0,9}-----|$)`,
    issuedSecret,
    // Logins in addresses without a scheme. Where the user is the name of a secret, all that follows is its value.
    String.raw`(?<![\w.\\-])(?![\w.-]{0,57}(?:[Ww]ord|WORD|[Ss]ecret|SECRET|[Tt]oken|TOKEN):)[\w.-]{1,64}:[^\s:@/"']{1,128}(?=@(?:(?:tcp|unix)\(|[\w.-]{1,253}:\d))`,
    String.raw`(?<=:thin:[\w.-]{1,64}\/)[^\s@]+(?=@)`,
    // Credentials after their scheme, in HTTP and in mail.
    String.raw`(?<=\b[Bb]asic[ \t]{1,9}|\bAUTH (?:PLAIN|LOGIN|XOAUTH2|OAUTHBEARER|NTLM)[ \t]{1,9})(?=\S{0,99}(?:[\d=]|[a-z][A-Z]))[\w+/=-]{6,}`,
    // The AUTH command of a Redis client.
    String.raw`(?<=\bauth["'],\s{0,40}["']?args["']?:\s{0,9}\[)[^\]]+`,
    // Webhooks, bots and links that let somebody in.
    String.raw`(?<=hooks\.slack\.com\/services\/|\/webhooks\/)[\w/-]+`,
    String.raw`(?<=\d:)[\w-]{35}\b`,
    String.raw`APA91b[\w-]+`,
    String.raw`(?<=\bAC[\da-f]{32}:)[\da-f]{32}`,
    String.raw`(?<=\/(?:reset|verify|invite|confirm)\/)(?=[\w-]{0,99}\d)[\w-]{16,}`,
    String.raw`access_token\$\w+\$\w+`,
    String.raw`(?<=\bsha\d+=)[\w-]{8,}`,
    // Options of commands.
    String.raw`(?<=\b(?:sshpass|login)\b[^\n|;]{0,80}\s-p[ =]?)[^\s"'-]\S*`,
    String.raw`(?<=\s(?:-u ?|--user[ =])["']?[\w.@+-]{1,64}:)[^\s"']+`,
    String.raw`(?<=\b(?:mysql\w*|mariadb)\b[^\n|;]{0,80}\s-p)[^\s"'-]\S*`,
    String.raw`(?<=-pass(?:in|out)?[ =]["']?pass:)[^\s"']+`,
  ].join('|'),
  'g',
);
/** Matches the schemes whose addresses go on with a path, which may hold an at sign: of packages in stacks, of pictures for dense screens. */
const pathScheme = /(?:https?|wss?|file|webpack(?:-internal)?|vscode-\w{1,9}|s3|gs)$/i;
const urls = /:\/\/[^\s"'`<>\\]+/g;

/** Codes and names that were looked at before: the same ones come with every failure. */
const harmless = new Map<string, string>();

// Spaces of no width, which split a name for the eye of a program only.
const invisible = /[\u200b\u2060\ufeff]/g;

// Names that stand for a secret only in an address; all others are known by their name anywhere.
const secretQuery = /([?&](?:\w*key|code)=)[^&]+|(?<=:\/\/)[^/?#&]+(?=@)/gi;
