// SPDX-License-Identifier: Apache-2.0
import { int32, type TextRule } from '@forge/kube/schema/field.ts';
import { fieldRule, rules } from '@forge/kube/schema/rules.ts';
import { mapOf, rule } from '@forge/kube/schema/schema-types.ts';
import { gateway } from '@forge/openstack/schema/gateway.ts';
import { image } from '@forge/openstack/schema/image.ts';
import { Type } from 'typebox';
import { autoscaling } from './autoscaling.ts';
import { bootstrap } from './bootstrap.ts';
import { cache } from './cache.ts';
import { database } from './database.ts';
import { defaults } from './defaults.ts';
import { middleware, plugins, policyOverrides } from './extensions.ts';
import { credentialKeys, fernet } from './keys.ts';
import { logging } from './logging.ts';
import { networkPolicy } from './network-policy.ts';
import {
  preStopSleepSeconds,
  priorityClassName,
  resources,
  strategy,
  terminationGracePeriodSeconds,
  topologySpreadConstraints,
} from './pods.ts';
import { secretRules } from './secret-names.ts';
import { trustFlush } from './trust-flush.ts';
import { uwsgi } from './uwsgi.ts';

const federation = Type.Object(
  { enabled: Type.Boolean({ description: 'Whether federation is wanted. Stored only: nothing acts on it yet.' }) },
  { description: 'Federation with other identity providers; none when absent.' },
);

const orDefault = (field: 'terminationGracePeriodSeconds' | 'preStopSleepSeconds') =>
  `(has(self.${field}) ? self.${field} : ${defaults[field]})`;
const grace = orDefault('terminationGracePeriodSeconds');
const sleep = orDefault('preStopSleepSeconds');
const harakiri = '(has(self.uwsgi) && has(self.uwsgi.harakiri) ? self.uwsgi.harakiri : 0)';

type Shown = number | '%d';

export const replicasExceedMax = (replicas: Shown) =>
  `maxReplicas must be >= spec.replicas (${replicas}) when minReplicas is not set, because minReplicas defaults to spec.replicas`;
export const sleepTooLong = (seconds: Shown, graceSeconds: Shown) =>
  `preStopSleepSeconds (${seconds}) must be strictly less than terminationGracePeriodSeconds (${graceSeconds})`;
export const harakiriTooLong = (seconds: Shown, drainSeconds: Shown) =>
  `harakiri (${seconds}) must be strictly less than terminationGracePeriodSeconds - preStopSleepSeconds (${drainSeconds})`;

/** What users write. */
export const spec = Type.Object(
  {
    replicas: int32(
      'Number of API pods; the webhook replaces 0 by the default. With autoscaling, the least number unless autoscaling.minReplicas is set.',
      { default: defaults.replicas, minimum: 1 },
    ),
    image,
    database,
    cache,
    fernet,
    credentialKeys,
    trustFlush: Type.Optional(trustFlush),
    federation: Type.Optional(federation),
    bootstrap,
    middleware: Type.Optional(middleware),
    plugins: Type.Optional(plugins),
    policyOverrides: Type.Optional(policyOverrides),
    autoscaling: Type.Optional(autoscaling),
    networkPolicy: Type.Optional(networkPolicy),
    gateway: Type.Optional(gateway),
    resources: Type.Optional(resources),
    uwsgi: Type.Optional(uwsgi),
    logging,
    topologySpreadConstraints: Type.Optional(topologySpreadConstraints),
    priorityClassName: Type.Optional(priorityClassName),
    terminationGracePeriodSeconds: Type.Optional(terminationGracePeriodSeconds),
    preStopSleepSeconds: Type.Optional(preStopSleepSeconds),
    strategy: Type.Optional(strategy),
    extraConfig: Type.Optional(
      mapOf(mapOf(Type.String({ description: 'Value of this option.' }), { description: 'Options of this section.' }), {
        description:
          'Sections and options laid over the rendered keystone.conf, for example token: {expiration: "7200"}.',
      }),
    ),
  },
  {
    description: 'Desired state of the identity service.',
    ...rules(
      fieldRule(
        '.autoscaling.maxReplicas',
        '!has(self.autoscaling) || has(self.autoscaling.minReplicas) || self.replicas <= self.autoscaling.maxReplicas',
        {
          message: 'maxReplicas must be >= spec.replicas when minReplicas is not set',
          messageExpression: `'${replicasExceedMax('%d')}'.format([self.replicas])`,
        },
      ),
      fieldRule('.preStopSleepSeconds', `${sleep} < ${grace}`, {
        message: 'preStopSleepSeconds must be strictly less than terminationGracePeriodSeconds',
        messageExpression: `'${sleepTooLong('%d', '%d')}'.format([${sleep}, ${grace}])`,
      }),
      fieldRule('.uwsgi.harakiri', `${harakiri} == 0 || ${sleep} >= ${grace} || ${harakiri} < ${grace} - ${sleep}`, {
        message: 'harakiri must be strictly less than terminationGracePeriodSeconds - preStopSleepSeconds',
        messageExpression: `'${harakiriTooLong('%d', '%d')}'.format([${harakiri}, ${grace} - ${sleep}])`,
      }),
    ),
  },
);

/** The message about selectors that are not exactly those of the API pods. */
export const spreadMessage =
  'labelSelector.matchLabels must equal the Deployment selector labels app.kubernetes.io/name=keystone and app.kubernetes.io/instance={metadata.name}';

export const resourceName: TextRule = {
  pattern: '^[a-z]([-a-z0-9]{0,32}[a-z0-9])?$',
  maxLength: 34,
  message:
    'metadata.name must have at most 34 characters, lower-case letters, digits and -, beginning with a letter and ending with ' +
    'a letter or digit: names of CronJobs are made from it',
};

/** Rules about the whole resource, its name included. */
export const rootRules = rules(
  // A rule cannot name a field of metadata; its message does.
  rule(`self.metadata.name.matches('${resourceName.pattern}')`, resourceName.message),
  fieldRule(
    '.spec.topologySpreadConstraints',
    '!has(self.spec.topologySpreadConstraints) || self.spec.topologySpreadConstraints.all(each, !has(each.labelSelector) || ' +
      '(has(each.labelSelector.matchLabels) && each.labelSelector.matchLabels == ' +
      "{'app.kubernetes.io/name': 'keystone', 'app.kubernetes.io/instance': self.metadata.name}))",
    { message: spreadMessage },
  ),
  ...secretRules,
);
