// SPDX-License-Identifier: Apache-2.0
import { Keystone } from '@forge/keystone/api/keystone.ts';
import { MariaDB } from '@forge/kube/third-party/mariadb.ts';
import type { Change } from '@forge/runtime/objects/change.ts';
import { reads, type Reads } from '@forge/runtime/steps/reads.ts';
import type { ControlPlane } from '../../api/control-plane.ts';
import { namesOf } from '../../api/names.ts';
import { databaseClusterOf } from '../../api/settings.ts';
import type { Services } from '../../clients/services.ts';
import type { TeardownContext } from './korc-children.ts';
import { isForeground } from './release-held.ts';

const databaseNames = (controlPlane: ControlPlane) => [databaseClusterOf(controlPlane) ?? []].flat();

/** The objects that Keystone depends on. */
export const outlookReads: readonly Reads<ControlPlane, Services>[] = [
  reads(Keystone, (controlPlane) => [namesOf(controlPlane).keystone], { predicate: comesOrGoes }),
  reads(MariaDB, databaseNames, { predicate: comesOrGoes }),
];

/** Whether Keystone can be expected to answer: `terminating` when it or its database is being deleted, `gone` when it was. */
export function keystoneOutlook({ object: controlPlane, get }: TeardownContext): 'stays' | 'terminating' | 'gone' {
  const child = get(Keystone, namesOf(controlPlane).keystone);
  if (child === undefined) return 'gone';
  const databases = databaseNames(controlPlane).map((name) => get(MariaDB, name));
  const isTerminating = [child, ...databases].some((each) => each?.metadata.deletionTimestamp !== undefined);
  if (isTerminating || databases.includes(undefined)) return 'terminating';
  // The garbage collector deletes everything else at once.
  return isForeground(controlPlane) ? 'terminating' : 'stays';
}

function comesOrGoes({ before, after }: Change): boolean {
  return before?.metadata.deletionTimestamp !== after?.metadata.deletionTimestamp || !before || !after;
}
