// SPDX-License-Identifier: Apache-2.0
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import { specOf } from '../../objects/pod-spec.ts';
import type { BindMount } from '../mounts/compose-root.ts';
import { addresses } from '../network/addresses.ts';
import { clusterDomain, resolvConf } from '../network/dns-zone.ts';

/** A pod's host name: at most 63 characters. */
export function hostnameOf(pod: Pod): string {
  return (specOf(pod).hostname ?? pod.metadata.name).slice(0, 63).replace(/[.-]+$/, '');
}

/** The content of /etc/hosts. */
export function hostsFile(pod: Pod, address: string): string {
  const { subdomain, hostAliases = [] } = specOf(pod);
  const hostname = hostnameOf(pod);
  const full =
    subdomain === undefined ? [] : [`${hostname}.${subdomain}.${pod.metadata.namespace}.svc.${clusterDomain}`];
  return [
    '127.0.0.1\tlocalhost',
    '::1\tlocalhost ip6-localhost ip6-loopback',
    [address, ...full, hostname].join('\t'),
    ...hostAliases.map(({ ip, hostnames = [] }) => [ip, ...hostnames].join('\t')),
    '',
  ].join('\n');
}

/** Writes the files that every container of the pod mounts, and returns the mounts. */
export async function writePodFiles(folder: string, pod: Pod, address: string): Promise<BindMount[]> {
  const files = {
    '/etc/hosts': hostsFile(pod, address),
    '/etc/hostname': `${hostnameOf(pod)}\n`,
    '/etc/resolv.conf': resolvConf(pod.metadata.namespace ?? 'default', addresses.dns),
  };
  const own = join(folder, 'etc');
  await mkdir(own, { recursive: true });
  return Promise.all(
    Object.entries(files).map(async ([target, content]) => {
      const source = join(own, target.slice('/etc/'.length));
      await writeFile(source, content);
      return { source, target, readOnly: false };
    }),
  );
}
