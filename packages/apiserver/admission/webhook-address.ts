// SPDX-License-Identifier: Apache-2.0
import type { EndpointSlice, Service } from '@forge/kube/builtin.ts';
import type { ServiceReference, WebhookClientConfig } from '@forge/kube/generated/types.ts';
import type { Store } from '../storage/store.ts';

/** What a connection is made to. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Whom a webhook's certificate must name, as `host:port`; behind a Service that is the Service. */
export function authorityOf({ url = '', service }: WebhookClientConfig): string {
  if (service === undefined) return /^https:\/\/([^/]*)/.exec(url)?.[1] ?? '';
  return `${service.name}.${service.namespace}.svc:${service.port ?? 443}`;
}

/** The path that a webhook is asked under. */
export function pathOf({ url = '', service }: WebhookClientConfig): string {
  return service === undefined ? new URL(url).pathname : (service.path ?? '/');
}

/** Where to reach a webhook; throws what is wrong with the Service it is behind. */
export function addressOf(config: WebhookClientConfig, store: Store): Address {
  if (config.service !== undefined) return serviceAddress(config.service, store);
  const { hostname, port } = new URL(config.url ?? '');
  return { host: hostname.replaceAll(/^\[|\]$/g, ''), port: Number(port || 443) };
}

function serviceAddress({ name, namespace, port = 443 }: ServiceReference, store: Store): Address {
  const { spec } = (store.current.objects.get(`services/${namespace}/${name}`)?.value ?? {}) as Partial<Service>;
  if (spec === undefined) throw new Error(`service "${name}" not found`);
  if (spec.type === 'ExternalName') return { host: spec.externalName ?? '', port };
  if (spec.clusterIP === 'None') throw new Error('cannot route to service with ClusterIP "None"');
  const servicePort = spec.ports?.find((each) => each.port === port);
  if (servicePort === undefined) throw new Error(`no service port ${port} found for service "${name}"`);
  // Service addresses lead nowhere outside the cluster's network, so a ready endpoint is asked itself.
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
