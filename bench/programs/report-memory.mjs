// SPDX-License-Identifier: Apache-2.0
// Imported by a program before anything else: hosts of Services are this machine, at the address of BENCH_HOST, and at its end
// the program prints the most memory that it had.
import dns from 'node:dns';
import { readFileSync } from 'node:fs';

const lookup = dns.lookup;
dns.lookup = (host, ...rest) => lookup(host.endsWith('.svc') ? process.env.BENCH_HOST : host, ...rest);

process.on('exit', () => {
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'));
  process.stdout.write(`peak ${kilobytes} kB\n`);
});
