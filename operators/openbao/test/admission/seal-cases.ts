// SPDX-License-Identifier: Apache-2.0
import { seals, sealTypes } from '../../api/seals.ts';
import { completeSeals } from '../complete-seals.ts';
import { spec, type AdmissionCase } from './admission-case.ts';

const unseal = (change: object) => spec({ unseal: change });

const blockCases = sealTypes
  .filter((type) => type !== 'static')
  .map((type): AdmissionCase => {
    const { block } = seals[type];
    return {
      name: `the seal ${type} without its settings`,
      change: unseal({ type }),
      corrected: unseal({ type, ...completeSeals[type].unseal }),
      schema: [`spec.unseal.${block}`, `spec.unseal.${block} is required when spec.unseal.type is ${type}`],
    };
  });

const requiredCases = sealTypes.flatMap((type) => {
  const { block, fields } = seals[type];
  const whole = completeSeals[type].unseal[block] ?? {};
  return Object.entries(fields)
    .filter(([, { required }]) => required === true)
    .map(([field]): AdmissionCase => ({
      name: `the seal ${type} without ${field}`,
      change: unseal({ type, [block]: { ...whole, [field]: null } }),
      corrected: unseal({ type, [block]: whole }),
      schema: [`spec.unseal.${block}.${field}`, 'Required value'],
    }));
});

const credentialCases = sealTypes.flatMap((type) => {
  const { block, fields } = seals[type];
  const whole = completeSeals[type].unseal[block] ?? {};
  return Object.entries(fields).flatMap(([field, { credential }]): AdmissionCase[] =>
    credential === undefined
      ? []
      : [
          {
            name: `${field} of the seal ${type} in the resource`,
            change: unseal({ type, [block]: { ...whole, [field]: 'hunter2' } }),
            corrected: unseal({ type, [block]: whole, credentialsSecretRef: { name: 'seal' } }),
            schema: [
              `spec.unseal.${block}.${field}`,
              `put it into a Secret under the key ${credential}, and name that in spec.unseal.credentialsSecretRef`,
            ],
          },
        ],
  );
});

const pkcs11 = { lib: '/lib.so', keyLabel: 'k' };

/** How pods unseal themselves. */
export const sealCases: readonly AdmissionCase[] = [
  ...blockCases,
  ...requiredCases,
  ...credentialCases,
  {
    name: 'a seal that nobody knows',
    change: unseal({ type: 'shamir' }),
    corrected: unseal({ type: 'static' }),
    schema: ['spec.unseal.type', 'Unsupported value: "shamir"'],
  },
  ...[
    ['bXkga2V5', 'file:///etc/bao/unseal/key'],
    ['https://keys.example.com/key', 'env://UNSEAL_KEY'],
    ['file://', 'file:///k'],
  ].map(([currentKey, corrected]): AdmissionCase => ({
    name: `the static key ${currentKey}, which is neither a file nor a variable`,
    change: unseal({ static: { currentKey } }),
    corrected: unseal({ static: { currentKey: corrected } }),
    schema: ['spec.unseal.static.currentKey', 'must be a URL such as file:///etc/bao/unseal/key or env://NAME'],
  })),
  {
    name: 'the seal pkcs11 without slot and token',
    change: unseal({ type: 'pkcs11', pkcs11 }),
    corrected: unseal({ type: 'pkcs11', pkcs11: { ...pkcs11, tokenLabel: 't' } }),
    schema: ['spec.unseal.pkcs11.slot', 'spec.unseal.pkcs11 needs slot or tokenLabel: set one of them'],
  },
  {
    name: 'the seal pkcs11 with an empty slot',
    change: unseal({ type: 'pkcs11', pkcs11: { ...pkcs11, slot: '' } }),
    corrected: unseal({ type: 'pkcs11', pkcs11: { ...pkcs11, slot: '0' } }),
    schema: ['spec.unseal.pkcs11.slot', 'spec.unseal.pkcs11 needs slot or tokenLabel: set one of them'],
  },
  {
    name: 'an empty ID of the static key',
    change: unseal({ static: { currentKeyID: '' } }),
    corrected: unseal({ static: {} }),
    schema: ['spec.unseal.static.currentKeyID', 'should be at least 1 chars long'],
  },
  {
    name: 'another seal once initialised',
    initialised: true,
    before: {},
    change: unseal({ type: 'transit', ...completeSeals.transit.unseal }),
    corrected: unseal({ type: 'static' }),
    schema: ['spec.unseal.type', 'spec.unseal.type cannot be changed once the cluster is initialised'],
  },
  {
    name: 'another ID of the static key once initialised',
    initialised: true,
    before: {},
    change: unseal({ static: { currentKeyID: 'two' } }),
    corrected: unseal({ static: { currentKeyID: 'operator-generated-v1' } }),
    schema: ['spec.unseal.static.currentKeyID', 'cannot be changed once the cluster is initialised'],
  },
];
