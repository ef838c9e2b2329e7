// SPDX-License-Identifier: Apache-2.0
import type { ServicePort, ServiceSpec } from '@forge/kube/generated/types.ts';
import type { Service } from '@forge/kube/kinds/builtin.ts';
import { addressProblem, reachableProblem } from '../../formats/address-problem.ts';
import { dnsLabelProblem, subdomainProblem } from '../../formats/names.ts';
import { isExternallyAccessible, needsHealthCheckNodePort } from '../../resources/service-exposure.ts';
import { addresses } from '../cluster-address-rules.ts';
import type { Rule } from '../inspection.ts';
import { protocols } from '../pods/container-rules.ts';
import { portOrName } from '../pods/probe-rules.ts';
import { fields, unique, given, type ChangeRule, all, change, each, validation } from '../rule.ts';
import { wantedLabels } from '../selector-rules.ts';
import { requiredOneOf, portNumber, text, requiredText, oneOf } from '../value-rules.ts';

const port = fields<ServicePort>({
  name: text(dnsLabelProblem),
  port: portNumber,
  protocol: requiredOneOf(...protocols),
  targetPort: portOrName,
});

const uniqueNames = unique<ServicePort>('name');

const ports: Rule<ServiceSpec> = given(({ ports: list = [], clusterIP, type }, at) => {
  if (list.length === 0 && clusterIP !== 'None' && type !== 'ExternalName') at.required(undefined, 'ports');
  at.inside('ports', list, () => {
    for (const [index, one] of list.entries()) {
      at.inside(index, one, () => {
        if (list.length > 1 && (one.name ?? '') === '') at.required(undefined, 'name');
        port(one, at);
      });
    }
    uniqueNames(list, at);
  });
});

/** Ports must be unique by number and protocol; node ports need a matching type. */
const uniquePorts: Rule<ServiceSpec> = given(({ ports: list = [], type }, at) => {
  const seen = new Set<string>();
  for (const [index, { protocol = '', port: number, nodePort = 0 }] of list.entries()) {
    at.inside('ports', list, (_, inner) =>
      inner.inside(index, number, () => {
        if (type === 'ClusterIP' && nodePort !== 0) {
          inner.forbidden("may not be used when `type` is 'ClusterIP'", 'nodePort');
        }
        const shown = { Name: '', Protocol: protocol, AppProtocol: null, Port: number, TargetPort: 0, NodePort: 0 };
        if (seen.has(`${protocol} ${number}`)) inner.duplicate(shown);
      }),
    );
    seen.add(`${protocol} ${number}`);
  }
});

const externalName: Rule<ServiceSpec> = given(({ type, clusterIP = '', clusterIPs = [], externalName: name }, at) => {
  if (type !== 'ExternalName') return;
  if (clusterIP !== '' || clusterIPs.length > 0) at.forbidden('may not be set for ExternalName services', 'clusterIPs');
  at.inside('externalName', name, requiredText(subdomainProblem));
});

const outsideAddress: Rule<string> = given((address, at) => {
  text(addressProblem(address) === undefined ? reachableProblem : addressProblem)(address, at);
});

const traffic: Rule<ServiceSpec> = given((spec, at) => {
  const { externalTrafficPolicy, healthCheckNodePort = 0 } = spec;
  if (isExternallyAccessible(spec))
    at.inside('externalTrafficPolicy', externalTrafficPolicy, requiredOneOf('Cluster', 'Local'));
  else if (externalTrafficPolicy !== undefined) {
    at.invalid(externalTrafficPolicy, 'may only be set for externally-accessible services', 'externalTrafficPolicy');
  }
  if (healthCheckNodePort !== 0 && !needsHealthCheckNodePort(spec)) {
    const detail = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
    at.invalid(healthCheckNodePort, detail, 'healthCheckNodePort');
  }
});

/** clusterIP is immutable. */
const immutableAddress: ChangeRule<ServiceSpec> = (spec, before, at) => {
  if (before.type === 'ExternalName' || spec.type === 'ExternalName') return;
  const { clusterIPs = [] } = spec;
  if (before.clusterIPs !== undefined && clusterIPs[0] !== before.clusterIPs[0]) {
    at.invalid(clusterIPs, 'may not change once set', 'clusterIPs[0]');
  }
};

/** healthCheckNodePort is immutable. */
const immutableHealthPort: ChangeRule<ServiceSpec> = (spec, before, at) => {
  if (!needsHealthCheckNodePort(spec) || !needsHealthCheckNodePort(before)) return;
  if (spec.healthCheckNodePort !== before.healthCheckNodePort)
    at.forbidden('field is immutable', 'healthCheckNodePort');
};

/** Validates a Service. */
export const validateService = validation<Service>(
  fields({
    spec: all<ServiceSpec>(
      externalName,
      ports,
      fields({ selector: wantedLabels, sessionAffinity: oneOf('ClientIP', 'None') }),
      addresses,
      fields({ externalIPs: each(outsideAddress) }),
      uniquePorts,
      fields({ type: oneOf('ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort') }),
      traffic,
      fields({ internalTrafficPolicy: oneOf('Cluster', 'Local') }),
    ),
  }),
  change('spec', (spec, before, at) => {
    immutableAddress(spec, before, at);
    immutableHealthPort(spec, before, at);
  }),
);
