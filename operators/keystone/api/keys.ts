// SPDX-License-Identifier: Apache-2.0
import { int32 } from '@forge/kube/schema/field.ts';
import { Type } from 'typebox';
import { defaults } from './defaults.ts';
import { schedule } from './schedule.ts';

export const defaultRotation = '0 0 * * 0';

const keys = (description: string, kept: string) =>
  Type.Object(
    {
      rotationSchedule: schedule(defaultRotation, 'When the keys are rotated.'),
      suspend: Type.Boolean({ default: false, description: 'Pauses the rotation without deleting its CronJob.' }),
      maxActiveKeys: int32(kept, { default: defaults.maxActiveKeys, minimum: 3 }),
    },
    { default: {}, description },
  );

export const fernet = keys(
  'Fernet keys, which sign tokens, and their rotation.',
  'Number of keys that are kept. A token stays valid for as many rotations as there are keys beyond two.',
);

export const credentialKeys = keys(
  "Credential keys, which encrypt the credentials in Keystone's database (EC2 and the like), and their rotation.",
  'Number of keys that are kept. Keystone itself rotates with three, so a higher number has no effect after the first rotation.',
);
