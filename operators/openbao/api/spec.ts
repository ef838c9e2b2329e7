// SPDX-License-Identifier: Apache-2.0
import { int32, nonEmpty } from '@forge/kube/schema/field.ts';
import { fieldRule, rules } from '@forge/kube/schema/rules.ts';
import { choice, mapOf } from '@forge/kube/schema/schema-types.ts';
import { Type } from 'typebox';
import { audit } from './audit.ts';
import { backup } from './backup.ts';
import { schemaRule } from './cel-rule.ts';
import { configLimits } from './config-keys.ts';
import { configRules } from './config-rules.ts';
import { ingress, network, service } from './exposure.ts';
import { imageVerification, updateStrategy, upgrade } from './operations.ts';
import { plugins } from './plugins.ts';
import { storage } from './storage.ts';
import { telemetry } from './telemetry.ts';
import { tls } from './tls.ts';
import { unseal } from './unseal.ts';

const deletionPolicies = ['Retain', 'DeletePVCs', 'DeleteAll'] as const;

const initContainer = Type.Object(
  {
    enabled: Type.Boolean({ default: true, description: 'Accepted, and ignored.' }),
    image: Type.Optional(nonEmpty('Accepted, and ignored.', { maxLength: 1024 })),
  },
  { description: 'Accepted, and ignored: pods get what differs between them from their environment.' },
);

const config = mapOf(Type.String({ description: 'Value of this setting.', maxLength: configLimits.valueLength }), {
  description:
    'Settings of the server, for example log_level: debug. Values are text; they are written as the type that the server expects.',
  maxProperties: configLimits.entries,
});

/** A rule about the settings needs them to be there. */
const settingRules = configRules({ config: 'self.config', version: 'self.version' }).map((rule) =>
  schemaRule({ ...rule, expression: `!has(self.config) || (${rule.expression})` }, '.config'),
);

/** What users write. */
export const spec = Type.Object(
  {
    version: nonEmpty('Version of OpenBao, for example 2.7.2; 2.4.0 at least.', { maxLength: 64 }),
    image: Type.Optional(
      nonEmpty('Image of OpenBao, which must be of that version; openbao/openbao:VERSION when absent.', {
        maxLength: 1024,
      }),
    ),
    replicas: int32('Number of pods. An odd number: two of three, or three of five, must be up.', {
      default: 3,
      minimum: 1,
    }),
    paused: Type.Boolean({ default: false, description: 'Whether the operator leaves the cluster alone.' }),
    tls,
    storage,
    service: Type.Optional(service),
    ingress: Type.Optional(ingress),
    network: Type.Optional(network),
    config: Type.Optional(config),
    unseal,
    imageVerification: Type.Optional(imageVerification),
    updateStrategy,
    upgrade: Type.Optional(upgrade),
    backup: Type.Optional(backup),
    deletionPolicy: choice(deletionPolicies, {
      default: 'Retain',
      description:
        'What is deleted with the resource: Retain keeps data and keys, DeletePVCs deletes them, DeleteAll likewise; snapshots stay.',
    }),
    initContainer: Type.Optional(initContainer),
    audit: Type.Optional(audit),
    plugins: Type.Optional(plugins),
    telemetry: Type.Optional(telemetry),
  },
  {
    description: 'Desired state of the cluster.',
    ...rules(
      ...settingRules,
      fieldRule('.updateStrategy.type', 'self.updateStrategy.type == oldSelf.updateStrategy.type', {
        message: 'spec.updateStrategy.type is immutable',
      }),
      fieldRule(
        '.upgrade.executorImage',
        "self.updateStrategy.type != 'BlueGreen' || (has(self.upgrade) && has(self.upgrade.executorImage))",
        { message: 'spec.upgrade.executorImage is required when spec.updateStrategy.type is BlueGreen' },
      ),
      fieldRule(
        '.upgrade.jwtAuthRole',
        "self.updateStrategy.type != 'BlueGreen' || (has(self.upgrade) && (has(self.upgrade.jwtAuthRole) || has(self.upgrade.tokenSecretRef)))",
        {
          message:
            'spec.upgrade needs jwtAuthRole or tokenSecretRef when spec.updateStrategy.type is BlueGreen: set one of them',
        },
      ),
    ),
  },
);
