// SPDX-License-Identifier: Apache-2.0
import { PersistentVolumeClaim } from '@forge/kube/kinds/builtin.ts';
import { clusterLabel } from '../api/names.ts';
import type { ContextWith } from '../clients/services.ts';
import { claimsByName } from './servers.ts';

/**
 * Gives claims of the cluster their label back, and returns their names. A StatefulSet finds its claims by their names, so that
 * pods would get them without the key, the version and the number of servers that they call for.
 */
export async function relabelHiddenClaims(context: ContextWith): Promise<string[]> {
  const { name } = context.object.metadata;
  const hidden = (await claimsByName(context)).filter(({ metadata }) => metadata.labels?.[clusterLabel] !== name);
  for (const claim of hidden)
    await context.patch(PersistentVolumeClaim, claim, { metadata: { labels: { [clusterLabel]: name } } });
  return hidden.map(({ metadata }) => metadata.name);
}
