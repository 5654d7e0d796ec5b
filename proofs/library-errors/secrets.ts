/** Credentials planted into every client's configuration and URLs; none may ever show in a failure. */
export const secrets = {
  apiKey: 'sk-canary-7Qm2xV9pLr4tZb8nKd3wHs6y',
  token: 'ghp_canary5R8kTz2WqXv7NbJd4LmYc9Hs3PfG',
  stripeKey: 'sk_test_canary51Hx8QzLp3VnRt6WkYb9Md2Js',
  awsKeyId: 'AKIACANARY7QXVZL2PTR',
  awsSecret: 'canary/wJalr8XUtnFEMI+K7MDENG4bPxRfiCYzEX',
  password: 'pw-canary-u8Fz3kQx',
} as const;

/** Adds a path and a query that carries a key, as many real endpoints do. */
export function withKey(origin: string, path = '/v1/items'): string {
  return `${origin}${path}?api_key=${secrets.apiKey}&q=kyoto`;
}

/** Finds planted secrets, or a telling part of one, in a text. */
export function leakedSecrets(text: string): string[] {
  return Object.values(secrets).filter((secret) => text.includes(secret.slice(0, 18)) || text.includes(secret.slice(-12)));
}
