// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import { ConfigMap, PersistentVolumeClaim, Secret, type Pod } from '@forge/kube/kinds/builtin.ts';

/** What a server finds in its pod. */
export interface PodConfiguration {
  readonly clusterName: string | undefined;
  readonly nodeId: string;
  readonly sealType: string;
  /** The static key; undefined for other seals. */
  readonly sealKey: string | undefined;
  readonly leaders: readonly string[];
  /** The label selectors by which it finds servers to join. */
  readonly selectors: readonly string[];
  readonly nonVoter: boolean;
  readonly performanceMultiplier: number | undefined;
  /** The uid of its claim; that of the pod when it has none. */
  readonly diskUid: string;
}

/** Reads the mounted configuration; of `config.hcl` only what the fake needs. Throws when an object does not exist. */
export async function podConfiguration(pod: Pod, client: Client): Promise<PodConfiguration> {
  const { namespace = '', name, uid = '' } = pod.metadata;
  const { volumes = [] } = pod.spec ?? {};
  const text = (await mountedHcl(pod, client)).replaceAll('${HOSTNAME}', name);
  const value = (pattern: RegExp) => pattern.exec(text)?.[1];
  const claim = volumes.find((volume) => volume.persistentVolumeClaim !== undefined)?.persistentVolumeClaim?.claimName;
  const multiplier = value(/performance_multiplier\s*=\s*"?(\d+)/);
  const keyFile = value(/current_key\s*=\s*"file:\/\/([^"]*)"/);
  return {
    clusterName: value(/cluster_name\s*=\s*"([^"]*)"/),
    nodeId: value(/node_id\s*=\s*"([^"]*)"/) ?? name,
    sealType: value(/seal\s+"([^"]+)"/) ?? 'shamir',
    sealKey: keyFile === undefined ? undefined : await mountedKey(pod, keyFile, client),
    leaders: [...text.matchAll(/leader_api_addr\s*=\s*"([^"]*)"/g)].map(([, url = '']) => url),
    selectors: [...text.matchAll(/label_selector=\\?"([^"\\]*)/g)].map(([, selector = '']) => selector),
    nonVoter: /retry_join_as_non_voter\s*=\s*"?true/.test(text),
    performanceMultiplier: multiplier === undefined ? undefined : Number(multiplier),
    diskUid:
      claim === undefined
        ? uid
        : ((await client.get(PersistentVolumeClaim, { namespace, name: claim })).metadata.uid ?? uid),
  };
}

/** The text of the mounted ConfigMap entry whose name ends with `.hcl`; an init container may have copied it. */
async function mountedHcl({ metadata, spec }: Pod, client: Client): Promise<string> {
  for (const { configMap } of spec?.volumes ?? []) {
    if (configMap?.name === undefined) continue;
    const { data = {} } = await client.get(ConfigMap, { namespace: metadata.namespace ?? '', name: configMap.name });
    const keys = configMap.items?.map(({ key }) => key) ?? Object.keys(data);
    const found = keys.find((key) => key.endsWith('.hcl'));
    if (found !== undefined) return data[found] ?? '';
  }
  return '';
}

/** The content of a file of a Secret volume. */
async function mountedKey({ metadata, spec }: Pod, file: string, client: Client): Promise<string | undefined> {
  const mounts = (spec?.containers ?? []).flatMap(({ volumeMounts = [] }) => volumeMounts);
  const mount = mounts.find(({ mountPath }) => file.startsWith(`${mountPath}/`));
  const name = spec?.volumes?.find((volume) => volume.name === mount?.name)?.secret?.secretName;
  if (mount === undefined || name === undefined) return undefined;
  const { data = {} } = await client.get(Secret, { namespace: metadata.namespace ?? '', name });
  return data[file.slice(mount.mountPath.length + 1)];
}
