// SPDX-License-Identifier: Apache-2.0
import { fieldRule, rules, type Rules } from '@forge/kube/schema/rules.ts';
import { choice } from '@forge/kube/schema/schema-types.ts';
import { Type, type TOptional, type TSchema, type TUnsafe } from 'typebox';
import { seals, sealTypes, type Seal, type SealBlock, type SealField } from './seals.ts';
import { secretRef } from './secret-ref.ts';

const textLength = 2048;

/** The rule that a credential must not be written into the spec. */
const credentialRule = (name: string, block: string, key: string): Rules =>
  fieldRule(`.${name}`, `!has(self.${name})`, {
    message:
      `spec.unseal.${block}.${name} would be readable in the resource and in its ConfigMap: put it into a Secret under the ` +
      `key ${key}, and name that in spec.unseal.credentialsSecretRef`,
  });

function fieldSchema({ description, type, values, required, default: value, credential }: SealField): TSchema {
  if (type === 'bool') return Type.Boolean({ description });
  const sentence = credential === undefined ? description : `${description} Must not be set: use credentialsSecretRef.`;
  const bounds = { description: sentence, ...(value !== undefined && { default: value }) };
  if (values !== undefined) return choice(values, bounds);
  return Type.String({
    ...bounds,
    ...((required === true || value !== undefined) && { minLength: 1 }),
    maxLength: textLength,
  });
}

/** The settings of a seal as they reach the renderer: those of its fields that are given. */
type SealSettings = Readonly<Record<string, string | boolean>>;

/** An empty text is not written, as if it were absent. */
const isSet = (field: string) => `(has(self.${field}) && self.${field} != '')`;

const furtherRules: Readonly<Record<string, readonly Rules[]>> = {
  static: [
    fieldRule('.currentKey', `!has(self.currentKey) || self.currentKey.matches(r'^(file|env)://.')`, {
      message:
        'spec.unseal.static.currentKey must be a URL such as file:///etc/bao/unseal/key or env://NAME: the key itself would be ' +
        'readable in the resource',
    }),
  ],
  pkcs11: [
    fieldRule('.slot', `${isSet('slot')} || ${isSet('tokenLabel')}`, {
      message: 'spec.unseal.pkcs11 needs slot or tokenLabel: set one of them',
    }),
  ],
};

function blockSchema({ block: name, description, fields }: Seal): TOptional<TUnsafe<SealSettings>> {
  const properties = Object.entries(fields).map(([field, each]) => {
    const schema = fieldSchema(each);
    return [field, each.required === true || each.default !== undefined ? schema : Type.Optional(schema)];
  });
  const credentials = Object.entries(fields).flatMap(([field, { credential }]) =>
    credential === undefined ? [] : [credentialRule(field, name, credential)],
  );
  const schema = Type.Object(Object.fromEntries(properties) as Record<string, TSchema>, {
    description,
    ...rules(...credentials, ...(furtherRules[name] ?? [])),
  });
  return Type.Optional(schema as unknown as TUnsafe<SealSettings>);
}

const blocks = Object.fromEntries(sealTypes.map((type) => [seals[type].block, blockSchema(seals[type])])) as Record<
  SealBlock,
  TOptional<TUnsafe<SealSettings>>
>;

const blockRules = sealTypes
  .filter((type) => type !== 'static')
  .map((type) =>
    fieldRule(`.${seals[type].block}`, `self.type != '${type}' || has(self.${seals[type].block})`, {
      message: `spec.unseal.${seals[type].block} is required when spec.unseal.type is ${type}`,
    }),
  );

/** How pods unseal themselves. */
export const unseal = Type.Object(
  {
    type: choice(sealTypes, {
      default: 'static',
      description:
        'Seal of the stored data. It cannot be changed once the cluster is initialised. OpenBao 2.7 has static, transit and ' +
        'kmip built in; the others need a plugin of type kms there.',
    }),
    credentialsSecretRef: Type.Optional(
      secretRef('Secret with the credentials of the seal; it is mounted into the pods at /etc/bao/seal-creds.'),
    ),
    ...blocks,
  },
  {
    default: { type: 'static' },
    description: 'How pods unseal themselves: by a static key that the operator makes, unless another seal is named.',
    ...rules(...blockRules),
  },
);
