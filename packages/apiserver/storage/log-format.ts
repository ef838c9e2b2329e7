// SPDX-License-Identifier: Apache-2.0
import { crc32 } from 'node:zlib';
import type { StorageRecord } from './storage.ts';

/** Header of a log. */
export interface LogHead {
  /** The last revision assigned before this log was started. */
  revision: number;
  /** End of the part written before the log was activated: damage in it cannot come from a crash. */
  base: number;
}

/** A parsed log: its valid part of `length` bytes. */
export interface LogContents extends LogHead {
  records: StorageRecord<Uint8Array>[];
  length: number;
}

/** A log with damage that no crash can cause. */
export class LogCorrupted extends Error {
  override readonly name = 'LogDamaged';
  readonly offset: number;

  constructor(offset: number, what: string) {
    super(what);
    this.offset = offset;
  }
}

// Head: magic (8) · revision (6) · base (6) · crc of these (4)
const magic = Buffer.from('FORGELG1');
/** Bytes of a log before its first record. */
export const headSize = 24;

// Record: marker (4) · length of what follows the crc (4) · crc of that (4) · synced (6) · revision (6) · flags (1) · key
// length (2) · key · value
const marker = Buffer.from('\u00bbREC', 'latin1');
const prefixSize = 12;
const fixedSize = 15;
const deleted = 1;

/** The first bytes of a log. */
export function encodeHead({ revision, base }: LogHead): Buffer {
  const head = Buffer.alloc(headSize);
  magic.copy(head);
  head.writeUIntLE(revision, 8, 6);
  head.writeUIntLE(base, 14, 6);
  head.writeUInt32LE(crc32(head.subarray(0, 20)), 20);
  return head;
}

/**
 * Encodes records, with keys in clear so that values can be read lazily. `synced` is how much of the log is known to be
 * on disk: a gap before it is corruption, not the result of a crash. The given buffer is used when it is large enough.
 */
export function encodeRecords(records: readonly StorageRecord[], synced: number, space?: Buffer): Buffer {
  const lengths = records.map(({ key, value }) => fixedSize + Buffer.byteLength(key) + Buffer.byteLength(value ?? ''));
  const size = lengths.reduce((sum, length) => sum + prefixSize + length, 0);
  const bytes = space !== undefined && space.length >= size ? space.subarray(0, size) : Buffer.allocUnsafe(size);
  let at = 0;
  for (const [index, length] of lengths.entries()) {
    const record = bytes.subarray(at, (at += prefixSize + length));
    writeRecord(record, records[index] as StorageRecord, synced);
  }
  return bytes;
}

function writeRecord(bytes: Buffer, { revision, key, value }: StorageRecord, synced: number): void {
  marker.copy(bytes);
  bytes.writeUInt32LE(bytes.length - prefixSize, 4);
  bytes.writeUIntLE(synced, 12, 6);
  bytes.writeUIntLE(revision, 18, 6);
  bytes.writeUInt8(value === undefined ? deleted : 0, 24);
  const keyLength = bytes.write(key, prefixSize + fixedSize);
  bytes.writeUInt16LE(keyLength, 25);
  const valueStart = prefixSize + fixedSize + keyLength;
  if (typeof value === 'string') bytes.write(value, valueStart);
  else if (value !== undefined) bytes.set(value, valueStart);
  bytes.writeUInt32LE(crc32(bytes.subarray(prefixSize)), 8);
}

/** Parses a log up to its end or to a torn record; throws LogCorrupted when complete records must have followed. */
export function decodeLog(log: Buffer): LogContents {
  const head = decodeHead(log);
  const records: LogContents['records'] = [];
  let at = headSize;
  for (let end = recordEnd(log, at); end !== undefined; end = recordEnd(log, at)) {
    const valueStart = at + prefixSize + fixedSize + log.readUInt16LE(at + 25);
    records.push({
      revision: log.readUIntLE(at + 18, 6),
      key: log.toString('utf8', at + prefixSize + fixedSize, valueStart),
      ...(log.readUInt8(at + 24) !== deleted && { value: log.subarray(valueStart, end) }),
    });
    at = end;
  }
  if (at < head.base || isProvenSynced(log, at))
    throw new LogCorrupted(at, 'a record that was written completely is truncated');
  return { ...head, records, length: at };
}

function decodeHead(log: Buffer): LogHead {
  if (log.length < headSize || !log.subarray(0, magic.length).equals(magic)) {
    throw new LogCorrupted(0, 'it does not start with the header of this log version');
  }
  if (crc32(log.subarray(0, 20)) !== log.readUInt32LE(20)) throw new LogCorrupted(0, 'its header is incomplete');
  return { revision: log.readUIntLE(8, 6), base: log.readUIntLE(14, 6) };
}

/** End of the record at this offset; undefined when it is incomplete. */
function recordEnd(log: Buffer, at: number): number | undefined {
  if (at + prefixSize + fixedSize > log.length || log.compare(marker, 0, marker.length, at, at + marker.length) !== 0) {
    return undefined;
  }
  const end = at + prefixSize + log.readUInt32LE(at + 4);
  if (end > log.length || end < at + prefixSize + fixedSize) return undefined;
  return crc32(log.subarray(at + prefixSize, end)) === log.readUInt32LE(at + 8) ? end : undefined;
}

/** Whether a later complete record proves that everything beyond this offset was on disk. */
function isProvenSynced(log: Buffer, place: number): boolean {
  for (let at = log.indexOf(marker, place + 1); at >= 0; at = log.indexOf(marker, at + 1)) {
    if (recordEnd(log, at) !== undefined && log.readUIntLE(at + 12, 6) > place) return true;
  }
  return false;
}
