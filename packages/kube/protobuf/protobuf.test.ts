// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Definition } from '../schema/definition.ts';
import kinds from '../schema/definitions.json' with { type: 'json' };
import { encodeEnvelope, encodeMessage } from './encode-envelope.ts';
import { decodeEnvelope, openEnvelope } from './envelope.ts';
import { MessageDecoder } from './message-decoder.ts';
import { messages } from './messages.ts';
import sent from './test/kubectl.json' with { type: 'json' };
import { messageArbitrary } from './test/message-arbitrary.ts';

function decoded(bytes: Uint8Array): unknown {
  return decodeEnvelope(openEnvelope(bytes));
}

/** The names of a message's fields, including those of inlined messages. */
function fieldsOf(name: string): string[] {
  return Object.values(messages[name] ?? {}).flatMap((field) => field.name ?? fieldsOf(field.type));
}

const typeMeta = ['apiVersion', 'kind'];

describe('a protobuf body', () => {
  for (const { command, body, json } of sent) {
    test(`of kubectl ${command} is decoded to its JSON`, () => {
      assert.deepEqual(decoded(Buffer.from(body, 'base64')), json);
    });
  }

  test('may contain every field of every built-in kind', () => {
    const { definitions } = kinds as { definitions: Record<string, Definition> };
    for (const [name, { properties = {} }] of Object.entries(definitions)) {
      const known = fieldsOf(name);
      // apiVersion and kind are in the envelope.
      const own = Object.keys(properties).filter((field) => !typeMeta.includes(field) || known.includes(field));
      assert.deepEqual(known.toSorted(), own.toSorted(), name);
    }
  });

  test('of any message round-trips', () => {
    const names = fc.constantFrom(...Object.keys(messages));
    const any = names.chain((name) => messageArbitrary(name).map((object) => ({ name, object })));
    fc.assert(
      fc.property(any, ({ name, object }) => {
        assert.deepEqual(new MessageDecoder().message(name, encodeMessage(name, object)), object);
      }),
    );
  });

  test('may have map keys with any name', () => {
    const data = JSON.parse('{ "__proto__": "a", "constructor": "b" }') as object;
    const configMap = { apiVersion: 'v1', kind: 'ConfigMap', data };
    assert.deepEqual(decoded(encodeEnvelope(configMap)), configMap);
  });

  test('may pack its lists of numbers', () => {
    const bytes = Buffer.from('220301027f', 'hex');
    assert.deepEqual(new MessageDecoder().message('PodSecurityContext', bytes), { supplementalGroups: [1, 2, 127] });
  });

  test('may contain fields of a later version', () => {
    const later = Buffer.from('f2ff0100f8ff0101', 'hex');
    assert.deepEqual(new MessageDecoder().message('ConfigMap', later), {});
  });

  test('of an unknown kind has only its type', () => {
    assert.deepEqual(decoded(encodeEnvelope({ apiVersion: 'v1', kind: 'Other' })), { apiVersion: 'v1', kind: 'Other' });
  });

  test('has the last of several values of a field, as in Go', () => {
    const bytes = Buffer.from('220410011002', 'hex');
    assert.deepEqual(new MessageDecoder().message('ServicePort', bytes), { targetPort: 2 });
  });

  test('of arbitrary bytes is decoded or rejected, never anything else', () => {
    const prefix = Buffer.from('k8s\0\n\x0f\n\x02v1\x12\x09ConfigMap\x12');
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        try {
          decoded(Buffer.concat([prefix, Buffer.from([bytes.length]), bytes]));
        } catch (error) {
          assert.equal((error as Error).constructor, Error);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
