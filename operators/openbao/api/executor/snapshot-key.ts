// SPDX-License-Identifier: Apache-2.0

/** Whose snapshots, and where in the bucket. */
interface SnapshotOwner {
  readonly namespace: string;
  readonly name: string;
  /** Default: none. */
  readonly pathPrefix?: string | undefined;
}

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
  return `${snapshotPrefix(owner)}${filenamePrefix === '' ? '' : `${filenamePrefix}-`}${stamp}-${id}.snap`;
}
