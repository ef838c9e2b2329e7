// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaults, eachItem, chain } from './defaults.ts';

interface Shop {
  name?: string;
  open?: boolean;
  shelves?: { size?: number }[];
}

const shop = chain<Shop>(
  defaults({ name: 'corner', open: true }, { shelves: eachItem(defaults({ size: 3 })) }),
  (value) => (value.open === true ? value : { ...value, name: 'closed' }),
);

test('missing fields and empty strings are defaulted, others are kept', () => {
  assert.deepEqual(shop({ name: '', shelves: [{}, { size: 1 }] }), {
    name: 'corner',
    open: true,
    shelves: [{ size: 3 }, { size: 1 }],
  });
  assert.deepEqual(shop({ open: false }), { name: 'closed', open: false });
});

test('a complete value is returned itself', () => {
  const complete = { name: 'a', open: true, shelves: [{ size: 1 }] };
  assert.equal(shop(complete), complete);
  const withNull = { name: 'a', open: true, shelves: null as never };
  assert.equal(shop(withNull), withNull);
});
