// SPDX-License-Identifier: Apache-2.0

/** Whose snapshots, and where in the bucket. */
interface SnapshotOwner {
  readonly namespace: string;
  readonly name: string;
  /** Default: none. */
  readonly pathPrefix?: string | undefined;
}

const extension = '.snap';

/** What the names of all snapshots of a cluster begin with, and those of no other. */
export function snapshotPrefix({ namespace, name, pathPrefix = '' }: SnapshotOwner): string {
  const outer = pathPrefix.replaceAll(/^\/+|\/+$/g, '');
  return `${outer === '' ? '' : `${outer}/`}${namespace}/${name}/`;
}

/** The name of a snapshot: `ops/demo/2026-01-31T03-00-00Z-0a1b2c3d.snap`; `id` is eight hexadecimal digits. */
export function snapshotKey(
  owner: SnapshotOwner,
  { time, id, filenamePrefix = '' }: { time: Date; id: string; filenamePrefix?: string | undefined },
): string {
  const stamp = `${time.toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
  return `${snapshotPrefix(owner)}${filenamePrefix === '' ? '' : `${filenamePrefix}-`}${stamp}-${id}${extension}`;
}

/** Whether the name below the prefix can be that of a snapshot; nothing else in the bucket is ours. */
export function isSnapshotKey(key: string, prefix: string): boolean {
  return key.startsWith(prefix) && key.endsWith(extension) && !key.slice(prefix.length).includes('/');
}

/** The time in the name of a snapshot, in milliseconds; undefined when there is none. */
export function snapshotTime(key: string): number | undefined {
  const [, day, hours, minutes, seconds] = /(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z-[0-9a-f]{8}\.snap$/.exec(key) ?? [];
  const time = day === undefined ? NaN : Date.parse(`${day}T${hours}:${minutes}:${seconds}Z`);
  return Number.isNaN(time) ? undefined : time;
}
