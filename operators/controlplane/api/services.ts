// SPDX-License-Identifier: Apache-2.0
import { int32 } from '@forge/kube/schema/field.ts';
import { rule } from '@forge/kube/schema/schema-types.ts';
import { gateway } from '@forge/openstack/schema/gateway.ts';
import { image } from '@forge/openstack/schema/image.ts';
import { publicUrl } from '@forge/openstack/schema/public-url.ts';
import { Type } from 'typebox';
import { policy } from './policy.ts';

export const rotationIntervalMessage =
  'must be a positive whole number of days (e.g. 24h, 168h); only daily and weekly Fernet rotation schedules are supported';

/** Go's notation of a span of time that is not negative, as `time.ParseDuration` reads it. */
const goDurationPattern = '^[+]?(0|(([0-9]+([.][0-9]*)?|[.][0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$';

/** `getMilliseconds` drops fractions of a millisecond: the webhook checks those. */
const wholeDays =
  `self.matches('${goDurationPattern}') && duration(self) > duration('0s') && ` +
  'duration(self).getMilliseconds() % 86400000 == 0';

const keystone = Type.Object(
  {
    replicas: Type.Optional(
      int32('Number of API pods; 3 when it was never set. Removing it leaves the last number.', { minimum: 1 }),
    ),
    image: Type.Optional({
      ...image,
      description: 'Container image of Keystone; ghcr.io/c5c3/keystone with the tag openStackRelease when absent.',
    }),
    policyOverrides: Type.Optional(
      policy(
        'Rules of oslo.policy in place of the built-in ones. They win over those of global; their configMapRef replaces that ' +
          'of global.',
      ),
    ),
    rotationInterval: Type.Optional(
      Type.String({
        maxLength: 32,
        description:
          'Interval of key rotations as a Go duration: 168h rotates every week, any other whole number of days every day. ' +
          'Removing it leaves the last schedule.',
        ...rule(wholeDays, rotationIntervalMessage),
      }),
    ),
    gateway: Type.Optional(gateway),
    publicEndpoint: Type.Optional(
      publicUrl(
        'Public URL of the identity service in the catalog; when absent, that of gateway, or the URL inside the cluster.',
      ),
    ),
  },
  { description: 'The Keystone of the control plane.' },
);

export const services = Type.Object({ keystone }, { description: 'OpenStack services of the control plane.' });
