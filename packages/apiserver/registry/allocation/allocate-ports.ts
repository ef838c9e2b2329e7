// SPDX-License-Identifier: Apache-2.0
import { invalidValue } from '@forge/kube/errors/field-error.ts';
import type { ServiceSpec } from '@forge/kube/generated/types.ts';
import { Service } from '@forge/kube/kinds/builtin.ts';
import { invalid, internalError } from '../../messages/status-errors.ts';
import type { CoreContext } from '../../resources/core-context.ts';
import { needsHealthCheckNodePort, needsNodePorts } from '../../resources/service-exposure.ts';
import { allServices, firstFree } from './free-number.ts';

const lowest = 30_000;

const highest = 32_767;

/** As in kube-apiserver, the low end of the range is reserved for static allocation. */
const reserved = 86;

/** Allocates the node ports of a service: the requested ones if free, else random ones. */
export function allocatePorts(service: Service, context: CoreContext): Service {
  const { spec, metadata } = service;
  if (spec?.ports === undefined || !needsNodePorts(spec)) return service;
  const others = allServices(context).filter((other) => other.metadata.uid !== metadata.uid);
  const taken = new Set(others.flatMap(portsOf));
  const ports = spec.ports.map((port, index) => {
    const problem = problemOf(port.nodePort, taken);
    if (problem !== undefined) {
      const error = invalidValue(`spec.ports[${index}].nodePort`, port.nodePort, problem);
      throw invalid(Service, metadata.name, [error]);
    }
    const nodePort = port.nodePort ?? freePort(context, taken);
    taken.add(nodePort);
    return { ...port, nodePort };
  });
  if (!needsHealthCheckNodePort(spec)) return { ...service, spec: { ...spec, ports } };
  const healthCheckNodePort = healthPort(spec, context, taken);
  return { ...service, spec: { ...spec, ports, healthCheckNodePort } };
}

/** The node ports of a service. */
export function portsOf({ spec }: Service): (number | undefined)[] {
  return [...(spec?.ports ?? []).map(({ nodePort }) => nodePort), spec?.healthCheckNodePort];
}

function healthPort(
  { healthCheckNodePort: wanted }: ServiceSpec,
  context: CoreContext,
  taken: Set<number | undefined>,
) {
  if (wanted === undefined) return freePort(context, taken);
  const problem = problemOf(wanted, taken);
  if (problem === undefined) return wanted;
  throw internalError(`failed to allocate requested HealthCheck NodePort ${wanted}: ${problem}`);
}

function problemOf(nodePort: number | undefined, taken: ReadonlySet<number | undefined>): string | undefined {
  if (nodePort === undefined) return undefined;
  if (nodePort < lowest || nodePort > highest) {
    return `provided port is not in the valid range. The range of valid ports is ${lowest}-${highest}`;
  }
  return taken.has(nodePort) ? 'provided port is already allocated' : undefined;
}

function freePort({ random }: CoreContext, taken: ReadonlySet<number | undefined>): number {
  const from = lowest + reserved;
  return firstFree(random, from, highest - from + 1, (candidate) => taken.has(candidate));
}
