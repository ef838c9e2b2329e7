// SPDX-License-Identifier: Apache-2.0
import { isIP } from 'node:net';
import type { NetworkPolicyEgressRule } from '@forge/kube/generated/types.ts';
import type { OpenBaoCluster } from '../api/openbao-cluster.ts';
import { seals } from '../api/seals.ts';
import { addressPeer, namespacePeer, tcp } from './policy-parts.ts';

/** What servers must reach because of their seal, and of the certificates that they order. */
export function derivedEgress(cluster: OpenBaoCluster): NetworkPolicyEgressRule[] {
  const { tls } = cluster.spec;
  const directory = tls.mode === 'ACME' ? [tls.acme?.directoryURL ?? ''] : [];
  return [...sealEgress(cluster), ...directory.flatMap((url) => egressTo(cluster, url))];
}

function sealEgress(cluster: OpenBaoCluster): NetworkPolicyEgressRule[] {
  const { unseal } = cluster.spec;
  const setting = (field: string) => String(unseal[seals[unseal.type].block]?.[field] ?? '');
  switch (unseal.type) {
    case 'static':
    // Only the library of a security module knows its address.
    case 'pkcs11':
      return [];
    case 'transit':
      return egressTo(cluster, setting('address'));
    case 'kmip':
      return egressTo(cluster, `kmip://${setting('address')}`);
    case 'awskms':
      return [
        ...(setting('endpoint') === '' ? [anyHttps] : egressTo(cluster, setting('endpoint'))),
        ...machine(cluster),
      ];
    case 'azurekeyvault':
    case 'gcpckms':
    case 'ocikms':
      return [anyHttps, ...machine(cluster)];
  }
}

const anyHttps = { ports: [tcp(443)] };

/** Servers without credentials get them from the metadata service, which has the same address in all clouds. */
function machine({ spec: { unseal } }: OpenBaoCluster): NetworkPolicyEgressRule[] {
  return unseal.credentialsSecretRef === undefined ? [{ to: [addressPeer('169.254.169.254')], ports: [tcp(80)] }] : [];
}

const usualPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443, 'kmip:': 5696 };

/**
 * To a URL: an address, or the namespace of a Service, or else its port anywhere, since policies know no names. A policy
 * sees the port of the pods behind a Service, which may be another one.
 */
function egressTo(cluster: OpenBaoCluster, url: string): NetworkPolicyEgressRule[] {
  if (!URL.canParse(url)) return [];
  const { hostname, port, protocol } = new URL(url);
  const address = hostname.replace(/^\[|\]$/g, '');
  const namespace = serviceNamespace(cluster, hostname);
  if (namespace !== undefined) return [{ to: [namespacePeer(namespace)] }];
  const number = port === '' ? usualPorts[protocol] : Number(port);
  if (number === undefined) return [];
  return [{ ...(isIP(address) !== 0 && { to: [addressPeer(address)] }), ports: [tcp(number)] }];
}

/** The namespace of a Service's name; undefined for other names. */
function serviceNamespace({ metadata }: OpenBaoCluster, hostname: string): string | undefined {
  if (isIP(hostname) === 0 && /^[^.:[]+$/.test(hostname)) return metadata.namespace;
  return /^[^.]+\.(?:[^.]+\.)?([^.]+)\.svc(?:\.cluster\.local)?\.?$/.exec(hostname)?.[1];
}
