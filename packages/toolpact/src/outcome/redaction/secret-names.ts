/** Words that name a secret wherever a name ends with them; a space stands for any way to join two words. */
const words = [
  'authorization',
  'authz',
  'cookie',
  'credential',
  'identified by',
  'jwt',
  'mnemonic',
  'pass(?:wor[dt]|wd|phrase|code)',
  'pwd',
  'secret',
  'seed phrase',
  'service account(?= ?json)',
  'sessid',
  '(?:key|store) ?pass',
  '(?:amz|goog) signature',
  'token',
  '密码',
  'パスワード',
  'contraseña',
  'mot de passe',
];

/** The kinds of key that are secret. Any other (`primary key`, `sort key`, `public key`) is the name of something. */
const keyKinds = [
  'access',
  'account',
  'activation',
  'aes',
  'api',
  'app(?:lication)?',
  'auth',
  'client',
  'consumer',
  'encryption',
  'functions?',
  'hmac',
  'licen[cs]e',
  'master',
  'private',
  'secret',
  'service',
  'session',
  'shared',
  'sign(?:ing|ature)',
  'ssh',
  'storage',
  'subscription',
];

/** Words that say in which form the secret before them is given. */
const forms = [
  'b(?:ase)?64',
  'base',
  'binary',
  'blob',
  'bytes',
  'data',
  'digest',
  'hash',
  'header',
  'hex',
  'jar',
  'json',
  'material',
  'pem',
  'plain',
  'raw',
  'string',
  'text',
  'value',
];

/** Short words that name a secret only as a whole name. */
const wholeNames = [
  'assertion',
  'bearer',
  'creds',
  'cv[vc]',
  'dsn',
  'o?auth',
  'otp',
  'pass',
  'pfx',
  'pin',
  'plaintext(?:blob)?',
  'seed',
  'si[dg]',
  'ssn',
];

/** Fields that hold a secret though no word of them says so. */
const fieldEnds = [
  '(?:db|smtp|admin|user|mail|root)pass',
  '(?:recovery|backup)codes?',
  '(?:mfa|unlock|ation)code',
  '(?:base|mongo|redis|hook)ur[il]',
  'auth(?:header|data|string|value)',
  'cardnumber',
  'conn(?:ection)?str(?:ing)?',
  'key(?:base|material)',
  'kubeconfig',
  'samlresponse',
  'secretid',
  'verifier',
];

// Tokens that are a place in a list or a piece of text.
const noToken = '(?<!page|next|tion|sync|resume|max|min|per|stop|start|special|pad|mask)';

const joined = (parts: readonly string[], join: string): string => parts.map((part) => part.replace(/ \??/g, join)).join('|');
const spaced = '[ _-]?';

const form = `${spaced}(?:${joined(forms, spaced)})(?![A-Za-z])`;

/** A source that matches the end of a secret's name in a text. The text goes on with what the notation puts between name and value. */
export const nameInText: string = [
  String.raw`(?:(?:${joined(keyKinds, spaced)})${spaced}key|${joined(words, spaced)})(?:${form}|s(?:${form})?)?(?:\d{1,3}(?!\w))?`,
  String.raw`(?<=[_-])pass(?=\s?[:=])`,
  // A short word is a name only where something marks it as one.
  String.raw`(?<![A-Za-z\d])(?:pass|otp|pin|cv[vc]|auth|si[dg]|plaintext(?:blob)?)(?=\s?=|\]\s?=>|\\*["'](?:\]\s?=>|\s?:)|\s?:\s?["'])`,
  '(?:sig|signature|sessionid)(?==)',
  String.raw`\bcv[vc](?=: )`,
  'bearers?',
].join('|');

const fieldName = new RegExp(
  `(?:${noToken}(?:${joined(words, '')})|(?:password|secret|credential|cookie)s|(?:${joined(keyKinds, '')})keys?)(?:${joined(forms, '')})?\\d{0,3}$|(?:${joined(fieldEnds, '')})$|^(?:${joined(wholeNames, '')})$`,
);

/** The body of a mail, which differs by its spelling alone from `Plaintext`, what a key service has decrypted. */
export const plainBody = /plain(?:T|[ _-]t)ext$/;

/** Reduces a name to what matters of it: case, `_` and `-` do not. */
export function toNameKey(name: string): string {
  return name.toLowerCase().replace(/[^a-z\d]/g, '');
}

/** Checks whether a field of this name holds a secret. */
export function isSecretName(name: string): boolean {
  return fieldName.test(toNameKey(name)) && !plainBody.test(name);
}
