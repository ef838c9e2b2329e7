// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { builtinKinds } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import type { Schema } from '@forge/kube/schema/schema.ts';
import { decodeTyped } from '../encoding/decode-typed.ts';
import { strategyOf } from '../registry/strategies/builtin-strategies.ts';
import { builtinColumns } from './builtin-columns.ts';

/** A value with every field of its schema up to this depth. */
function skeleton(
  { type, properties, items, additionalProperties }: Schema,
  depth: number,
  emptyValue: EmptyValue,
): unknown {
  if (depth === 0 || (type !== 'object' && type !== 'array')) return emptyValue(type);
  if (items !== undefined) return items.type === 'object' ? [skeleton(items, depth - 1, emptyValue) ?? {}] : [];
  if (properties === undefined) {
    return typeof additionalProperties === 'object' ? { a: skeleton(additionalProperties, depth - 1, emptyValue) } : {};
  }
  return Object.fromEntries(
    Object.entries(properties).map(([field, child]) => [field, skeleton(child, depth - 1, emptyValue)]),
  );
}

type EmptyValue = (type: Schema['type']) => unknown;

const emptyValues: Readonly<Record<string, EmptyValue>> = {
  null: () => null,
  unset: () => undefined,
  empty: (type) => (type === 'array' ? [] : type === 'object' ? {} : undefined),
};

/** The decoded object; undefined when it is invalid. */
function stored(kind: Kind, fields: object): KubeObject | undefined {
  const strategy = strategyOf(kind);
  const object = { ...fields, apiVersion: kind.apiVersion, kind: kind.kind, metadata: { name: 'a' } } as KubeObject;
  const decoded = decodeTyped(object, kind, kind.schema);
  if (decoded.problem !== undefined) return undefined;
  const complete = strategy.default?.(decoded.object) ?? decoded.object;
  return strategy.fillZeroValues?.(complete) ?? complete;
}

describe('the Table of every built-in kind', () => {
  for (const kind of builtinKinds) {
    for (const [name, emptyValue] of Object.entries(emptyValues)) {
      test(`shows ${kind.kind} objects whose fields are ${name}`, () => {
        for (let depth = 0; depth < 8; depth += 1) {
          const object = stored(kind, skeleton(kind.schema, depth, emptyValue) ?? {});
          if (object === undefined) continue;
          for (const column of builtinColumns(kind)) {
            assert.doesNotThrow(() => column.cell(object, 0), `${column.name} at depth ${depth}`);
          }
        }
      });
    }
  }
});
