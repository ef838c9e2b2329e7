// SPDX-License-Identifier: Apache-2.0
import type { ContainerPort } from '@forge/kube/generated/types.ts';
import type { Warn } from '../resources/warn.ts';
import type { PlacedContainer } from './pods.ts';

interface PlacedPort {
  place: string;
  port: ContainerPort;
}

/** Maximum number of ports compared with each other, to bound the time. */
const mostCompared = 1000;

/** Warns of conflicting container ports. */
export function portWarnings(containers: readonly PlacedContainer[], warn: Warn): void {
  const ports = portsOf(containers).slice(0, mostCompared);
  for (const [index, { place, port }] of ports.entries()) {
    if ((port.hostIP ?? '') !== '' && (port.hostPort ?? 0) === 0) {
      warn(`${place}: hostIP set without hostPort: ${goText(port)}`);
    }
    for (const other of ports.slice(0, index)) {
      const problem = isSamePort(port, other.port) ? problemWith(port, other.port) : undefined;
      if (problem !== undefined) warn(`${place}: ${problem} port definition with ${other.place}`);
    }
  }
  nameWarnings(ports, warn);
}

function portsOf(containers: readonly PlacedContainer[]): PlacedPort[] {
  const ports: PlacedPort[] = [];
  for (const { place, container } of containers) {
    for (const [index, port] of (container.ports ?? []).entries())
      ports.push({ place: `${place}.ports[${index}]`, port });
  }
  return ports;
}

function isSamePort(a: ContainerPort, b: ContainerPort): boolean {
  return a.containerPort === b.containerPort && a.protocol === b.protocol;
}

function problemWith(
  { hostIP = '', hostPort = 0 }: ContainerPort,
  { hostIP: otherIP = '', hostPort: otherPort = 0 }: ContainerPort,
): string | undefined {
  if (hostIP === otherIP && hostPort === otherPort) return 'duplicate';
  if (hostPort === 0 || otherPort === 0) return 'overlapping';
  return hostPort === otherPort && (hostIP === '') !== (otherIP === '') ? 'dangerously ambiguous' : undefined;
}

function nameWarnings(ports: readonly PlacedPort[], warn: Warn): void {
  if (ports.length < 2) return;
  const first = new Map<string, string>();
  for (const { place, port } of ports) {
    const { name = '' } = port;
    if (name === '') continue;
    const other = first.get(name);
    if (other === undefined) first.set(name, place);
    else {
      warn(
        `${place}: duplicate port name ${JSON.stringify(name)} with ${other}, services and probes that select ports by name will use ${other}`,
      );
    }
  }
}

/** The port as Go prints it. */
function goText({ name = '', hostPort = 0, containerPort, protocol = '', hostIP = '' }: ContainerPort): string {
  return `{Name:${name} HostPort:${hostPort} ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;
}
