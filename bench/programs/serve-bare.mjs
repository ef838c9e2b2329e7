// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { createServer } from 'node:https';

// What no server can do without: it parses what it is sent and sends it back; who sends nothing is given what was put.
process.on('disconnect', () => process.exit());
const [{ cert, key }] = await once(process, 'message');
let kept = Buffer.from('{}');
const server = createServer({ cert, key }, (request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const sent = Buffer.concat(chunks);
    if (sent.length > 0) JSON.parse(sent.toString());
    if (request.method === 'PUT') kept = sent;
    const answer = request.method === 'GET' ? kept : sent;
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length });
    response.end(answer);
  });
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.send(server.address().port);
