// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { connect } from 'node:net';

// Opens the given number of connections to a port, and keeps them idle until the process is killed.
const [port, count] = process.argv.slice(2).map(Number) as [number, number];
for (let opened = 0; opened < count; opened += 100) {
  const opening = Array.from({ length: 100 }, () => connect(port, '127.0.0.1'));
  await Promise.all(opening.map((socket) => once(socket, 'connect')));
}
console.log('all are open');
