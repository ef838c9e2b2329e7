// SPDX-License-Identifier: Apache-2.0

/** A block of a PEM text. */
export interface PemBlock {
  label: string;
  /** Whether there are headers before the content. */
  hasHeaders: boolean;
  der: Uint8Array;
  /** What follows the block. */
  rest: string;
}

/** The first block of a PEM text; undefined when there is none, or it is malformed. */
export function pemBlock(text: string): PemBlock | undefined {
  const begin = /^-----BEGIN ([A-Z0-9 ]+)-----[ \t]*\r?$/m.exec(text);
  if (begin === null) return undefined;
  const [line, label = ''] = begin;
  const from = begin.index + line.length;
  const ending = `\n-----END ${label}-----`;
  const end = text.indexOf(ending, from);
  if (end < 0) return undefined;
  const content = text.slice(from, end);
  const blank = content.includes(':') ? /\r?\n[ \t]*\r?\n/.exec(content) : null;
  const base64 = content.slice(blank === null ? 0 : blank.index).replaceAll(/\s/g, '');
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) return undefined;
  return {
    label,
    hasHeaders: blank !== null,
    der: Buffer.from(base64, 'base64'),
    rest: text.slice(end + ending.length),
  };
}

/** A PEM text of one block. */
export function pem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}
