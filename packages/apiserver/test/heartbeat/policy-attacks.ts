// SPDX-License-Identifier: Apache-2.0
import { configMaps, many, numbered, post, type Attack } from './attack.ts';
import { policies } from './hostile-policies.ts';

const group = 'admissionregistration.k8s.io/v1';
const validations = `/apis/${group}/validatingadmissionpolicies`;
const hooks = `/apis/${group}/validatingwebhookconfigurations`;
/** As many characters as the expressions of one policy may have, with some room. */
const most = 32_000;
const rule = '{"apiGroups":["*"],"apiVersions":["*"],"resources":["a"],"operations":["*"]}';
/** Ten kinds whose types are checked. */
const kinds =
  '{"apiGroups":["","apps"],"apiVersions":["v1"],"resources":["pods","services","secrets","nodes","deployments","statefulsets","daemonsets","replicasets","events","configmaps"],"operations":["*"]}';

/** The creation of a policy. */
function policy(status: number, name: string, spec: () => string, rules = rule): Attack {
  const head = `{"kind":"ValidatingAdmissionPolicy","apiVersion":"${group}","metadata":{"generateName":"a"}`;
  const body = () => `${head},"spec":{"matchConstraints":{"resourceRules":[${rules}]},${spec()}}}`;
  return post(status, `a policy with ${name}`, body, validations, 'definer');
}

const validated = (count: number, expression: (index: number) => string) =>
  `"validations":[${many(count, (index) => `{"expression":"${expression(index)}"}`)}]`;

/** The creation of a webhook configuration with these conditions. */
function conditions(status: number, name: string, list: () => string): Attack {
  const head = `{"kind":"ValidatingWebhookConfiguration","apiVersion":"${group}","metadata":{"generateName":"a"}`;
  const client = '"clientConfig":{"url":"https://127.0.0.1:1/"},"sideEffects":"None","admissionReviewVersions":["v1"]';
  const body = () =>
    `${head},"webhooks":[{"name":"a.example.com",${client},"rules":[${rule}],"matchConditions":[${list()}]}]}`;
  return post(status, `webhook conditions: ${name}`, body, hooks, 'definer');
}

const conditionsOf = (count: number, expression: string) =>
  many(count, (index) => `{"name":"c${index}","expression":"${expression}"}`);

/** A list is what takes longest to compile. */
const list = (characters: number) => `[${'1,'.repeat((characters - 12) / 2)}1].size()>0`;

/** A request that policies and webhooks of the ground look at. */
function looked(status: number, name: string, labels = '{}'): Attack {
  const metadata = `{"name":"${name}","labels":${labels}}`;
  const body = () => `{"kind":"ConfigMap","apiVersion":"v1","metadata":${metadata}}`;
  return post(status, `a ConfigMap that is looked at: ${name}`, body, configMaps, 'editor');
}

/** Admission policies and conditions of webhooks: their creation, and requests that they look at. */
export const policyAttacks: readonly Attack[] = [
  policy(422, '130 validations of 10 KB', () => validated(130, () => list(10_000))),
  policy(422, 'as many validations as fit', () => `"validations":[${numbered(() => '{"expression":"1 == 1"}')}]`),
  policy(201, 'a list as long as may be', () => validated(1, () => list(most))),
  policy(201, 'a thousand validations', () => validated(1000, (index) => `1 == ${index}`)),
  policy(201, 'a thousand unknown fields', () => validated(1000, (index) => `object.a${index} == 1`), kinds),
  policy(201, 'a list for ten kinds', () => validated(1, () => list(most)), kinds),
  policy(
    201,
    'chained variables',
    () =>
      `"variables":[{"name":"v0","expression":"1"},${many(900, (index) => `{"name":"v${index + 1}","expression":"variables.v${index}"}`)}],${validated(1, () => 'variables.v900 == 1')}`,
    kinds,
  ),
  policy(
    422,
    'as many variables as fit',
    () =>
      `"variables":[${numbered((index) => `{"name":"v${index}","expression":"${index === 0 ? '1' : `variables.v${index - 1}`}"}`)}],${validated(1, () => 'true')}`,
  ),
  policy(
    201,
    'rules for many kinds',
    () => validated(1, () => list(most)),
    many(2000, () => kinds),
  ),
  conditions(422, '64 of 20 KB', () => conditionsOf(64, list(20_000))),
  conditions(201, 'as long as may be', () => conditionsOf(1, list(most))),
  ...policies.map(([{ metadata }]) => {
    const { name } = metadata;
    return looked(['variables', 'messages'].includes(name) ? 422 : 201, name);
  }),
  looked(201, 'webhooks', '{"webhooks":"true"}'),
];
