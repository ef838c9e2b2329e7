// SPDX-License-Identifier: Apache-2.0
import type {
  HTTPIngressPath,
  IngressBackend,
  IngressClassParametersReference,
  IngressLoadBalancerIngress,
  IngressRule,
  IngressServiceBackend,
  IngressSpec,
  IngressTLS,
  TypedLocalObjectReference,
} from '@forge/kube/generated/types.ts';
import type { Ingress, IngressClass } from '@forge/kube/kinds/builtin.ts';
import { addressProblem, isAddress } from '../../formats/address-problem.ts';
import {
  dnsLabelProblem,
  pathSegmentProblem,
  portNameProblems,
  subdomainProblem,
  wildcardProblem,
} from '../../formats/names.ts';
import { classAnnotation } from '../../resources/ingress-class.ts';
import type { Rule } from '../inspection.ts';
import { change, each, fields, fixed, given, validation } from '../rule.ts';
import { portNumber, requiredText, text } from '../value-rules.ts';

function hostProblem(host: string): string | undefined {
  return host.includes('*') ? wildcardProblem(host) : subdomainProblem(host);
}

function notAnAddress(host: string): string | undefined {
  return isAddress(host) ? 'must be a DNS name, not an IP address' : undefined;
}

const reference: Rule<TypedLocalObjectReference> = fields({
  apiGroup: text(subdomainProblem),
  kind: requiredText(pathSegmentProblem),
  name: requiredText(pathSegmentProblem),
});

const service: Rule<IngressServiceBackend> = fields({ name: requiredText(dnsLabelProblem) });

const backend: Rule<IngressBackend> = (value, at) => {
  const { resource, service: target } = value ?? {};
  if (resource !== undefined && target !== undefined) at.invalid('', 'cannot set both resource and service backends');
  else if (resource !== undefined) at.inside('resource', resource, reference);
  else if (target === undefined) at.invalid('', 'resource or service backend is required');
  else {
    at.inside('service', target, service);
    const { name = '', number = 0 } = target.port ?? {};
    if (name !== '' && number !== 0) at.invalid('', 'cannot set both port name & port number');
    else if (name !== '') at.inside('service.port.name', name, text(portNameProblems));
    else if (number !== 0) at.inside('service.port.number', number, portNumber);
    else at.required('port name or number is required');
  }
};

const wrongSequences = ['//', '/./', '/../', '%2f', '%2F'];
const wrongSuffixes = ['/..', '/.'];

function* pathProblems(path: string, pathType: string): Generator<string> {
  const isSpecific = pathType === 'ImplementationSpecific';
  if (!path.startsWith('/') && !(isSpecific && path === '')) yield 'must be an absolute path';
  if (isSpecific) return;
  for (const sequence of wrongSequences) if (path.includes(sequence)) yield `must not contain '${sequence}'`;
  for (const suffix of wrongSuffixes) if (path.endsWith(suffix)) yield `cannot end with '${suffix}'`;
}

const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix'];

const httpPath: Rule<HTTPIngressPath> = given(({ path = '', pathType, backend: target }, at) => {
  const type = (pathType as string | undefined) ?? null;
  if (type === null) at.required('pathType must be specified', 'pathType');
  else {
    if (!pathTypes.includes(type)) at.unsupported(type, pathTypes, 'pathType');
    else for (const problem of pathProblems(path, type)) at.invalid(path, problem, 'path');
    at.inside('backend', target, backend);
  }
});

const rule: Rule<IngressRule> = fields({
  host: text(notAnAddress, hostProblem),
  http: fields({
    paths: (paths = [], at) => {
      if (paths.length === 0) at.required();
      each(httpPath)(paths, at);
    },
  }),
});

const tls: Rule<IngressTLS> = fields({ hosts: each(hostRule), secretName: text(subdomainProblem) });

/** Unlike in rules, an empty host is invalid here. */
function hostRule(host: string | undefined, at: Parameters<Rule<string>>[1]): void {
  const problem = hostProblem(host ?? '');
  if (problem !== undefined) at.invalid(host ?? '', problem);
}

const spec: Rule<IngressSpec> = (value = {}, at) => {
  const { rules, defaultBackend } = value;
  if ((rules ?? []).length === 0 && defaultBackend === undefined) {
    at.invalid(rules ?? null, 'either `defaultBackend` or `rules` must be specified');
  }
  if (defaultBackend !== undefined) at.inside('defaultBackend', defaultBackend, backend);
  fields<IngressSpec>({
    rules: each(rule),
    tls: each(tls),
    ingressClassName: given((name, inner) => {
      const problem = subdomainProblem(name);
      if (problem !== undefined) inner.invalid(name, problem);
    }),
  })(value, at);
};

const validateSpec = validation<Ingress>((ingress, at) => {
  at.inside('spec', ingress?.spec, spec);
});

/** A new Ingress names its class once; an older one keeps its annotation. */
const validateNew = validation<Ingress>((ingress, at) => {
  at.inside('spec', ingress?.spec, spec);
  const annotation = ingress?.metadata.annotations?.[classAnnotation];
  const name = ingress?.spec?.ingressClassName;
  if (annotation !== undefined && name !== undefined && annotation !== name) {
    at.invalid(annotation, 'must match `ingressClassName` when both are specified', `annotations.${classAnnotation}`);
  }
});

const loadBalancerIngress: Rule<IngressLoadBalancerIngress> = fields({
  ip: text(addressProblem),
  hostname: text(subdomainProblem, notAnAddress),
});

const validateStatus = validation<Ingress>(
  fields({ status: fields({ loadBalancer: fields({ ingress: each(loadBalancerIngress) }) }) }),
);

/** Validates an Ingress, or its status. */
export function validateIngress(ingress: Ingress, before: Ingress | undefined, subresource: string | undefined) {
  if (subresource === 'status') return validateStatus(ingress, before);
  return before === undefined ? validateNew(ingress, before) : validateSpec(ingress, before);
}

const longestController = 250;

const controller: Rule<string> = (value = '', at) => {
  if (value.length > longestController) at.tooLong(longestController);
  const [domain = '', path = ''] = value.split(/\/(.*)/s);
  if (value === '') at.required();
  else if (domain === '' || path === '') at.invalid(value, 'must be a domain-prefixed path (such as "acme.io/foo")');
  else {
    text(subdomainProblem)(domain, at);
    if (!/^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/.test(path)) {
      const detail = String.raw`Invalid path (regex used for validation is '[A-Za-z0-9/\-._~%!$&'()*+,;=:]+')`;
      at.invalid(path, detail);
    }
  }
};

const scopes = ['Cluster', 'Namespace'];

const parameters: Rule<IngressClassParametersReference> = given(({ scope, namespace, ...named }, at) => {
  reference(named, at);
  if (scope === undefined) at.required(undefined, 'scope');
  else if (!scopes.includes(scope)) at.unsupported(scope, scopes, 'scope');
  else if (scope === 'Cluster') {
    if (namespace !== undefined) at.forbidden("`parameters.scope` is set to 'Cluster'", 'namespace');
  } else if (namespace === undefined) at.required("`parameters.scope` is set to 'Namespace'", 'namespace');
  else at.inside('namespace', namespace, text(dnsLabelProblem));
});

/** Validates an IngressClass; its controller is immutable. */
export const validateIngressClass = validation<IngressClass>(
  fields({
    spec: (value, at) => {
      fields<NonNullable<IngressClass['spec']>>({ controller, parameters })(value ?? {}, at);
    },
  }),
  change('spec', fixed('controller')),
  'change first',
);
