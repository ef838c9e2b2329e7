// SPDX-License-Identifier: Apache-2.0
import { text, type TextRule } from '@forge/kube/schema/field.ts';
import { Type } from 'typebox';

const part = '[a-z0-9]+([._-]+[a-z0-9]+)*';

export const imageRepository: TextRule = {
  pattern: `^([a-zA-Z0-9]([-a-zA-Z0-9.]*[a-zA-Z0-9])?(:[0-9]+)?/)?${part}(/${part})*$`,
  maxLength: 255,
  message:
    'must be an image repository without tag or digest, for example c5c3/keystone or registry.example.com:5000/c5c3/keystone',
};

export const imageTag: TextRule = {
  pattern: '^[a-zA-Z0-9_][-a-zA-Z0-9_.]*$',
  maxLength: 128,
  message: 'must be an image tag, for example 2025.2: letters, digits, _, - and ., not beginning with - or .',
};

export const image = Type.Object(
  {
    repository: text(imageRepository, 'Repository of the image, for example c5c3/keystone.'),
    tag: text(
      imageTag,
      'Tag of the image: the OpenStack release YYYY.N, for example 2025.2, with an optional patch suffix as in 2025.2-p1. ' +
        'A newer release starts an upgrade; releases cannot be skipped, and downgrades are refused.',
    ),
  },
  { description: 'Container image of Keystone.' },
);
