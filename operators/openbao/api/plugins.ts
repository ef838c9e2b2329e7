// SPDX-License-Identifier: Apache-2.0
import { nonEmpty } from '@forge/kube/schema/field.ts';
import { fieldRule, rules } from '@forge/kube/schema/rules.ts';
import { choice, rule } from '@forge/kube/schema/schema-types.ts';
import { Type } from 'typebox';

const texts = (description: string, one: string) =>
  Type.Optional(Type.Array(Type.String({ description: one, maxLength: 2048 }), { description, maxItems: 64 }));

const plugin = Type.Object(
  {
    type: choice(['secret', 'auth', 'database', 'kms'], { description: 'What the plugin provides.' }),
    name: nonEmpty('Name of the plugin in the catalog.', { maxLength: 256 }),
    image: Type.Optional(
      nonEmpty('Image that has the plugin, without a tag: version is its tag.', { maxLength: 1024 }),
    ),
    command: Type.Optional(nonEmpty('File of the plugin in the plugin directory.', { maxLength: 1024 })),
    version: Type.Optional(
      nonEmpty('Version of the plugin, for example v0.1.0; with image its tag.', { maxLength: 128 }),
    ),
    binaryName: Type.Optional(nonEmpty('File of the plugin in its image.', { maxLength: 256 })),
    sha256sum: Type.String({
      description: 'SHA-256 of the file, in 64 hexadecimal digits.',
      maxLength: 64,
      ...rule("self.matches('^[0-9a-fA-F]{64}$')", 'must be the SHA-256 of the plugin: 64 hexadecimal digits'),
    }),
    args: texts('Arguments of the plugin.', 'One argument.'),
    env: texts('Environment of the plugin, as NAME=value. It is readable in the ConfigMap.', 'One variable.'),
  },
  {
    description: 'One plugin.',
    ...rules(
      fieldRule('.image', 'has(self.image) != has(self.command)', {
        message: 'a plugin needs exactly one of image and command: set one of them',
      }),
      fieldRule('.version', '!has(self.image) || (has(self.version) && has(self.binaryName))', {
        message: 'a plugin with an image needs version and binaryName: set both',
      }),
      fieldRule('.image', "!has(self.image) || !self.image.matches(':[^/]*$')", {
        message: 'image must not have a tag or digest: put the tag into version',
      }),
    ),
  },
);

/** Plugins of the server. */
export const plugins = Type.Array(plugin, {
  description: 'Plugins of the server.',
  maxItems: 32,
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['type', 'name'],
});
