// SPDX-License-Identifier: Apache-2.0
import { describeEntry, isWrite, podOf, type AuditEntry } from './audit-log.ts';

/**
 * Writes of two leaders at the same time, as text: those of a pod while another one held the Lease, and objects that
 * were created twice without a deletion in between.
 */
export function doubleWrites(entries: readonly AuditEntry[]): string[] {
  const writes = entries
    .filter(isWrite)
    .toSorted((one, other) => one.requestReceivedTimestamp.localeCompare(other.requestReceivedTimestamp));
  return [...writesOfOthers(writes), ...repeatedCreates(writes.filter((write) => !isOfLease(write)))];
}

function isOfLease({ objectRef }: AuditEntry): boolean {
  return objectRef?.resource === 'leases';
}

/** Writes of a pod that was not the last one to write the Lease; every replica may record Events. */
function writesOfOthers(writes: readonly AuditEntry[]): string[] {
  let leader: string | undefined;
  return writes.flatMap((write) => {
    const pod = podOf(write);
    if (isOfLease(write)) leader = pod;
    if (pod === leader || write.objectRef?.resource === 'events') return [];
    return [`${describeEntry(write)}: while ${leader} led`];
  });
}

function repeatedCreates(writes: readonly AuditEntry[]): string[] {
  const existing = new Set<string>();
  return writes.flatMap((write) => {
    const { resource, subresource, namespace, name } = write.objectRef ?? {};
    const key = [resource, namespace, name].join('/');
    if (write.verb === 'delete') existing.delete(key);
    // The name of an object that was created by POST is only in the response.
    const isCreate = write.responseStatus?.code === 201 && subresource === undefined && name !== undefined;
    if (!isCreate) return [];
    if (existing.has(key)) return [`${describeEntry(write)}: created before`];
    existing.add(key);
    return [];
  });
}
