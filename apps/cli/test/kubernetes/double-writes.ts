// SPDX-License-Identifier: Apache-2.0
import { describeEntry, isWrite, podOf, type AuditEntry } from './audit-log.ts';

/** Written by every replica, whether it leads or not. */
const byEveryReplica = new Set(['leases', 'events', 'tokenreviews', 'subjectaccessreviews']);

/**
 * Writes that two leaders sent at the same time, as text: those of a pod that another pod had followed already, and
 * objects created twice without a deletion between.
 */
export function doubleWrites(entries: readonly AuditEntry[]): string[] {
  const writes = entries
    .filter((entry) => isWrite(entry) && !byEveryReplica.has(entry.objectRef?.resource ?? ''))
    .toSorted((one, other) => one.requestReceivedTimestamp.localeCompare(other.requestReceivedTimestamp));
  return [...lateWrites(writes), ...repeatedCreates(writes)];
}

/** Writes of a pod after those of the pod that took over from it. */
function lateWrites(writes: readonly AuditEntry[]): string[] {
  const followed = new Set<string>();
  let leader: string | undefined;
  return writes.flatMap((write) => {
    const pod = podOf(write) ?? '';
    if (followed.has(pod)) return [`${describeEntry(write)}: after ${leader} took over`];
    if (leader !== undefined && leader !== pod) followed.add(leader);
    leader = pod;
    return [];
  });
}

function repeatedCreates(writes: readonly AuditEntry[]): string[] {
  const existing = new Set<string>();
  return writes.flatMap((write) => {
    const { resource, subresource, namespace, name } = write.objectRef ?? {};
    const key = [resource, namespace, name].join('/');
    if (write.verb === 'delete') existing.delete(key);
    // The name of an object that was created by POST is in the answer only.
    const isCreate = write.responseStatus?.code === 201 && subresource === undefined && name !== undefined;
    if (!isCreate) return [];
    if (existing.has(key)) return [`${describeEntry(write)}: created before`];
    existing.add(key);
    return [];
  });
}
