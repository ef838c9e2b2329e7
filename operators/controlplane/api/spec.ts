// SPDX-License-Identifier: Apache-2.0
import { immutable } from '@forge/kube/schema/checked-rule.ts';
import type { TextRule } from '@forge/kube/schema/field.ts';
import { rules } from '@forge/kube/schema/rules.ts';
import { rule } from '@forge/kube/schema/schema-types.ts';
import { Type } from 'typebox';
import { korc } from './admin-credential.ts';
import { defaults } from './defaults.ts';
import { infrastructure } from './infrastructure.ts';
import { policy } from './policy.ts';
import { secretRules } from './secret-rules.ts';
import { services } from './services.ts';

/** OpenStack releases as they are numbered: year and minor. */
export const releasePattern = '^\\d{4}\\.\\d$';
export const releaseMessage = `must match the OpenStack release pattern ${releasePattern} (e.g. 2025.2)`;
export const regionImmutable = immutable('region is immutable', { fallback: defaults.region });

/** The message about a release that is older than the previous one. */
export const downgradeMessage = (from: string, to: string) =>
  `openStackRelease downgrade from "${from}" to "${to}" is not permitted; Keystone DB migrations are not reversible`;

/** The message about a release that skips one. */
export const skippedMessage = (to: string, installed: string, next: string) =>
  `openStackRelease "${to}" skips a release: "${installed}" is installed, and Keystone is upgraded one release at a time; ` +
  `set "${next}" first`;

/** The message about a release that does not exist. */
export const unknownReleaseMessage = (to: string, installed: string, next: string) =>
  `there is no OpenStack "${to}", there are two releases a year; "${installed}" is installed: set "${next}" to upgrade`;

/** What users write. */
export const spec = Type.Object(
  {
    openStackRelease: Type.String({
      pattern: releasePattern,
      description:
        'OpenStack release YYYY.N, for example 2025.2. It can be set to the release after the one in status.installedRelease, ' +
        'and back to that.',
    }),
    region: Type.String({
      default: defaults.region,
      maxLength: 255,
      description: `Region of the control plane; ${defaults.region} when empty. It cannot be changed.`,
      ...rules(regionImmutable),
    }),
    infrastructure,
    services,
    global: Type.Optional(policy('Rules of oslo.policy for all services; those of a service win over them.')),
    korc,
  },
  { description: 'Desired state of the control plane.' },
);

/** Names from which those of the children can be made: a Keystone has at most 34 characters. */
export const resourceName: TextRule = {
  pattern: '^[a-z]([-a-z0-9]{0,23}[a-z0-9])?$',
  maxLength: 25,
  message:
    'metadata.name must have at most 25 characters, lower-case letters, digits and -, beginning with a letter and ending with ' +
    'a letter or digit: the name of the Keystone is made from it',
};

/** Rules about the whole resource. A rule cannot name a field of metadata; its message does. */
export const rootRules = rules(
  rule(`self.metadata.name.matches('${resourceName.pattern}')`, resourceName.message),
  ...secretRules,
);
