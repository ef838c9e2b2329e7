// SPDX-License-Identifier: Apache-2.0
import { objectName, text, type TextRule } from '@forge/kube/schema/field.ts';
import { Type } from 'typebox';

/** A key of a Secret or ConfigMap. */
export const dataKey: TextRule = {
  pattern: '^[-._a-zA-Z0-9]+$',
  maxLength: 253,
  message: 'must be a key of a Secret: letters, digits, -, _ and .',
};

/** An object of the same namespace, by name. */
export const localReference = (description: string, nameDescription: string) =>
  Type.Object({ name: text(objectName, nameDescription) }, { description });

/** A password in a Secret of the same namespace. */
export const secretReference = (description: string) =>
  Type.Object(
    {
      name: text(objectName, 'Name of the Secret, in the same namespace.'),
      key: Type.Optional(text(dataKey, 'Key under which the Secret holds the password; "password" when absent.')),
    },
    { description },
  );
