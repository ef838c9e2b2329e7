// SPDX-License-Identifier: Apache-2.0
import type { Wire } from '../wires/wire.ts';
import type { Exchange } from './exchange.ts';
import { type Ask, configMaps } from './hooks.ts';

/** The admission policies of a case. */
export interface Policies {
  /**
   * Creates a policy, and its binding unless that is null, and waits until the server enforces them. By default the
   * policy is about config maps of the row's namespace that are created or updated, and the binding denies.
   */
  create(name: string, spec: PolicySpec, binding?: object | null): Promise<void>;
  /** Waits until the server has seen all changes of policies and bindings. */
  settle(): Promise<void>;
}

const group = 'admissionregistration.k8s.io/v1';
/** Paths of the two resources. */
export const policyPath = `/apis/${group}/validatingadmissionpolicies`;
export const bindingPath = `/apis/${group}/validatingadmissionpolicybindings`;

/** A policy, by default about config maps that are created or updated in a namespace. */
export function policy(namespace: string, name: string, { matchConstraints, ...spec }: PolicySpec = {}) {
  return {
    apiVersion: group,
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: `${namespace}-${name}` },
    spec: {
      matchConstraints: {
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
        resourceRules: [configMaps('CREATE', 'UPDATE')],
        ...matchConstraints,
      },
      ...spec,
    },
  };
}

export interface PolicySpec {
  readonly matchConstraints?: object;
  readonly [field: string]: unknown;
}

/** A binding of the policy with the same name, which denies unless other actions are given. */
export function policyBinding(namespace: string, name: string, spec: object = {}) {
  const metadata = { name: `${namespace}-${name}` };
  const kind = 'ValidatingAdmissionPolicyBinding';
  return {
    apiVersion: group,
    kind,
    metadata,
    spec: { policyName: metadata.name, validationActions: ['Deny'], ...spec },
  };
}

/** The admission policies of the case with this namespace. */
export function policies(wire: Wire, namespace: string, ask: Ask, exchanges: Exchange[]): Policies {
  let probes = 0;

  /** Changes are seen in order: when the newest policy is enforced, all earlier ones are known. */
  async function settle(): Promise<void> {
    probes += 1;
    const name = `probe-${probes}`;
    const leases = { apiGroups: ['coordination.k8s.io'], apiVersions: ['v1'], resources: ['leases'] };
    const spec = {
      matchConstraints: { resourceRules: [{ operations: ['CREATE'], ...leases }] },
      validations: [{ expression: 'false' }],
    };
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name } };
    const probe = policy(namespace, name, spec);
    await ask('POST', policyPath, probe);
    await ask('POST', bindingPath, policyBinding(namespace, name));
    await wire.until(async () => {
      const { body } = await ask('POST', 'coordination.k8s.io/v1/leases', lease, { dryRun: 'All' });
      return JSON.stringify(body).includes(`'${probe.metadata.name}' with binding`);
    });
    await ask('DELETE', `${bindingPath}/${probe.metadata.name}`);
    await ask('DELETE', `${policyPath}/${probe.metadata.name}`);
  }

  return {
    settle,
    async create(name, spec, binding = {}) {
      exchanges.push(await ask('POST', policyPath, policy(namespace, name, spec)));
      if (binding !== null) exchanges.push(await ask('POST', bindingPath, policyBinding(namespace, name, binding)));
      await settle();
    },
  };
}
