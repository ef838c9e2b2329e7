// SPDX-License-Identifier: Apache-2.0
import { Keystone } from '@forge/keystone/keystone.ts';
import { MariaDB } from '@forge/kube/third-party/mariadb.ts';
import { reads, type Reads } from '@forge/runtime/steps/reads.ts';
import type { ControlPlane } from '../../control-plane.ts';
import { namesOf } from '../../names.ts';
import { databaseClusterOf } from '../../settings.ts';
import type { Services } from '../../step.ts';
import type { TeardownContext } from './korc-children.ts';

const databaseNames = (controlPlane: ControlPlane) => [databaseClusterOf(controlPlane) ?? []].flat();

/** The objects that Keystone stands and falls with. */
export const outlookReads: readonly Reads<ControlPlane, Services>[] = [
  reads(Keystone, (controlPlane) => [namesOf(controlPlane).keystone]),
  reads(MariaDB, databaseNames),
];

/** Whether Keystone can be expected to answer: `leaving` when it or its database is being deleted, `gone` when it was. */
export function keystoneOutlook({ object: controlPlane, get }: TeardownContext): 'stays' | 'leaving' | 'gone' {
  const child = get(Keystone, namesOf(controlPlane).keystone);
  if (child === undefined) return 'gone';
  const databases = databaseNames(controlPlane).map((name) => get(MariaDB, name));
  const isLeaving = [child, ...databases].some((each) => each?.metadata.deletionTimestamp !== undefined);
  if (isLeaving || databases.includes(undefined)) return 'leaving';
  // The garbage collector deletes everything at once, and may be about to.
  return controlPlane.metadata.finalizers?.includes('foregroundDeletion') === true ? 'leaving' : 'stays';
}
