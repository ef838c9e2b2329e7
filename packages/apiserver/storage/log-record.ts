// SPDX-License-Identifier: Apache-2.0
import { crc32 } from 'node:zlib';
import type { StorageRecord } from './storage.ts';

// length (4) · crc of all that follows (4) · revision (8) · flags (1) · key length (2) · key · value
const headerSize = 8;
const fixedSize = 11;
const deleted = 1;

/** A record as the log keeps it: its length, a checksum, the key in clear so that values can be read lazily. */
export function encodeRecord({ revision, key, value }: StorageRecord): Buffer {
  const keyBytes = Buffer.from(key);
  const length = fixedSize + keyBytes.length + (value?.length ?? 0);
  const record = Buffer.allocUnsafe(headerSize + length);
  record.writeUInt32LE(length, 0);
  record.writeBigUInt64LE(BigInt(revision), 8);
  record.writeUInt8(value === undefined ? deleted : 0, 16);
  record.writeUInt16LE(keyBytes.length, 17);
  keyBytes.copy(record, headerSize + fixedSize);
  if (value !== undefined) record.set(value, headerSize + fixedSize + keyBytes.length);
  record.writeUInt32LE(crc32(record.subarray(headerSize)), 4);
  return record;
}

/** The records of a log up to its first torn or damaged one, and the number of bytes they take. */
export function decodeRecords(log: Buffer): { records: StorageRecord[]; length: number } {
  const records: StorageRecord[] = [];
  let at = 0;
  for (;;) {
    const end = recordEnd(log, at);
    if (end === undefined) return { records, length: at };
    const valueStart = at + headerSize + fixedSize + log.readUInt16LE(at + 17);
    records.push({
      revision: Number(log.readBigUInt64LE(at + 8)),
      key: log.toString('utf8', at + headerSize + fixedSize, valueStart),
      ...(log.readUInt8(at + 16) !== deleted && { value: log.subarray(valueStart, end) }),
    });
    at = end;
  }
}

function recordEnd(log: Buffer, at: number): number | undefined {
  if (at + headerSize + fixedSize > log.length) return undefined;
  const end = at + headerSize + log.readUInt32LE(at);
  if (end > log.length || end < at + headerSize + fixedSize) return undefined;
  return crc32(log.subarray(at + headerSize, end)) === log.readUInt32LE(at + 4) ? end : undefined;
}
