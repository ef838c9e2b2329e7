// SPDX-License-Identifier: Apache-2.0
import { nonEmpty } from '@forge/kube/schema/field.ts';
import { fieldRule, rules } from '@forge/kube/schema/rules.ts';
import { choice, rule } from '@forge/kube/schema/schema-types.ts';
import { Type } from 'typebox';
import { duration } from './duration.ts';

const tlsModes = ['OperatorManaged', 'External', 'ACME'] as const;

const acme = Type.Object(
  {
    directoryURL: nonEmpty('URL of the ACME directory.', { maxLength: 2048 }),
    domain: Type.Optional(
      nonEmpty('Name that the certificate is ordered for. Exclusive with domains.', { maxLength: 253 }),
    ),
    domains: Type.Optional(
      Type.Array(nonEmpty('One name.', { maxLength: 253 }), {
        description: 'Names that the certificate is ordered for; clients use the first. Exclusive with domain.',
        minItems: 1,
        maxItems: 64,
      }),
    ),
    email: Type.Optional(Type.String({ description: 'Address that the ACME server may write to.', maxLength: 320 })),
  },
  {
    description: 'ACME server that the pods get their certificate from; required with mode ACME.',
    ...rules(
      fieldRule('.domain', 'has(self.domain) != has(self.domains)', {
        message: 'spec.tls.acme needs exactly one of domain and domains',
      }),
    ),
  },
);

/** Other characters make a certificate that servers refuse to load. */
const sanEntry = Type.Unsafe<string>({
  ...nonEmpty('One name or IP address.', { maxLength: 253 }),
  ...rule(
    "isIP(self) || self.matches(r'^([*][.])?[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?([.][A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?)*$')",
    'must be a DNS name such as bao.example.com or *.example.com, or an IP address',
  ),
});

/** Certificates of the pods. */
export const tls = Type.Object(
  {
    enabled: Type.Boolean({ default: true, description: 'Must be true: OpenBao always serves TLS here.' }),
    mode: choice(tlsModes, {
      default: 'OperatorManaged',
      description:
        'Where the certificates come from. OperatorManaged: the operator issues them with a CA of the cluster. External: you provide ' +
        'the Secrets NAME-tls-ca and NAME-tls-server. ACME: the pods order them. It cannot be changed from or to ACME.',
    }),
    rotationPeriod: Type.Optional(
      duration(
        'How long before its end a server certificate is renewed; required with mode OperatorManaged. Certificates last a year.',
        '4380h',
      ),
    ),
    extraSANs: Type.Optional(
      Type.Array(sanEntry, {
        description: 'Further names and IP addresses in the server certificate; mode OperatorManaged.',
        maxItems: 64,
      }),
    ),
    acme: Type.Optional(acme),
  },
  {
    description: 'Certificates of the pods.',
    ...rules(
      fieldRule('.enabled', 'self.enabled', {
        message: 'spec.tls.enabled must be true: OpenBao is never served without TLS; remove the field',
      }),
      fieldRule('.rotationPeriod', "self.mode != 'OperatorManaged' || has(self.rotationPeriod)", {
        message: 'spec.tls.rotationPeriod is required when spec.tls.mode is OperatorManaged',
      }),
      fieldRule('.acme', "self.mode != 'ACME' || has(self.acme)", {
        message: 'spec.tls.acme is required when spec.tls.mode is ACME',
      }),
      fieldRule('.mode', "(self.mode == 'ACME') == (oldSelf.mode == 'ACME')", {
        message: 'spec.tls.mode cannot be changed from or to ACME: names and probes differ; create another cluster',
      }),
    ),
  },
);
