// SPDX-License-Identifier: Apache-2.0
import { Type, type TObject, type TProperties } from 'typebox';
import { choice, conditions, rule } from '../schema/schema-types.ts';
import type { Schema } from '../schema/schema.ts';
import { duration } from './open-schema.ts';

/** A string of up to this many characters. */
export const text = (maxLength: number, annotations: Schema = {}) =>
  Type.String({ minLength: 1, maxLength, ...annotations });
/** The name of another object of K-ORC in the same namespace. */
export const reference = (annotations: Schema = {}) => text(253, annotations);
/** A name in OpenStack. Default: the object's own. */
export const openStackName = () => Type.Optional(text(255, { pattern: '^[^,]+$' }));
/** A shorter name in OpenStack. */
export const keystoneName = () => Type.Optional(text(64));
/** A description. */
export const description = (annotations: Schema = {}) => Type.Optional(text(255, annotations));
/** Whether something is enabled. */
export const enabled = (annotations: Schema = {}) => Type.Optional(Type.Boolean({ ...annotations }));
/** The rule of a field that is immutable once it is set. */
export const immutable = (field: string) => rule('self == oldSelf', `${field} is immutable`);
/** A string of the observed resource. */
export const observed = () => Type.Optional(Type.String({ maxLength: 1024 }));

const envelopeRules: readonly (readonly [rule: string, message: string])[] = [
  [
    "self.managementPolicy == 'managed' ? has(self.resource) : true",
    'resource must be specified when policy is managed',
  ],
  [
    "self.managementPolicy == 'managed' ? !has(self.__import__) : true",
    'import may not be specified when policy is managed',
  ],
  [
    "self.managementPolicy == 'unmanaged' ? !has(self.resource) : true",
    'resource may not be specified when policy is unmanaged',
  ],
  [
    "self.managementPolicy == 'unmanaged' ? has(self.__import__) : true",
    'import must be specified when policy is unmanaged',
  ],
  [
    "has(self.managedOptions) ? self.managementPolicy == 'managed' : true",
    'managedOptions may only be provided when policy is managed',
  ],
];

/** The spec that all kinds of K-ORC have around their resource. */
export function envelope<R extends TProperties, F extends TProperties>(resource: TObject<R>, filter: TObject<F>) {
  return Type.Object(
    {
      cloudCredentialsRef: Type.Object({ secretName: text(253), cloudName: text(256) }),
      managementPolicy: Type.Optional(
        choice(['managed', 'unmanaged'], { default: 'managed', ...immutable('managementPolicy') }),
      ),
      managedOptions: Type.Optional(
        Type.Object({ onDelete: Type.Optional(choice(['delete', 'detach'], { default: 'delete' })) }),
      ),
      resource: Type.Optional(resource),
      import: Type.Optional(
        Type.Object(
          { id: Type.Optional(Type.String({ format: 'uuid', maxLength: 36 })), filter: Type.Optional(filter) },
          { minProperties: 1, maxProperties: 1 },
        ),
      ),
      resyncPeriod: duration(),
    },
    {
      'x-kubernetes-validations': envelopeRules.map(([expression, message]) => ({ rule: expression, message })),
    },
  );
}

/** The status with these observed attributes. */
export const status = <P extends TProperties>(resource: TObject<P>) =>
  Type.Object({
    conditions: conditions(),
    id: Type.Optional(Type.String()),
    resource: Type.Optional(resource),
    lastSyncTime: Type.Optional(Type.String({ format: 'date-time' })),
  });

/** What all kinds of K-ORC have in common besides their schema. */
export const facts = {
  group: 'openstack.k-orc.cloud',
  version: 'v1alpha1',
  categories: ['openstack'],
  printerColumns: [
    { name: 'ID', type: 'string', jsonPath: '.status.id' },
    { name: 'Available', type: 'string', jsonPath: ".status.conditions[?(@.type=='Available')].status" },
    { name: 'Message', type: 'string', jsonPath: ".status.conditions[?(@.type=='Progressing')].message" },
  ],
} as const;
