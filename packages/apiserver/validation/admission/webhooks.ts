// SPDX-License-Identifier: Apache-2.0
import type { ServiceReference, WebhookClientConfig, MutatingWebhook } from '@forge/kube/generated/types.ts';
import type { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from '@forge/kube/kinds/builtin.ts';
import { subdomainProblem, dns1035LabelProblem } from '../../formats/names.ts';
import type { Rule } from '../inspection.ts';
import { all, each, fields, given, unique, repeatedIndexes, validation } from '../rule.ts';
import { selector } from '../selector-rules.ts';
import { oneOf, requiredText } from '../value-rules.ts';
import { matchConditions, operationsRule, supported } from './admission-rules.ts';
import { excessOf, expressionsOfWebhook } from './expression-limits.ts';
import { webhookPath, webhookUrl } from './webhook-url-rules.ts';

function qualifiedNameOf(name: string): string | undefined {
  const problem = subdomainProblem(name);
  if (problem !== undefined || name.split('.').length > 2) return problem;
  return 'should be a domain with at least three segments separated by dots';
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
  rules: each(operationsRule),
  failurePolicy: oneOf('Fail', 'Ignore'),
  matchPolicy: oneOf('Equivalent', 'Exact'),
  sideEffects,
  timeoutSeconds: timeout,
  namespaceSelector: selector,
  objectSelector: selector,
  reinvocationPolicy: oneOf('IfNeeded', 'Never'),
  clientConfig,
  matchConditions: matchConditions(),
  admissionReviewVersions: reviewVersions,
});

const webhooks: Rule<readonly MutatingWebhook[]> = (list = [], at) => {
  const excess = excessOf(list.flatMap(expressionsOfWebhook));
  if (excess === undefined) all<readonly MutatingWebhook[]>(each(webhook), unique('name'))(list, at);
  else at.forbidden(excess);
};

/** Validates a webhook configuration. */
export const validateWebhooks = validation<MutatingWebhookConfiguration | ValidatingWebhookConfiguration>(
  fields({ webhooks }),
);
