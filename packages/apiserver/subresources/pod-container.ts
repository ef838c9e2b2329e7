// SPDX-License-Identifier: Apache-2.0
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import { badRequest } from '../messages/status-errors.ts';

/** The requested container, or the only one. */
export function podContainer({ metadata: { name }, spec }: Pod, named = ''): string {
  const containers = spec?.containers ?? [];
  const all = [...(spec?.initContainers ?? []), ...containers, ...(spec?.ephemeralContainers ?? [])];
  const names = all.map((each) => each.name);
  if (named !== '') {
    if (names.includes(named)) return named;
    throw badRequest(`container ${named} is not valid for pod ${name}`);
  }
  const [only, ...others] = containers;
  if (only !== undefined && others.length === 0) return only.name;
  throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${names.join(' ')}]`);
}
