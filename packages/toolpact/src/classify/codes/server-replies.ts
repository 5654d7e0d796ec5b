import { type CodeTable, lookUp, type Reading } from '../reading.ts';

/** From here on a number that nothing marks as an HTTP status is a reply of a mail or file server. */
export const firstServerReply = 530;

/** Reads a reply of a mail or file server (SMTP, FTP): three digits. Replies below 500 ask to come back later. */
export function readServerReply(reply: number): readonly Reading[] {
  const exact = lookUp(replies, reply);
  return exact.length > 0 ? exact : lookUp(classes, Math.floor(reply / 100));
}

/** Reads the second number of a mail server's reply (RFC 3463), as in `550 5.1.1 User unknown`. It is more precise than the first. */
export function readEnhancedReply(text: string): readonly Reading[] {
  const [, code = ''] = enhanced.exec(text) ?? [];
  const [group, subject] = code.split('.');
  const meanings = [code, `${group}.${subject}`, `${group}`].map((part) => lookUp(enhancedReplies, part));
  return meanings.find(({ length }) => length > 0) ?? [];
}

// Replies about logins (53x) say by the first number alone what is wrong.
const enhanced = /\b[45][^3]\d[- ]([45]\.\d+(?:\.\d+)?)/;

const replies: CodeTable = {
  500: ['invalid_input', 61], // syntax error, command unrecognised
  501: ['invalid_input', 61], // syntax error in parameters
  502: ['unsupported', 60], // command not implemented
  504: ['unsupported', 60], // parameter not implemented
  530: ['unauthenticated', 60], // not logged in, authentication required
  534: ['unauthenticated', 60], // authentication mechanism is too weak
  535: ['unauthenticated', 60], // authentication credentials invalid
  538: ['unauthenticated', 60], // encryption required for requested authentication mechanism
  550: ['not_found', 60], // mailbox or file unavailable
  552: ['too_large', 76], // exceeded storage allocation
  553: ['invalid_input', 61], // mailbox name not allowed
  554: ['denied', 74], // transaction failed
};

const classes: CodeTable = {
  4: ['upstream', 45],
  5: ['upstream', 45],
};

/** By group and subject, and by detail where it says something else. */
const enhancedReplies: CodeTable = {
  4: ['upstream', 45], // a later try may succeed
  '5.1': ['not_found', 60], // address
  '5.1.3': ['invalid_input', 61], // bad address syntax
  '5.2.2': ['budget_exhausted', 60], // mailbox full
  '5.3.4': ['too_large', 76], // message too big
  '5.7': ['denied', 74], // security or policy
};
