// SPDX-License-Identifier: Apache-2.0

/** The supported record types, and ANY. */
export const recordTypes = { A: 1, SOA: 6, ANY: 255 } as const;

/** The response codes in use. */
export const responseCodes = { NOERROR: 0, FORMERR: 1, NXDOMAIN: 3, NOTIMP: 4 } as const;

/** A query with one question, as all resolvers send. */
export interface DnsQuery {
  id: number;
  recursionDesired: boolean;
  /** Lower case, without the final dot. */
  name: string;
  type: number;
  /** The encoded question, repeated in the answer. */
  question: Buffer;
}

/** An answer: addresses, or a response code. */
export interface DnsAnswer {
  code: number;
  addresses: readonly string[];
  /** The zone of a negative answer; resolvers cache it for `negativeTtl` seconds. */
  zone: string;
}

const headerLength = 12;
const classInternet = 1;
const answerTtl = 5;
const negativeTtl = 5;

/** A malformed query; `reply` is sent instead of an answer. */
export class MalformedQueryError extends Error {
  override readonly name = 'MalformedQueryError';
  readonly reply: Buffer | undefined;
  constructor(message: string, reply?: Buffer) {
    super(message);
    this.reply = reply;
  }
}

/** Decodes a query; throws {@link MalformedQueryError} when it is invalid. */
export function decodeQuery(message: Buffer): DnsQuery {
  if (message.length < headerLength) throw new MalformedQueryError('shorter than a header');
  const id = message.readUInt16BE(0);
  const flags = message.readUInt16BE(2);
  if ((flags & 0x8000) !== 0) throw new MalformedQueryError('a response, not a query');
  const refuse = (why: string, code: number) =>
    new MalformedQueryError(why, header({ id, recursionDesired: (flags & 0x0100) !== 0 }, code, 0, 0, 0));
  if (((flags >> 11) & 0xf) !== 0) throw refuse('not a standard query', responseCodes.NOTIMP);
  if (message.readUInt16BE(4) !== 1) throw refuse('not exactly one question', responseCodes.FORMERR);

  const labels: string[] = [];
  let at = headerLength;
  for (;;) {
    const length = message[at];
    // A question cannot have compressed labels: there is no earlier name to point to.
    if (length === undefined || length > 63) throw refuse('an invalid name', responseCodes.FORMERR);
    at += 1;
    if (length === 0) break;
    labels.push(message.toString('latin1', at, at + length));
    at += length;
  }
  if (at + 4 > message.length) throw refuse('a truncated question', responseCodes.FORMERR);
  return {
    id,
    recursionDesired: (flags & 0x0100) !== 0,
    name: labels.join('.').toLowerCase(),
    type: message.readUInt16BE(at),
    question: message.subarray(headerLength, at + 4),
  };
}

/** Encodes an answer; one longer than `limit` is truncated and flagged, and the resolver retries over TCP. */
export function encodeAnswer(query: DnsQuery, answer: DnsAnswer, limit = 65_535): Buffer {
  const records = answer.addresses.map(addressRecord);
  const authority = records.length === 0 ? [soaRecord(answer.zone)] : [];
  const whole = Buffer.concat([
    header(query, answer.code, 1, records.length, authority.length),
    query.question,
    ...records,
    ...authority,
  ]);
  if (whole.length <= limit) return whole;
  return Buffer.concat([header(query, answer.code, 1, 0, 0, true), query.question]);
}

function header(
  { id, recursionDesired }: Pick<DnsQuery, 'id' | 'recursionDesired'>,
  code: number,
  questions: number,
  answers: number,
  authorities: number,
  truncated = false,
): Buffer {
  const bytes = Buffer.alloc(headerLength);
  bytes.writeUInt16BE(id, 0);
  // Response, authoritative, recursion available: glibc does not trust a server that cannot recurse.
  bytes.writeUInt16BE(0x8480 | (truncated ? 0x0200 : 0) | (recursionDesired ? 0x0100 : 0) | code, 2);
  bytes.writeUInt16BE(questions, 4);
  bytes.writeUInt16BE(answers, 6);
  bytes.writeUInt16BE(authorities, 8);
  return bytes;
}

function addressRecord(address: string): Buffer {
  const nameOfQuestion = Buffer.from([0xc0, headerLength]);
  return record(nameOfQuestion, recordTypes.A, answerTtl, Buffer.from(address.split('.').map(Number)));
}

function soaRecord(zone: string): Buffer {
  const numbers = Buffer.alloc(20);
  [1, 7200, 1800, 86_400, negativeTtl].forEach((value, index) => numbers.writeUInt32BE(value, index * 4));
  const data = Buffer.concat([encodeName(`ns.dns.${zone}`), encodeName(`hostmaster.${zone}`), numbers]);
  return record(encodeName(zone), recordTypes.SOA, negativeTtl, data);
}

function record(name: Buffer, type: number, ttl: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(classInternet, 2);
  fixed.writeUInt32BE(ttl, 4);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([name, fixed, data]);
}

/** A name in DNS encoding: length-prefixed labels, ending with the root. */
export function encodeName(name: string): Buffer {
  const labels = name.split('.').filter((label) => label !== '');
  return Buffer.concat([
    ...labels.map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label, 'latin1')])),
    Buffer.from([0]),
  ]);
}
