// SPDX-License-Identifier: Apache-2.0
import { posix } from 'node:path';
import type { ServiceReference, WebhookClientConfig } from '@forge/kube/generated/types.ts';
import type { EndpointSlice, Service } from '@forge/kube/kinds/builtin.ts';
import type { Store } from '../../storage/store.ts';

/** Host and port of a connection. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** The `host:port` that a webhook's certificate must be valid for; for a Service, its DNS name. */
export function authorityOf({ url = '', service }: WebhookClientConfig): string {
  if (service === undefined) return /^https:\/\/([^/]*)/.exec(url)?.[1] ?? '';
  return `${service.name}.${service.namespace}.svc:${service.port ?? 443}`;
}

/** The path of a webhook, cleaned as Go's path.Join does: `//double//x/` is `/double/x`. */
export function pathOf({ url = '', service }: WebhookClientConfig): string {
  const path = service === undefined ? pathIn(url) : (service.path ?? '');
  return escaped(posix.join('/', path).replace(/(?<=.)\/$/, ''));
}

/** The path of a URL, unescaped. */
function pathIn(url: string): string {
  const [, path = ''] = /^https:\/\/[^/]*([^?#]*)/.exec(url) ?? [];
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** A path escaped as Go does, which escapes more than JavaScript. */
function escaped(path: string): string {
  return encodeURI(path).replaceAll(/[!'()*?#]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Where to send a request, and the name its certificate must have. */
export interface ConnectionTarget {
  readonly address: Address;
  /** The network of the address: a Service must never resolve to an address in the host's network. */
  readonly network: 'service' | 'url';
  readonly serverName: string;
}

/** Where to send a request; throws when the webhook's Service cannot be resolved. */
export function connectionTargetOf(config: WebhookClientConfig, store: Store): ConnectionTarget {
  if (config.service !== undefined) {
    const { name, namespace } = config.service;
    return {
      address: serviceAddress(config.service, store),
      network: 'service',
      serverName: `${name}.${namespace}.svc`,
    };
  }
  const [, bracketed, plain = '', port] = /^(?:\[(.*)\]|([^:]*))(?::(\d+))?$/.exec(authorityOf(config)) ?? [];
  const host = bracketed ?? plain;
  return { address: { host, port: Number(port ?? 443) }, network: 'url', serverName: host };
}

function serviceAddress({ name, namespace, port = 443 }: ServiceReference, store: Store): Address {
  const { spec } = (store.current.objects.get(`services/${namespace}/${name}`)?.value ?? {}) as Partial<Service>;
  if (spec === undefined) throw new Error(`service "${name}" not found`);
  if (spec.type === 'ExternalName') return { host: spec.externalName ?? '', port };
  if (spec.clusterIP === 'None') throw new Error('cannot route to service with ClusterIP "None"');
  const servicePort = spec.ports?.find((each) => each.port === port);
  if (servicePort === undefined) throw new Error(`no service port ${port} found for service "${name}"`);
  // Cluster IPs are not routable from here, so a ready endpoint is used directly.
  const found = [...store.current.objects.withPrefix(`endpointslices.discovery.k8s.io/${namespace}/`)]
    .map(({ value }) => value as EndpointSlice)
    .filter(({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === name)
    .map((slice) => endpointOf(slice, servicePort.name ?? ''))
    .find((endpoint) => endpoint !== undefined);
  if (found === undefined) throw new Error(`no endpoints available for service "${name}"`);
  return found;
}

function endpointOf({ endpoints, ports }: EndpointSlice, portName: string): Address | undefined {
  const host = endpoints?.find(({ conditions }) => conditions?.ready !== false)?.addresses[0];
  const port = ports?.find(({ name = '' }) => name === portName)?.port;
  return host === undefined || port === undefined ? undefined : { host, port };
}
