// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { checkedCalls, refusedCalls } from './refused-calls.ts';

/** The kernel's own numbers; arm64 has the generic ones. */
const headers = { x64: '/usr/include/x86_64-linux-gnu/asm/unistd_64.h', arm64: '/usr/include/asm-generic/unistd.h' };

for (const machine of ['x64', 'arm64'] as const) {
  const header = headers[machine];
  test(`the calls of ${machine} have the numbers of the kernel`, { skip: !existsSync(header) }, async () => {
    const defined = (await readFile(header, 'utf8')).matchAll(/^#define __NR(?:3264)?_(\w+)\s+(\d+)$/gm);
    const numbers = new Map([...defined].map(([, name, number]) => [name, Number(number)]));
    for (const [name, call] of Object.entries({ ...refusedCalls, ...checkedCalls })) {
      // Older headers lack newer calls.
      const known = numbers.get(name);
      if (known !== undefined) assert.equal(call[machine], known, name);
    }
  });
}

test('a call that is newer than the headers of Debian has the number of the kernel', () => {
  assert.deepEqual(refusedCalls['open_tree_attr'], { x64: 467, arm64: 467 });
});

test('everything is refused that RuntimeDefault refuses to a container without capabilities', () => {
  const expected = `
    _sysctl acct add_key bpf chroot clock_settime create_module delete_module fanotify_init finit_module fsconfig fsmount
    fsopen fspick get_kernel_syms get_mempolicy init_module io_uring_enter io_uring_register io_uring_setup ioperm iopl
    kcmp kexec_file_load kexec_load keyctl lookup_dcookie mbind migrate_pages mount mount_setattr move_mount move_pages
    nfsservctl open_by_handle_at open_tree open_tree_attr perf_event_open pidfd_getfd pivot_root process_madvise
    query_module quotactl quotactl_fd reboot request_key set_mempolicy set_mempolicy_home_node setdomainname sethostname
    setns settimeofday swapoff swapon sysfs syslog umount2 unshare uselib userfaultfd ustat vhangup vserver`;
  assert.deepEqual(Object.keys(refusedCalls).toSorted(), expected.trim().split(/\s+/));
});
