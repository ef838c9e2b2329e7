// SPDX-License-Identifier: Apache-2.0

/** Shorter values occur everywhere by chance. */
const minLength = 12;

/** Keys of Secrets whose values are not secret. */
const publicKeys = new Set(['ca.crt', 'tls.crt', 'namespace', 'username', 'user', 'host']);

/**
 * The forms in which the values of a Secret could be shown: in plain text, as in JSON and in URLs, in base64 and in hexadecimal. Of a
 * private key these are its lines: it may be shown in part.
 */
export function secretForms(data: Readonly<Record<string, string>> = {}): string[] {
  return Object.entries(data).flatMap(([key, value]) =>
    publicKeys.has(key) ? [] : formsOf(Buffer.from(value, 'base64')),
  );
}

/** The forms of one value; none if it is too short. */
export function formsOf(value: Buffer): string[] {
  if (value.length < minLength) return [];
  const text = value.toString();
  const isKey = text.includes(' PRIVATE KEY-----');
  const parts = isKey
    ? text.split('\n').filter((line) => line.length >= minLength && !line.startsWith('-----'))
    : [text];
  const plain = parts.flatMap((part) => [part, JSON.stringify(part).slice(1, -1), encodeURIComponent(part)]);
  const encoded = (['base64', 'base64url'] as const).map((encoding) => withoutEnd(value.toString(encoding)));
  return [...new Set([...plain, ...encoded, value.toString('hex')])];
}

/** The end of a base64 text depends on what follows it. */
const withoutEnd = (base64: string) => base64.replace(/.{0,3}=*$/, '');
