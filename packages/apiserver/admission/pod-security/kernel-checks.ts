// SPDX-License-Identifier: Apache-2.0
import type { SELinuxOptions } from '@forge/kube/generated/types.ts';
import { fieldOf } from '@forge/kube/objects/json.ts';
import { securityContextFindings, listed, sorted, type FindViolation, type PodCheck } from './pod-check.ts';

const types = ['', 'container_t', 'container_init_t', 'container_kvm_t'];

/** No SELinux options that give a container more privileges. */
export const seLinuxOptions: PodCheck = {
  versions: [
    [0, labelsBeyond(types)],
    [31, labelsBeyond([...types, 'container_engine_t'])],
  ],
};

function labelsBeyond(allowed: readonly string[]): FindViolation {
  const isForbiddenType = ({ type = '' }: SELinuxOptions): boolean => !allowed.includes(type);
  return (pod) => {
    const found: SELinuxOptions[] = [];
    const { who } = securityContextFindings(pod, ({ seLinuxOptions: options = {} }) => {
      const { user = '', role = '' } = options;
      if (!isForbiddenType(options) && user === '' && role === '') return [];
      found.push(options);
      return ['set'];
    });
    if (who.length === 0) return undefined;
    const badTypes = sorted(found.filter(isForbiddenType).map(({ type = '' }) => type));
    const what = [
      ...(badTypes.length > 0 ? [listed('type', badTypes)] : []),
      ...(found.some(({ user = '' }) => user !== '') ? ['user may not be set'] : []),
      ...(found.some(({ role = '' }) => role !== '') ? ['role may not be set'] : []),
    ];
    const detail = `${who.join(' and ')} set forbidden securityContext.seLinuxOptions: ${what.join('; ')}`;
    return { reason: 'seLinuxOptions', detail };
  };
}

/** Safe sysctls and the minor version that added them. */
const safeSysctls: Readonly<Record<string, number>> = {
  'kernel.shm_rmid_forced': 0,
  'net.ipv4.ip_local_port_range': 0,
  'net.ipv4.tcp_syncookies': 0,
  'net.ipv4.ping_group_range': 0,
  'net.ipv4.ip_unprivileged_port_start': 0,
  'net.ipv4.ip_local_reserved_ports': 27,
  'net.ipv4.tcp_keepalive_time': 29,
  'net.ipv4.tcp_fin_timeout': 29,
  'net.ipv4.tcp_keepalive_intvl': 29,
  'net.ipv4.tcp_keepalive_probes': 29,
  'net.ipv4.tcp_rmem': 32,
  'net.ipv4.tcp_wmem': 32,
};

/** Safe sysctls only. */
export const sysctls: PodCheck = {
  versions: [0, 27, 29, 32].map((version) => [version, sysctlsBeyond(version)]),
};

function sysctlsBeyond(version: number): FindViolation {
  return ({ spec: { securityContext } }) => {
    const names = (securityContext?.sysctls ?? []).map(({ name }) => name);
    const forbidden = names.filter((name) => (fieldOf(safeSysctls, name) ?? Infinity) > version);
    return forbidden.length === 0 ? undefined : { reason: 'forbidden sysctls', detail: forbidden.join(', ') };
  };
}
