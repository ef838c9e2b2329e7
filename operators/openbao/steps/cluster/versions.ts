// SPDX-License-Identifier: Apache-2.0
// A server of a lower version than one that has run on the data never becomes leader. The version is the one that servers report,
// not the tag of their image; it is recorded on the claims, so that it survives the resource.
import { PersistentVolumeClaim } from '@forge/kube/kinds/builtin.ts';
import { modified } from '@forge/runtime/steps/modified.ts';
import { ready } from '@forge/runtime/steps/outcome.ts';
import { annotations, serverLabels } from '../../api/names.ts';
import { compareVersions, highestVersion } from '../../api/version.ts';
import { dataClaims, hasStarted, podsOf, serverPods } from '../servers.ts';
import { step } from '../step.ts';
import { init } from './init.ts';

/** Records the highest version that ran on the data, in status and on the claims. */
export const versions = step({
  name: 'Versions',
  after: [init],
  reads: [serverPods, dataClaims],
  modifies: [modified(PersistentVolumeClaim, 'patch')],
  writes: ['currentVersion', 'highestVersion'],
  async run(context) {
    const {
      object: { spec, status },
      select,
      patch,
    } = context;
    if (status?.initialized !== true) return ready();
    const claims = select(dataClaims);
    const reported = podsOf(context)
      .filter(hasStarted)
      .map(({ metadata }) => metadata.labels?.[serverLabels.version]);
    const highest = highestVersion([status.highestVersion, ...claims.map(stampOf), ...reported]);
    if (highest === undefined) return ready();
    const change = { metadata: { annotations: { [annotations.version]: highest } } };
    const outdated = claims.filter((claim) => compareVersions(stampOf(claim) ?? '', highest) < 0);
    for (const claim of outdated) await patch(PersistentVolumeClaim, claim, change);
    return ready({
      status: { ...(status.currentVersion === undefined && { currentVersion: spec.version }), highestVersion: highest },
    });
  },
});

/** The highest version that is recorded on a claim. */
const stampOf = ({ metadata }: PersistentVolumeClaim) => metadata.annotations?.[annotations.version];
