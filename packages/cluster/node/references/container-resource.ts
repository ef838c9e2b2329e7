// SPDX-License-Identifier: Apache-2.0
import type { Container, ResourceFieldSelector, ResourceRequirements } from '@forge/kube/generated/types.ts';
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import { fieldOf } from '@forge/kube/objects/json.ts';
import { nanosOf } from '@forge/kube/objects/quantity.ts';
import { machineResources } from '../../host/machine-resources.ts';
import { ContainerConfigError } from './container-config-error.ts';

const nanosPerUnit = 1_000_000_000n;
const nanosPerMilli = 1_000_000n;

/**
 * A resource request or limit of the downward API, in units of its divisor and rounded up; a missing limit is what the
 * node has.
 */
export function containerResource(pod: Pod, own: Container | undefined, selector: ResourceFieldSelector): string {
  const { containerName = '', resource, divisor } = selector;
  const { initContainers = [], containers = [] } = pod.spec ?? {};
  const others = [...containers, ...initContainers];
  const container = containerName === '' ? own : others.find((each) => each.name === containerName);
  if (!container) throw new ContainerConfigError(`container ${containerName} not found`);
  const [, list, what = ''] = /^(limits|requests)\.(.+)$/.exec(resource) ?? [];
  if (list !== 'limits' && list !== 'requests') {
    throw new ContainerConfigError(`unsupported container resource : ${resource}`);
  }
  const unit = what === 'cpu' ? nanosPerMilli : nanosPerUnit;
  const amount = inUnits(quantityOf(container.resources, list, what), unit);
  const divided = inUnits(String(divisor ?? '0'), unit);
  // A divisor of 0 means 1, which are 1000 millis of a CPU.
  return String(ceiling(amount, divided === 0n ? nanosPerUnit / unit : divided));
}

function quantityOf(resources: ResourceRequirements = {}, list: 'limits' | 'requests', what: string): string {
  const given = String(fieldOf(resources[list] ?? {}, what) ?? '0');
  if (list === 'requests' || nanosOf(given) !== 0n) return given;
  return fieldOf<string>(machineResources(), what) ?? '0';
}

function inUnits(quantity: string, unit: bigint): bigint {
  return ceiling(nanosOf(quantity) ?? 0n, unit);
}

function ceiling(amount: bigint, divisor: bigint): bigint {
  return (amount + divisor - 1n) / divisor;
}
