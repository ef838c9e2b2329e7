// SPDX-License-Identifier: Apache-2.0
import type {
  RuleWithOperations,
  ServiceReference,
  WebhookClientConfig,
  MatchCondition,
  MutatingWebhook,
} from '@forge/kube/generated/types.ts';
import type { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from '@forge/kube/kinds/builtin.ts';
import { compileMatchCondition } from '../../cel/rules/match-condition.ts';
import { subdomainProblem, qualifiedNameProblem, dns1035LabelProblem } from '../../formats/names.ts';
import type { Rule } from '../inspection.ts';
import { all, each, fields, given, unique, repeatedIndexes, validation } from '../rule.ts';
import { selector } from '../selector-rules.ts';
import { required, oneOf, requiredText } from '../value-rules.ts';
import { webhookPath, webhookUrl } from './webhook-url-rules.ts';

function qualifiedNameOf(name: string): string | undefined {
  const problem = subdomainProblem(name);
  if (problem !== undefined || name.split('.').length > 2) return problem;
  return 'should be a domain with at least three segments separated by dots';
}

/** A list in which `*` must be the only item. */
function withStar(what: string): Rule<readonly string[]> {
  return all<readonly string[]>(required(), (list = [], at) => {
    if (list.length > 1 && list.includes('*')) at.invalid(list, `if '*' is present, must not specify other ${what}`);
  });
}

const operations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];

const resources: Rule<readonly string[]> = all<readonly string[]>(required(), (list = [], at) => {
  const stars = new Set<string>();
  for (const [index, name] of list.entries()) {
    const [plural, sub] = name.split(/\/(.*)/);
    if (name === '') at.inside(index, name, required());
    if (sub === undefined) continue;
    for (const star of [`${plural}/*`, `*/${sub}`]) {
      if (stars.has(star)) at.invalid(name, `if '${star}' is present, must not specify ${name}`, `[${index}]`);
    }
    if (plural === '*' || sub === '*') stars.add(name);
  }
  if (list.length > 1 && list.includes('*/*')) {
    at.invalid(list, "if '*/*' is present, must not specify other resources");
  }
  // kube-apiserver only looks at the last resource without a subresource.
  if (list.includes('*') && list.findLast((name) => name !== '' && !name.includes('/')) !== '*') {
    at.invalid(list, "if '*' is present, must not specify other resources without subresources");
  }
});

const rule: Rule<RuleWithOperations> = fields({
  operations: all(withStar('operations'), each(supported(...operations))),
  apiGroups: withStar('API groups'),
  apiVersions: all(withStar('API versions'), each(required())),
  resources,
  scope: oneOf('*', 'Cluster', 'Namespaced'),
});

/** One of some strings; an empty one is invalid. */
function supported(...texts: readonly string[]): Rule<string> {
  return (value = '', at) => {
    if (!texts.includes(value)) at.unsupported(value, texts);
  };
}

const sideEffects: Rule<string> = (value = '', at) => {
  if (value === '') at.required('must specify one of None, NoneOnDryRun');
  else supported('None', 'NoneOnDryRun')(value, at);
};

const timeout: Rule<number> = given((value, at) => {
  if (value < 1 || value > 30) at.invalid(value, 'the timeout value must be between 1 and 30 seconds');
});

const service: Rule<ServiceReference> = given(({ name, namespace, port = 443, path }, at) => {
  // kube-apiserver confuses the two here.
  if (namespace === '') at.required(undefined, 'name');
  if (name === '') at.required(undefined, 'namespace');
  if (port < 1 || port > 65_535) at.invalid(port, 'port is not valid: must be between 1 and 65535, inclusive', 'port');
  at.inside('path', path, webhookPath);
});

const clientConfig: Rule<WebhookClientConfig> = given((config, at) => {
  if ((config.url === undefined) === (config.service === undefined)) {
    at.required('exactly one of url or service is required');
  } else fields<WebhookClientConfig>({ url: webhookUrl, service })(config, at);
});

const condition: Rule<MatchCondition> = given(({ expression, name }, at) => {
  const trimmed = expression.trim();
  const { program } = compileMatchCondition(trimmed);
  if (trimmed === '') at.required(undefined, 'expression');
  else if (typeof program === 'string') at.invalid(trimmed, program, 'expression');
  at.inside('name', name, requiredText(qualifiedNameProblem));
});

const conditions: Rule<readonly MatchCondition[]> = (list = [], at) => {
  if (list.length > 64) at.tooMany(list.length, 64);
  each(condition)(list, at);
  unique<MatchCondition>('name')(list, at);
};

const reviewVersions: Rule<readonly string[]> = (list = [], at) => {
  if (list.length === 0) at.required('must specify one of v1, v1beta1');
  const repeated = repeatedIndexes(list);
  for (const [index, version] of list.entries()) {
    const problem = repeated.has(index) ? 'duplicate version' : dns1035LabelProblem(version);
    if (problem !== undefined) at.invalid(version, problem, `[${index}]`);
  }
  if (list.length > 0 && !list.includes('v1') && !list.includes('v1beta1')) {
    at.invalid(list, 'must include at least one of v1, v1beta1');
  }
};

const webhook: Rule<MutatingWebhook> = fields({
  name: requiredText(qualifiedNameOf),
  rules: each(rule),
  failurePolicy: oneOf('Fail', 'Ignore'),
  matchPolicy: oneOf('Equivalent', 'Exact'),
  sideEffects,
  timeoutSeconds: timeout,
  namespaceSelector: selector,
  objectSelector: selector,
  reinvocationPolicy: oneOf('IfNeeded', 'Never'),
  clientConfig,
  matchConditions: conditions,
  admissionReviewVersions: reviewVersions,
});

/** Validates a webhook configuration. */
export const validateWebhooks = validation<MutatingWebhookConfiguration | ValidatingWebhookConfiguration>(
  fields({ webhooks: all<readonly MutatingWebhook[]>(each(webhook), unique('name')) }),
);
