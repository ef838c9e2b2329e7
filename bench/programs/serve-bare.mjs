// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { createServer } from 'node:https';

// A minimal server: it parses the request body and returns it; a GET returns the last body.
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
