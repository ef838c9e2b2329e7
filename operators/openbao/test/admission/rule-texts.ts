// SPDX-License-Identifier: Apache-2.0
import { crdOf } from '@forge/kube/kinds/crd.ts';
import { fieldsOf } from '@forge/kube/schema/fields-of.ts';
import type { Schema } from '@forge/kube/schema/schema.ts';
import { OpenBaoCluster } from '../../api/openbao-cluster.ts';

/** A rule in CEL, as the schema and the policy have it. */
interface Texts {
  readonly message?: string;
  readonly messageExpression?: string;
}

/** Whether this is part of a rule's message; that of an expression begins with the key of a setting. */
export function mentions({ message = '', messageExpression }: Texts, part: string): boolean {
  if (messageExpression === undefined) return message.includes(part);
  const [, afterKey = part] = /^spec[.]config[.]\S* (.*)$/s.exec(part) ?? [];
  return messageExpression.includes(afterKey);
}

/** Every rule of the schema, and the field that it is reported for, without indexes. */
export function schemaRules(): { field: string; rule: Texts }[] {
  const [version] = crdOf(OpenBaoCluster).spec.versions;
  return [...fieldsOf(version?.schema?.openAPIV3Schema as Schema)].flatMap(([path, schema]) =>
    (schema['x-kubernetes-validations'] ?? []).map((rule) => ({
      field: `${path}${rule.fieldPath ?? ''}`.replace(/^[.]/, ''),
      rule,
    })),
  );
}
