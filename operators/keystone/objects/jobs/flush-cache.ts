// SPDX-License-Identifier: Apache-2.0
import type { Container } from '@forge/kube/generated/types.ts';
import type { Keystone } from '../../api/keystone.ts';
import { cacheServersOf } from '../backends.ts';
import { restrictedSecurityContext } from '../pod.ts';

/** Empties every server behind each name. One that does not answer is left out: its entries expire after ten minutes. */
const program = `import socket, sys

def flush(server):
    host, port = server.rsplit(':', 1)
    found = socket.getaddrinfo(host.strip('[]'), int(port), type=socket.SOCK_STREAM)
    for family, kind, protocol, _, address in found:
        with socket.socket(family, kind, protocol) as memcached:
            memcached.settimeout(2)
            memcached.connect(address)
            memcached.sendall(b'flush_all\\r\\n')
            memcached.recv(8)

for server in sys.argv[1:]:
    try:
        flush(server)
    except OSError as error:
        print(f'{server} is not flushed: {error}', file=sys.stderr)
`;

/** Empties the cache before a database is filled: entries of an earlier one name users that no longer exist. */
export function flushCache(keystone: Keystone, image: string): Container {
  return {
    name: 'flush-cache',
    image,
    command: ['python3', '-c', program, ...cacheServersOf(keystone)],
    securityContext: restrictedSecurityContext,
    terminationMessagePolicy: 'FallbackToLogsOnError',
  };
}
