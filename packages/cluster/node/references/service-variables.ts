// SPDX-License-Identifier: Apache-2.0
import type { Pod, Service } from '@forge/kube/kinds/builtin.ts';

/** The Service of the API server, whose variables every pod has. */
const apiServer = { namespace: 'default', name: 'kubernetes' };

/**
 * The variables of the Services that exist when a container starts, as the kubelet sets them: those of the API server
 * in every pod, those of the pod's namespace unless `enableServiceLinks` is false.
 */
export function serviceVariables({ metadata, spec }: Pod, services: readonly Service[]): Record<string, string> {
  const own = services.filter(
    (each) => each.metadata.namespace === metadata.namespace && spec?.enableServiceLinks !== false,
  );
  const server = services.filter(
    (each) => each.metadata.namespace === apiServer.namespace && each.metadata.name === apiServer.name,
  );
  return Object.fromEntries([...server, ...own].flatMap(variablesOf));
}

function variablesOf({ metadata, spec }: Service): [string, string][] {
  const { clusterIP = '', ports = [] } = spec ?? {};
  const [first] = ports;
  if (clusterIP === '' || clusterIP === 'None' || first === undefined) return [];
  const prefix = upper(metadata.name);
  const named = ports.flatMap(({ name, port }): [string, string][] =>
    name === undefined || name === '' ? [] : [[`${prefix}_SERVICE_PORT_${upper(name)}`, String(port)]],
  );
  const links = ports.flatMap(({ port, protocol = 'TCP' }): [string, string][] => {
    const link = `${prefix}_PORT_${port}_${protocol}`;
    return [
      [link, urlOf(clusterIP, { port, protocol })],
      [`${link}_PROTO`, protocol.toLowerCase()],
      [`${link}_PORT`, String(port)],
      [`${link}_ADDR`, clusterIP],
    ];
  });
  return [
    [`${prefix}_SERVICE_HOST`, clusterIP],
    [`${prefix}_SERVICE_PORT`, String(first.port)],
    ...named,
    [`${prefix}_PORT`, urlOf(clusterIP, first)],
    ...links,
  ];
}

function urlOf(host: string, { port, protocol = 'TCP' }: { port: number; protocol?: string }): string {
  return `${protocol.toLowerCase()}://${host}:${port}`;
}

function upper(name: string): string {
  return name.toUpperCase().replaceAll('-', '_');
}
