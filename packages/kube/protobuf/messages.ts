// SPDX-License-Identifier: Apache-2.0
import { fieldOf } from '../objects/json.ts';
import generated from './messages.json' with { type: 'json' };
import { metaMessages } from './meta-messages.ts';

/** A numbered field of a protobuf message, and its place in JSON. */
export interface MessageField {
  /** Its JSON name; without one its fields are inlined. */
  readonly name?: string;
  /** A scalar type of Go, or the name of a message. */
  readonly type: string;
  /** Whether it is a list or a map. */
  readonly many?: 'list' | 'map';
  /** Whether JSON includes it also when it is zero. */
  readonly zero?: true;
}

/** A protobuf message: its fields by their numbers. */
export type Message = Readonly<Record<number, MessageField>>;

/** The messages of Kubernetes' requests and responses, and those they contain, by name. */
export const messages: Readonly<Record<string, Message>> = {
  ...(generated as Readonly<Record<string, Message>>),
  ...metaMessages,
};

/** The fields of a message, if it exists; all lists have the same ones. */
export function messageOf(name: string): Message | undefined {
  const known = fieldOf(messages, name);
  if (known !== undefined || !name.endsWith('List')) return known;
  const type = name.slice(0, -'List'.length);
  if (fieldOf(messages, type) === undefined) return undefined;
  return { 1: { name: 'metadata', type: 'ListMeta' }, 2: { name: 'items', type, many: 'list' } };
}

/** The message of a kind or of its list; one with a namesake in another group is qualified by its group. */
export function messageName(apiVersion: string, kind: string): string {
  const [group = ''] = apiVersion.split(/[./]/);
  const qualified = `${group}.${kind}`;
  return fieldOf(messages, qualified.replace(/List$/, '')) === undefined ? kind : qualified;
}
