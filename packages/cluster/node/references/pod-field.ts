// SPDX-License-Identifier: Apache-2.0
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import { goQuoted } from '@forge/kube/objects/go-quoted.ts';
import { fieldOf } from '@forge/kube/objects/json.ts';
import { addresses } from '../network/addresses.ts';
import { ContainerConfigError } from './container-config-error.ts';

/** A field of the downward API. */
export function podField(pod: Pod, podIP: string, path: string): string {
  const { metadata, spec } = pod;
  const [, map, key = ''] = /^metadata\.(labels|annotations)\['(.+)'\]$/.exec(path) ?? [];
  if (map === 'labels' || map === 'annotations') return fieldOf(metadata[map] ?? {}, key) ?? '';
  switch (path) {
    case 'metadata.name':
      return metadata.name;
    case 'metadata.namespace':
      return metadata.namespace ?? '';
    case 'metadata.uid':
      return metadata.uid ?? '';
    case 'metadata.labels':
      return lines(metadata.labels);
    case 'metadata.annotations':
      return lines(metadata.annotations);
    case 'spec.nodeName':
      return spec?.nodeName ?? '';
    case 'spec.serviceAccountName':
      return spec?.serviceAccountName ?? '';
    case 'status.podIP':
    case 'status.podIPs':
      return podIP;
    case 'status.hostIP':
    case 'status.hostIPs':
      return addresses.node;
    default:
      throw new ContainerConfigError(`the node does not support the pod field ${path}`);
  }
}

/** One line per entry, ordered by name, with the value quoted as Go's %q does. */
function lines(entries: Readonly<Record<string, string>> = {}): string {
  return Object.keys(entries)
    .toSorted()
    .map((name) => `${name}=${goQuoted(fieldOf(entries, name) ?? '')}`)
    .join('\n');
}
