// SPDX-License-Identifier: Apache-2.0
import type { SeededBug } from './seeded-bug.ts';

/** Bugs of bodies in protobuf. */
export const protobufBugs: readonly SeededBug[] = [
  {
    name: 'an explicit zero counts as unset',
    caughtBy: 'a deployment and its scale may come as protobuf',
    file: 'kube/protobuf/message-decoder.ts',
    find: '(zero === true || !isZero(type, value))',
    replace: '!isZero(type, value)',
  },
  {
    name: 'bytes are decoded as text',
    caughtBy: 'the kinds kubectl creates may come as protobuf',
    file: 'kube/protobuf/message-decoder.ts',
    find: ".toString('base64')",
    replace: '.toString()',
  },
  {
    name: 'fields of an inner message are lost',
    caughtBy: 'a definition may come as protobuf',
    file: 'kube/protobuf/special-messages.ts',
    find: 'schemaOf(schema, decoding) ?? ',
    replace: '',
  },
  {
    name: 'a truncated message is accepted',
    caughtBy: 'malformed protobuf is refused',
    file: 'kube/protobuf/wire-reader.ts',
    find: "if (end > this.#bytes.length) throw new Error('unexpected EOF');",
    replace: '',
  },
];
